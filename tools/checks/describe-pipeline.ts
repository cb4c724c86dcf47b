import { PIPELINE } from '../../src/pipeline.ts';
import { REQUESTS } from '../../src/requests.ts';

/** Matches the diagram in a document. */
const BLOCK = /(<!-- pipeline: made by npm run docs:api -->\n)[\s\S]*?(\n<!-- \/pipeline -->)/;

/** Returns a Mermaid diagram of requests and steps. An arrow names the changes that queue a job for the next step. */
function describePipeline(): string {
  const steps = Object.values(PIPELINE);
  const requests = Object.entries(REQUESTS).map(([name, changes]) => ({ name, changes }));
  const nodes = [
    ...requests.map(({ name }) => `  ${name}([${name}])`),
    ...steps.map(({ name, lane }) => `  ${name}["${name}<br/><small>${lane}</small>"]`),
  ];
  const arrows = [...requests, ...steps].flatMap(({ name: from, changes = [] }) =>
    steps.flatMap(({ name: to, triggeredBy }) => {
      const why = changes.filter((change) => change in triggeredBy);
      return why.length > 0 ? [`  ${from} -- ${why.join('<br/>')} --> ${to}`] : [];
    }),
  );
  return ['```mermaid', 'flowchart TD', ...nodes, ...arrows, '```'].join('\n');
}

/** Returns a document with its diagram brought up to date. */
export const withPipeline = (document: string): string =>
  document.replace(BLOCK, (_, start: string, end: string) => start + describePipeline() + end);
