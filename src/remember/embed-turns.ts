import type { Context } from '../context.ts';
import { ErasedMeanwhile } from '../domain/errors.ts';
import type { StepOutcome } from '../domain/job.ts';
import { comparedTurns } from '../domain/linking.ts';
import { KEEP_FORMER } from './drop-vectors.ts';
import { type Embedded, embedTexts } from './embed-texts.ts';

type Tx = Parameters<Parameters<Context['db']['asUser']>[1]>[0];
type Pending = Awaited<ReturnType<Context['store']['indexProgress']['pending']>>;

const BATCH = { turns: 64, characters: 100_000 };

/**
 * Gives a user's turns their vectors, a small batch at a time, behind any waiting query: new turns,
 * and all of them after a change of the embedder. A turn that the model refuses for good is passed over.
 * @throws ModelUnavailable while the model's server cannot be asked
 */
export async function embedTurns(ctx: Context, userId: string): Promise<StepOutcome> {
  const { embedder } = ctx;
  if (!embedder) return 'done';
  const { indexProgress, vectorIndex } = ctx.store;
  const identity = await embedder.identify();
  const { name } = identity;
  const most = { ...BATCH, turns: Math.max(BATCH.turns, ctx.config.embedding.server?.batch ?? 0) };
  const pending = await ctx.db.asUser(userId, async (tx) => {
    const found = await indexProgress.pending(tx, userId, vectorIndex.nameOf(name), most);
    if (found.turns.length === 0) await finish(ctx, tx, userId, identity);
    return found;
  });
  if (pending.turns.length === 0) return 'done';
  const texts = pending.turns.map((turn) => turn.text);
  const embedded = await embedTexts(embedder, userId, texts);
  await ctx.db.asUser(userId, async (tx) => {
    await save(ctx, tx, userId, name, pending, embedded);
    await ctx.store.links.wake(tx, userId, comparedTurns(ctx.reasoner.generatedBy), ctx.clock());
    if (!pending.more) await finish(ctx, tx, userId, identity);
  });
  ctx.announcer.announce(userId);
  ctx.logger.debug({ userId, turns: pending.turns.length }, 'turns.embed');
  // Turns that came meanwhile have woken the step once more.
  return pending.more ? 'again' : 'done';
}

async function save(
  ctx: Context,
  tx: Tx,
  userId: string,
  name: string,
  pending: Pending,
  embedded: readonly Embedded[],
): Promise<void> {
  const { indexProgress, vectorIndex, vectors, events } = ctx.store;
  const ids = pending.turns.map((turn) => turn.id);
  const [firstTurnId = 0, lastTurnId = firstTurnId] = [ids.at(0), ids.at(-1)];
  const index = vectorIndex.nameOf(name);
  // In the order in which drop-vectors locks them.
  await vectorIndex.contest(tx, userId, name);
  if (!(await indexProgress.advance(tx, userId, index, pending, lastTurnId))) {
    throw new ErasedMeanwhile();
  }
  const made = embedded.flatMap((result, place) =>
    'vector' in result ? [{ id: ids[place] as number, vector: result.vector }] : [],
  );
  await vectors.insert(
    tx,
    userId,
    name,
    made.map(({ id }) => id),
    made.map(({ vector }) => vector),
  );
  const refused = embedded.flatMap((result, place) =>
    'refusal' in result ? [{ turnId: ids[place] as number, reason: result.refusal }] : [],
  );
  const [first] = refused;
  const skipped = first ? `, skipped ${refused.length}: ${first.reason}` : '';
  await events.append(
    tx,
    userId,
    {
      kind: 'TURNS_INDEXED',
      firstTurnId,
      lastTurnId,
      decision: `turns.index (${made.length} by ${name}${skipped})`,
      ...(first ? { details: { skipped: refused.map(({ turnId }) => turnId).join(' ') } } : {}),
    },
    ctx.clock(),
  );
  if (first) ctx.logger.warn({ userId, embedder: name, refused }, 'turns.embed_refused');
}

/**
 * The vectors are complete: of a large memory they go into the index. Those of former embedders can go, a little later, and
 * episodes and facts get theirs.
 */
async function finish(
  ctx: Context,
  tx: Tx,
  userId: string,
  { name, dimension }: { name: string; dimension: number },
): Promise<void> {
  const { vectorIndex, jobs, hnsw } = ctx.store;
  const now = ctx.clock();
  const { turns } = await hnsw.state(tx, userId, name, dimension);
  if (turns >= ctx.config.recall.hnswFrom) {
    await jobs.add(tx, userId, { step: 'build-hnsw', subject: 0, runAt: now });
  }
  // An import has planned it, for when its turns have theirs.
  await jobs.hurry(tx, userId, { step: 'embed-episodes', subject: 0, runAt: now });
  if (!(await vectorIndex.hasFormer(tx, userId, name))) return;
  await jobs.add(tx, userId, { step: 'embed-episodes', subject: 0, runAt: now });
  await jobs.add(tx, userId, { step: 'embed-facts', subject: 0, runAt: now });
  await vectorIndex.makeCurrent(tx, userId, name, now);
  const runAt = new Date(now.getTime() + KEEP_FORMER);
  await jobs.add(tx, userId, { step: 'drop-vectors', subject: 0, runAt });
}
