import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { recallTurns } from '../../src/cli/support/memory-client.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { planCalls } from './crash-test/plan.ts';
import { type Fault, type Finding, QUIET } from './fault.ts';
import { persist } from './persist.ts';
import { checkSettled } from './settled.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';

const FULL_FOR = 4_000;
/** How soon the server must be ready again, in milliseconds. */
const READY_WITHIN = 10_000;

/** The disk of an embedded database fills up under load: reading goes on, and writing resumes when there is space again. */
export const fullDisk: Fault = (setting) => onSmallDisk(setting, 2_000_000, {}, checkReading);

/** The disk fills up to the last byte without a warning: PostgreSQL panics, and is restarted when there is space. */
export const fullDiskAtOnce: Fault = (setting) =>
  onSmallDisk(setting, 0, { DISK_RESERVE_MB: '0' }, async () => ({ checked: {}, problems: [] }));

async function onSmallDisk(
  { random, chat, calls: count }: Parameters<Fault>[0],
  left: number,
  env: Record<string, string>,
  checkFull: (server: ServerProcess, userId: string) => Promise<Finding>,
): Promise<Finding> {
  const mounted = await mountSmallDisk().catch((error: Error) => error);
  if (mounted instanceof Error) {
    return { checked: {}, problems: [], unchecked: `no disk can be mounted: ${mounted.message}` };
  }
  await using disk = mounted;
  await using server = await startServerProcess({
    dataDir: join(disk.folder, 'data'),
    env: { ...QUIET, ...env },
  });
  const calls = planCalls(random, chat, 1, count);
  let full: ReturnType<typeof keepFull> | undefined;
  const keepFull = async (small: SmallDisk) => {
    await small.fill(left);
    await delay(FULL_FOR);
    const found = await checkFull(server, calls[0]?.userId ?? '').catch(
      (error): Finding => ({ checked: {}, problems: [`while the disk was full: ${error}`] }),
    );
    await small.clear();
    return found;
  };
  const seen = await persist(
    () => server,
    calls,
    (acknowledged) => {
      if (acknowledged >= count / 2) full ??= keepFull(disk);
    },
  );
  const { checked = {}, problems = [] } = (await full) ?? {};
  const { sent, retryable, unanswered } = seen;
  const missing = unanswered > 0 ? [`${unanswered} requests were left without an answer`] : [];
  return {
    checked: { calls: sent.length, retryable, ...checked },
    problems: [
      ...seen.problems,
      ...problems,
      ...missing,
      ...(await checkReady(server)),
      ...(await checkSettled(server, sent, random)),
    ],
  };
}

/** Checks what must work while nothing can be written. */
async function checkReading(server: ServerProcess, userId: string): Promise<Finding> {
  const { status, body } = await readiness(server);
  const problems = body.includes('DISK_LOW') ? [] : [`/readyz says ${status} ${body}`];
  const { turns } = await recallTurns(server, { userId, query: 'note', first: 10 });
  return { checked: { hits: turns.length }, problems };
}

async function checkReady(server: ServerProcess): Promise<string[]> {
  const deadline = performance.now() + READY_WITHIN;
  for (;;) {
    const { status, body } = await readiness(server);
    if (status === 200) return [];
    if (performance.now() > deadline) return [`with room again /readyz says ${status} ${body}`];
    await delay(100);
  }
}

async function readiness({ url }: ServerProcess) {
  const answer = await fetch(new URL('/readyz', url));
  return { status: answer.status, body: await answer.text() };
}
