import { z } from 'zod';
import type { MemoryContext, Needs } from '../../context.ts';
import { InvalidInput, NotFound } from '../../domain/core/errors.ts';
import { parse } from '../../domain/core/parse.ts';
import { isStorableTime, STORABLE_TIME } from '../../domain/core/storable-time.ts';
import { FACT_CATEGORIES, POLARITIES } from '../../domain/facts/fact.ts';
import { isSameSubject, subjectOf } from '../../domain/facts/fact-key.ts';
import {
  type DatedFact,
  type FactChange,
  reconcileFacts,
} from '../../domain/facts/fact-timeline.ts';
import { nonBlank } from '../../domain/turns/turn.ts';
import { rowsOf } from './fact-rows.ts';
import { type FoundCandidate, reconcileCandidates, storedKeysOf } from './reconcile-facts.ts';

/** The request that reports the changes of this file: see `requests.ts`. */
const EDITING = { request: 'editFact' } as const;

const text = (most: number) => z.string().trim().pipe(nonBlank(most));
const recordSchema = z.object({
  category: z.enum(FACT_CATEGORIES),
  key: nonBlank(200)
    .regex(/^[^\s:][^\s]*$/, 'must be words joined by ":" and "_", such as "profile:city"')
    .transform((key) => key.toLowerCase())
    .nullish(),
  value: text(500),
  statement: text(1_000).nullish(),
  polarity: z.enum(POLARITIES).default('POSITIVE'),
  scope: text(200).nullish(),
  importance: z.number().min(0.2).max(1).default(0.8),
  validFrom: z.date().refine(isStorableTime, STORABLE_TIME).nullish(),
  pinned: z.boolean().default(false),
});

/**
 * Records a fact by hand. From its `validFrom` on it supersedes contradicting facts; if the same is already believed, that fact
 * is confirmed or extended.
 * @returns the id of the fact that states it now
 * @throws InvalidInput
 */
export async function recordFact(
  ctx: MemoryContext & Needs<'logger' | 'metrics'>,
  userId: string,
  input: unknown,
): Promise<number> {
  const {
    key = null,
    statement,
    scope = null,
    validFrom,
    ...fields
  } = parse(recordSchema, input, 'input');
  const now = ctx.clock();
  const candidate = {
    ...fields,
    key,
    scope,
    statement: statement ?? (fields.polarity === 'NEGATIVE' ? `not ${fields.value}` : fields.value),
    action: 'NEW' as const,
    factId: null,
    confidence: 1,
    isCorrection: true,
    at: validFrom ?? now,
    turnId: null,
    origin: 'HAND' as const,
    model: null,
  };
  // reconcileCandidates reports the changes.
  return ctx.memory(userId).write(async (memory) => {
    const changes = await reconcileCandidates(ctx, memory, [candidate]);
    const stored = changes.find(({ kind }) => kind !== 'close' && kind !== 'rekey');
    if (!stored || !('id' in stored)) throw new Error('a fact by hand is never refused');
    const id = Number(stored.id);
    if (fields.pinned) await memory.facts.pin(id, true, now);
    return id;
  }, EDITING);
}

/**
 * Pins a fact, so that recall always shows it first, or unpins it.
 * @throws NotFound
 */
export async function pinFact(
  ctx: MemoryContext,
  userId: string,
  { id, pinned }: { id: number; pinned: boolean },
): Promise<void> {
  await ctx.memory(userId).write(async (memory) => {
    const rows = await memory.facts.pin(id, pinned, memory.now);
    if (rows.length === 0) throw new NotFound('fact');
    memory.changed('factsChanged');
  }, EDITING);
}

/**
 * Retracts a fact: it is no longer believed to have been valid at any time. What it had ended holds again, up to the end of the
 * retracted fact, or to the beginning of the next believed fact under the same key if that is earlier. What was believed
 * before stays on record. What was refused because of the fact is read again.
 * @throws NotFound
 */
