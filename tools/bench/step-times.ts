import type { ServerProcess } from '../support/server-process.ts';

/** Reads from /metrics how often a step has run, and how long in all. `since`: the mean time of a run since an earlier reading, in ms. */
export async function meanStepMs({ url, apiKey }: ServerProcess, step: string) {
  const response = await fetch(new URL('/metrics', url), {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  if (!response.ok) throw new Error(`/metrics answered ${response.status}.`);
  const text = await response.text();
  const total = (figure: 'sum' | 'count') =>
    [...text.matchAll(/^mnemograph_job_seconds_(sum|count)\{([^}]*)\} (\S+)$/gm)]
      .filter(([, name, labels]) => name === figure && labels?.includes(`step="${step}"`))
      .reduce((sum, [, , , value]) => sum + Number(value), 0);
  const reading = { seconds: total('sum'), runs: total('count') };
  return {
    ...reading,
    since: (before: { seconds: number; runs: number }): number =>
      ((reading.seconds - before.seconds) * 1_000) / (reading.runs - before.runs),
  };
}
