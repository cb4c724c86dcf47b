import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config/config.ts';
import type { Tx } from '../../src/db/core/database.ts';
import { termsOfTexts } from '../../src/indexer/terms-of-texts.ts';
import { drainJobs } from '../../src/jobs/worker.ts';
import { rulesInPlace } from '../../src/language-threads/rules-in-place.ts';
import { createExtractiveReasoner } from '../../src/reasoner/extractive/extractive.ts';

// Works off what is pending in a data folder, and kills itself: "after" the first transaction that writes, before its
// step is noted as done; "before" the second one commits; or "never". Says "done" if it got to the end.

const [folder = '', when = 'never', now = ''] = process.argv.slice(2);
const settings = { DATA_DIR: folder, EMBEDDER: 'none', LOG_LEVEL: 'silent' };
const config = { ...loadConfig(settings), debounce: {} };
const ctx = await createApp(config, {
  clock: () => new Date(now),
  // Without threads: what is killed has begun sooner.
  builtInReasoner: createExtractiveReasoner({ embedder: null }),
  rules: rulesInPlace(),
  indexer: { terms: async (texts) => termsOfTexts(texts), [Symbol.asyncDispose]: async () => {} },
});
// As the only process on its folder, it takes over what another one left behind.
await ctx.deployment().jobs.release(null);

let writes = 0;
const { background } = ctx.db;
const { asUser } = background;
background.asUser = async (userId, work, options) => {
  let wrote = false;
  const watched = (tx: Tx): Tx => ({
    ...tx,
    query: (statement, values) => {
      // Jobs and the clearing of old events leave nothing that the next run would find done.
      const isIdle = /^(?:jobs-|events-trim)/.test(statement.name);
      wrote ||= !isIdle && /\b(?:INSERT|UPDATE|DELETE)\b/.test(statement.text);
      return tx.query(statement, values);
    },
  });
  const result = await asUser(
    userId,
    async (tx) => {
      const made = await work(watched(tx));
      if (wrote && when === 'before' && writes === 1) die();
      return made;
    },
    options,
  );
  if (wrote) writes += 1;
  if (wrote && when === 'after') die();
  return result;
};

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  // The signal has come by the next turn of the event loop, which there must not be.
  for (;;);
}

await drainJobs(ctx);
await ctx[Symbol.asyncDispose]();
process.stdout.write('done');
