import { PIPELINE } from '../../src/pipeline.ts';

/** The changes that a `remember` reports. */
const REMEMBER = ['turnsStored', 'outOfOrderTurnsStored', 'threadActive', 'turnsPending'];

/** Matches the diagram in a document. */
const BLOCK = /(<!-- pipeline: made by npm run docs:api -->\n)[\s\S]*?(\n<!-- \/pipeline -->)/;

/** Returns a Mermaid diagram of the steps. An arrow names the changes that queue a job for the next step. */
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

/** Returns a document with its diagram brought up to date. */
export const withPipeline = (document: string): string =>
  document.replace(BLOCK, (_, start: string, end: string) => start + describePipeline() + end);
