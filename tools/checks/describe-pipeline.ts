import { PIPELINE } from '../../src/pipeline.ts';

/** What a request that remembers turns says has changed. */
const REMEMBER = ['turnsStored', 'outOfOrderTurnsStored', 'threadActive', 'turnsPending'];

/** Where the diagram stands in a document. */
const BLOCK = /(<!-- pipeline: made by npm run docs:api -->\n)[\s\S]*?(\n<!-- \/pipeline -->)/;

/** The steps and the changes that trigger them, as a Mermaid diagram: each arrow is labelled with a change. */
function describePipeline(): string {
  const steps = Object.values(PIPELINE);
  const nodes = steps.map(({ name, lane }) => `  ${name}["${name}<br/><small>${lane}</small>"]`);
  const arrows = [{ name: 'remember', changes: REMEMBER }, ...steps].flatMap(
    ({ name: from, changes = [] }) =>
      steps.flatMap(({ name: to, triggeredBy }) => {
        const why = changes.filter((change) => change in triggeredBy);
        return why.length > 0 ? [`  ${from} -- ${why.join('<br/>')} --> ${to}`] : [];
      }),
  );
  return ['```mermaid', 'flowchart TD', '  remember([remember])', ...nodes, ...arrows, '```'].join(
    '\n',
  );
}

/** A document with the diagram as it is now. */
export const withPipeline = (document: string): string =>
  document.replace(BLOCK, (_, start: string, end: string) => start + describePipeline() + end);
