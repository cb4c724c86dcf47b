import { execFile } from 'node:child_process';
import { mkdtemp, open, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { planCalls } from '../crash-test/plan.ts';
import { remember, type Sent } from '../crash-test/send.ts';
import { CommandFailed } from '../run-command.ts';
import { type ServerProcess, startServerProcess } from '../server-process.ts';
import { type Fault, QUIET } from './fault.ts';
import { checkSettled } from './settled.ts';

const run = promisify(execFile);
const SIZE_MB = 512;
/** What is left of the disk when it is nearly full, in bytes. */
const LEFT = 2_000_000;
const TRY_FOR = 60_000;

/**
 * The disk of an embedded database fills up under load: calls fail, or the process ends, and with
 * room again everything acknowledged is there.
 */
export const fullDisk: Fault = async ({ random, chat, calls: most }) => {
  await using disk = await mountSmallDisk();
  const settings = { dataDir: join(disk.folder, 'data'), env: QUIET };
  let server = await startServerProcess(settings);
  const { apiKey } = server;
  const calls = planCalls(random, chat, 1, most);
  const half = Math.floor(most / 2);
  try {
    const sent = await sendUntilItFails(server, calls.slice(0, half));
    await disk.fill();
    const later = await sendUntilItFails(server, calls.slice(half));
    sent.push(...later);
    const refused = later.filter(({ ids }) => ids === null).length;
    await disk.clear();
    await server[Symbol.asyncDispose]();
    server = await startServerProcess({ ...settings, apiKey });
    const problems = await checkSettled(server, sent, random);
    return { checked: { acknowledged: sent.length - refused, refused }, problems };
  } finally {
    await server[Symbol.asyncDispose]();
  }
};

/** Sends calls one after another; ends with the first one that is not acknowledged. */
async function sendUntilItFails(server: ServerProcess, calls: Sent['call'][]): Promise<Sent[]> {
  const sent: Sent[] = [];
  const deadline = performance.now() + TRY_FOR;
  for (const call of calls) {
    if (performance.now() > deadline) break;
    const entry: Sent = { call, sent: true, ids: null };
    sent.push(entry);
    const turns = await remember(server, call).catch(() => null);
    if (!turns) break;
    entry.ids = turns.map(({ turn }) => turn?.id ?? '');
  }
  return sent;
}

async function mountSmallDisk() {
  const folder = await mkdtemp(join(tmpdir(), 'mnemograph-disk-'));
  const filler = join(folder, 'filler');
  await run('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m`, 'tmpfs', folder]).catch((error) => {
    throw new CommandFailed(`A small disk cannot be mounted here: ${(error as Error).message}`);
  });
  return {
    folder,
    async fill() {
      const { bavail, bsize } = await statfs(folder);
      await using file = await open(filler, 'w');
      const block = Buffer.alloc(1 << 20);
      for (let left = bavail * bsize - LEFT; left > 0; left -= block.length) {
        await file.write(block.subarray(0, Math.min(left, block.length)));
      }
    },
    clear: () => rm(filler, { force: true }),
    async [Symbol.asyncDispose]() {
      // Whoever used it has ended just now.
      for (let attempt = 1; attempt <= 10; attempt += 1) {
        if (
          await run('umount', [folder]).then(
            () => true,
            () => false,
          )
        )
          break;
        await delay(200);
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}
