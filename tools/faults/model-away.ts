import { untilSettled } from '../../src/cli/support/memory-client.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { startStubModel } from '../support/stub-model.ts';
import { planCalls } from './crash-test/plan.ts';
import { type Fault, QUIET } from './fault.ts';
import { type ModelGate, startModelGate } from './model-gate.ts';
import { persist } from './persist.ts';
import { checkSettled } from './settled.ts';

/** The language model's server is unavailable for a while: only the steps that need it wait, and they finish later. */
export const modelAway: Fault = (setting) =>
  withoutModel(setting, 'away', {}, (server) => count(server, 'mnemograph_jobs_parked_total'));

/** The language model's server accepts requests and never answers: the steps time out and are retried. */
export const modelHangs: Fault = (setting) =>
  withoutModel(setting, 'silent', { STEP_TIMEOUT_SECONDS: '3' }, timedOut);

async function withoutModel(
  { random, chat, calls: most }: Parameters<Fault>[0],
  how: Parameters<ModelGate['set']>[0],
  env: Record<string, string>,
  countHit: (server: ServerProcess, userIds: readonly string[]) => Promise<number>,
) {
  await using model = await startStubModel();
  await using gate = await startModelGate(model.baseUrl);
  await using server = await startServerProcess({
    env: {
      ...QUIET,
      REASONER: 'openai',
      REASONER_MODEL: 'stub',
      OPENAI_BASE_URL: gate.baseUrl,
      MODEL_RETRIES: '0',
      ...env,
    },
  });
  const calls = planCalls(random, chat, 1, most);
  const userIds = [...new Set(calls.map(({ userId }) => userId))];
  const seen = await persist(
    () => server,
    calls,
    (acknowledged) => {
      if (acknowledged === Math.floor(most / 3)) gate.set(how);
    },
  );
  const problems = [...seen.problems];
  const deadline = performance.now() + HIT_WITHIN;
  let hit = 0;
  while (hit === 0 && performance.now() < deadline) hit = await countHit(server, userIds);
  gate.set('open');
  await untilSettled(server, userIds);
  problems.push(...(await checkSettled(server, seen.sent, random)));
  return { checked: { calls: seen.sent.length, hit }, problems };
}

const HIT_WITHIN = 60_000;

async function count({ url, apiKey }: ServerProcess, metric: string): Promise<number> {
  const answer = await fetch(new URL('/metrics', url), {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  const lines = (await answer.text()).split('\n').filter((line) => line.startsWith(metric));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

const JOBS = `query ($userId: String!) {
  user(userId: $userId) { jobs(first: 100) { edges { node { lastError } } } } }`;
type Jobs = { user: { jobs: { edges: { node: { lastError: string | null } }[] } } };

async function timedOut(server: ServerProcess, userIds: readonly string[]): Promise<number> {
  const all = await Promise.all(userIds.map((userId) => server.request<Jobs>(JOBS, { userId })));
  return all
    .flatMap(({ user }) => user.jobs.edges)
    .filter(({ node }) => node.lastError?.startsWith('StepTimedOut')).length;
}
