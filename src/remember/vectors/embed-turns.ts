import type { MemoryContext, Needs } from '../../context.ts';
import type { Pending } from '../../db/vectors/index-progress.ts';
import { Overtaken } from '../../domain/core/errors.ts';
import type { StepOutcome } from '../../domain/core/job.ts';
import { vectorIndexName } from '../../domain/core/vector.ts';
import { comparedTurns } from '../../domain/links/linking.ts';
import type { Memory } from '../../memory.ts';
import { KEEP_FORMER } from './drop-vectors.ts';
import { type EmbeddedText, embedTexts } from './embed-texts.ts';

/** Few characters, so that long turns do not hold the lane for long while the embedder gives way to requests. */
const BATCH = { turns: 64, characters: 30_000 };

/**
 * Gives a user's turns their vectors, a small batch at a time, behind any waiting query: new turns,
 * and all of them after a change of the embedder. A turn that the model refuses for good is passed over.
 * @throws ModelUnavailable while the model's server cannot be asked
 */
export async function embedTurns(
  ctx: MemoryContext & Needs<'reasoner' | 'logger'>,
  userId: string,
): Promise<StepOutcome> {
  const { embedder } = ctx;
  if (!embedder) return 'done';
  const identity = await embedder.identify();
  const { name } = identity;
  const most = { ...BATCH, turns: Math.max(BATCH.turns, ctx.config.embedding.server?.batch ?? 0) };
  const pending = await ctx.memory(userId).write(
    async (memory) => {
      const found = await memory.indexProgress.pending(vectorIndexName(name), most);
      if (found.turns.length === 0) await finish(ctx, memory, identity);
      return found;
    },
    { lock: false, readsFirst: true },
  );
  if (pending.turns.length === 0) return 'done';
  const texts = pending.turns.map((turn) => turn.text);
  const embedded = await embedTexts({ ...ctx, embedder }, userId, texts);
  await ctx.memory(userId).write(
    async (memory) => {
      await Promise.all([
        save(ctx, memory, { name, pending, embedded }),
        memory.links.noteUnseen(comparedTurns(ctx.reasoner.generatedBy)),
        pending.more ? null : finish(ctx, memory, identity),
      ]);
    },
    { lock: false, since: pending.epoch },
  );
  ctx.logger.debug({ userId, turns: pending.turns.length }, 'turns.embed');
  // Turns that came meanwhile have triggered the step once more.
  return pending.more ? 'again' : 'done';
}

async function save(
  ctx: Needs<'logger'>,
  memory: Memory,
  {
    name,
    pending,
    embedded,
  }: { name: string; pending: Pending; embedded: readonly EmbeddedText[] },
): Promise<void> {
  const ids = pending.turns.map((turn) => turn.id);
  const [firstTurnId = 0, lastTurnId = firstTurnId] = [ids.at(0), ids.at(-1)];
  const index = vectorIndexName(name);
  const made = embedded.flatMap((result, place) =>
    'vector' in result ? [{ id: ids[place] as number, vector: result.vector }] : [],
  );
  const [, isAdvanced] = await Promise.all([
    // In the order in which drop-vectors locks them.
    memory.vectorIndex.contest(name),
    memory.indexProgress.advance(index, pending, lastTurnId),
    memory.turnVectors.insert(
      name,
      made.map(({ id }) => id),
      made.map(({ vector }) => vector),
    ),
  ]);
  if (!isAdvanced) throw new Overtaken();
  const refused = embedded.flatMap((result, place) =>
    'refusal' in result ? [{ turnId: ids[place] as number, reason: result.refusal }] : [],
  );
  const [first] = refused;
  const skipped = first ? `, skipped ${refused.length}: ${first.reason}` : '';
  memory.record({
    kind: 'TURNS_EMBEDDED',
    firstTurnId,
    lastTurnId,
    decision: `turns.embed (${made.length} by ${name}${skipped})`,
    ...(first ? { details: { skipped: refused.map(({ turnId }) => turnId).join(' ') } } : {}),
  });
  if (first)
    ctx.logger.warn({ userId: memory.userId, embedder: name, refused }, 'turns.embed_refused');
}

/**
 * The vectors are complete: of a large memory they go into the index. Those of former embedders can go, a little later, and
 * episodes and facts get theirs.
 */
async function finish(
  ctx: Needs<'config'>,
  memory: Memory,
  { name, dimension }: { name: string; dimension: number },
): Promise<void> {
  const { now } = memory;
  const { turns } = await memory.hnsw.state(name, dimension);
  if (turns >= ctx.config.recall.hnswFrom) {
    memory.changed('memoryBecameLarge');
  }
  // An import or a server that has an embedder now has planned it, for when the turns have theirs.
  memory.changed('vectorsCompleted');
  if (!(await memory.vectorIndex.hasFormer(name))) return;
  memory.changed('embedderChanged');
  await memory.vectorIndex.makeCurrent(name, now);
  memory.changed('formerVectorsObsolete', 0, new Date(now.getTime() + KEEP_FORMER));
}
