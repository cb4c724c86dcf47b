import type { Statement, Tx } from '../../src/db/core/database.ts';
import { builtFile } from '../support/built-file.ts';

// Runs the pending jobs in a data folder and kills itself: "after" the first transaction that writes is on disk, before its job
// is finished; "before" the second one commits, whether the first one is on disk or not; or "never". Prints "done" if it gets to
// the end.

/** A module as it was built: it loads in a fraction of the time of its sources, and this starts dozens of times. */
const built = async <Module>(name: string): Promise<Module> =>
  (await import(builtFile(name))) as Module;
const { createApp } = await built<typeof import('../../src/app.ts')>('app');
const { loadConfig } = await built<typeof import('../../src/config/config.ts')>('config/config');
const { termsOfTexts, cuesOfTexts } =
  await built<typeof import('../../src/indexer/read-texts.ts')>('indexer/read-texts');
const { drainJobs } = await built<typeof import('../../src/jobs/worker.ts')>('jobs/worker');
const { rulesInPlace } = await built<typeof import('../../src/language-threads/rules-in-place.ts')>(
  'language-threads/rules-in-place',
);
const { createExtractiveReasoner } = await built<
  typeof import('../../src/reasoner/extractive/extractive.ts')
>('reasoner/extractive/extractive');

const [folder = '', when = 'never', now = ''] = process.argv.slice(2);
const settings = { DATA_DIR: folder, EMBEDDER: 'none', LOG_LEVEL: 'silent' };
const config = { ...loadConfig(settings), debounce: {} };
const ctx = await createApp(config, {
  clock: () => new Date(now),
  // Without threads, so that it starts faster.
  builtInReasoner: createExtractiveReasoner({ embedder: null }),
  rules: rulesInPlace(),
  indexer: {
    terms: async (texts) => termsOfTexts(texts),
    cues: async (texts) => cuesOfTexts(texts),
    [Symbol.asyncDispose]: async () => {},
  },
});
// As the only process on its folder, it takes over the leases of its predecessor.
await ctx.deployment().jobs.release(null);

let writes = 0;
const { background } = ctx.db;
const { asUser } = background;
background.asUser = async (userId, work, options) => {
  let wrote = false;
  const note = ({ name, text }: Statement) => {
    // Writes to jobs and the trimming of events leave nothing for the next run to find done.
    const isIdle = /^(?:jobs-|events-trim)/.test(name);
    wrote ||= !isIdle && /\b(?:INSERT|UPDATE|DELETE)\b/.test(text);
  };
  const dieBeforeCommit = () => {
    if (wrote && when === 'before' && writes === 1) die();
  };
  const watched = (tx: Tx): Tx => ({
    ...tx,
    query: (statement, values) => {
      note(statement);
      return tx.query(statement, values);
    },
    queryAndCommit: (statement, values) => {
      note(statement);
      dieBeforeCommit();
      return tx.queryAndCommit(statement, values);
    },
  });
  const result = await asUser(
    userId,
    async (tx) => {
      const made = await work(watched(tx));
      dieBeforeCommit();
      return made;
    },
    options,
  );
  if (wrote) writes += 1;
  if (wrote && when === 'after') {
    await ctx.db.pool.query(`SELECT pg_logical_emit_message(true, 'test', 'flushed')`);
    die();
  }
  return result;
};

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  // Blocks the event loop, which must not turn again before the signal arrives.
  for (;;);
}

await drainJobs(ctx);
await ctx[Symbol.asyncDispose]();
process.stdout.write('done');