export async function retractFact(ctx: MemoryContext, userId: string, id: number): Promise<void> {
  await ctx.memory(userId).write(async (memory) => {
    const fact = await memory.facts.find(id);
    if (!fact) throw new NotFound('fact');
    if (fact.isRetracted) return;
    const held = await memory.facts.heldBefore(id);
    await memory.facts.retract(id, memory.now);
    await memory.facts.liftRefusals(id);
    if (held.length > 0) await memory.facts.restore(held, memory.now);
    const decision = `memory.retract (fact ${id}, by hand)`;
    memory.record({ kind: 'FACT_RETRACTED', factId: id, decision });
    for (const again of held) {
      const why = `memory.restore (fact ${again.id}, as fact ${id} was retracted)`;
      memory.record({ kind: 'FACT_RESTORED', factId: again.id, decision: why });
    }
    memory.changed('factsChanged');
  }, EDITING);
}

/**
 * Undoes a retraction: the fact is valid again from its former beginning, until a later fact supersedes it. A contradicting fact
 * that was true at that beginning ends there.
 * @throws NotFound, InvalidInput if a fact that was true at that beginning says the same
 */
export async function restoreFact(ctx: MemoryContext, userId: string, id: number): Promise<void> {
  await ctx.memory(userId).write(async (memory) => {
    const fact = await memory.facts.find(id);
    if (!fact) throw new NotFound('fact');
    if (!fact.isRetracted) return;
    const { now } = memory;
    const storedFacts = await memory.facts.stored({
      keys: fact.key === null ? [] : storedKeysOf(fact.key),
      values: [fact.value.toLowerCase()],
    });
    const candidate = {
      ...fact,
      action: 'NEW' as const,
      factId: null,
      isCorrection: true,
      // Certain, so that it is not refused; neither value is stored.
      importance: 1,
      confidence: 1,
      at: fact.validFrom,
      turnId: null,
      origin: 'HAND' as const,
      model: null,
    };
    // Reconciled as if it were new, under its old id.
    const reconciled = reconcileFacts(storedFacts, [candidate], () => String(id));
    if (reconciled.changes.some(({ kind }) => kind === 'reinforce')) {
      const message =
        'cannot be restored: another fact that is believed says the same of that time';
      throw new InvalidInput([{ path: 'factId', message }]);
    }
    const closed = rowsOf(storedFacts, reconciled).updates.filter(
      ({ change }) => change === 'CLOSED',
    );
    // Also where reconciling extended another fact instead: this one ended them.
    const updates = closed.map((update) => ({ ...update, supersededById: id }));
    await memory.facts.save({ updates, inserts: [], sources: [] }, now);
    await memory.facts.restore([{ id, ...endOf(fact, reconciled.changes, storedFacts) }], now);
    const decision = `memory.restore (fact ${id}, by hand)`;
    memory.record({ kind: 'FACT_RESTORED', factId: id, decision });
    memory.changed('factsChanged');
  }, EDITING);
}

/** When a restored fact ends, and which fact follows it: the next one on the same subject, even if it says the same. */
function endOf(
  fact: Pick<DatedFact, 'category' | 'key' | 'value'>,
  changes: readonly FactChange<FoundCandidate>[],
  storedFacts: readonly DatedFact[],
): { validTo: Date | null; heir: number | null } {
  const extended = changes.find((change) => change.kind === 'extend');
  const inserted = changes.find((change) => change.kind === 'insert');
  const extendedFact = storedFacts.find(({ id }) => id === extended?.id);
  const validTo = extendedFact?.validFrom ?? inserted?.validTo ?? null;
  const subject = subjectOf(fact);
  const next = storedFacts.find(
    (other) =>
      other.validFrom.getTime() === validTo?.getTime() && isSameSubject(subjectOf(other), subject),
  );
  return { validTo, heir: next ? Number(next.id) : null };
}
