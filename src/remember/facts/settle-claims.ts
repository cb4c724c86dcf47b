import type { Context } from '../../context.ts';
import type {
  Heard,
  NewFact,
  FactChanges as Saved,
  FactUpdate as Update,
} from '../../db/facts/facts.ts';
import type { EventDraft } from '../../domain/core/event.ts';
import { normalValue } from '../../domain/facts/fact-key.ts';
import {
  type Claim,
  type DatedFact,
  type FactChange,
  settleFacts,
} from '../../domain/facts/fact-timeline.ts';
import type { Memory } from '../../memory.ts';
import { logFactDecisions } from './log-fact-decisions.ts';

/** A claim, who found it, and in which turn; by hand in none. */
export type FoundClaim = Claim & {
  turnId: number | null;
  origin: NewFact['origin'];
  model: string | null;
  pinned?: boolean;
  /** What the turn itself says, where the claim was put in the words of a known fact. */
  own?: Pick<Claim, 'key' | 'value' | 'statement'>;
};

/**
 * Weighs claims against what is believed, and stores what comes of it with its events (requirements 9.10). What a turn was
 * heard to say already is not heard twice. The user's row must be locked.
 * @returns the changes, with the ids of the facts as text
 */
export async function settleClaims(
  ctx: Context,
  memory: Memory,
  claims: readonly FoundClaim[],
): Promise<FactChange<FoundClaim>[]> {
  const started = performance.now();
  const { now } = memory;
  const heard = await memory.facts.heard(claims.flatMap(({ turnId }) => turnId ?? []));
  const fresh = claims.filter((claim) => !heard.some((known) => isSaid(known, claim)));
  if (fresh.length === 0) return [];
  const held = await memory.facts.held({
    keys: fresh.flatMap(({ key }) => (key === null ? [] : keysOf(key))),
    values: fresh.flatMap(({ key, value }) => (key === null ? value.toLowerCase() : [])),
  });
  const { last } = await memory.facts.counters();
  let next = last;
  const newId = () => {
    next += 1;
    return String(next);
  };
  const settled = settleFacts(held, fresh, newId);
  await memory.facts.save(rowsOf(held, settled), now);
  const refused = settled.changes.flatMap((change) =>
    change.kind === 'refuse' && change.claim.turnId !== null
      ? [
          refusalOf(change.claim, {
            turnId: change.claim.turnId,
            reason: change.reason,
            by: change.by,
          }),
        ]
      : [],
  );
  if (refused.length > 0) await memory.facts.refuse(refused, now);
  const told = settled.changes.flatMap(eventOf);
  memory.record(told);
  const isNew = settled.changes.some(({ kind }) => kind === 'insert');
  const isByHand = fresh.some(({ origin }) => origin === 'HAND');
  if (told.length > 0 || isByHand) memory.changed('factsChanged');
  if (isNew) memory.changed('factsRecorded');
  memory.onCommit(() =>
    logFactDecisions(ctx, memory.userId, {
      changes: settled.changes,
      seconds: (performance.now() - started) / 1000,
    }),
  );
  return settled.changes;
}

const isSaid = (known: Heard, claim: FoundClaim): boolean =>
  known.turnId === claim.turnId && (isSameWords(known, claim) || isReadBefore(known, claim));

const isSameWords = (known: Heard, claim: FoundClaim): boolean =>
  known.polarity === claim.polarity &&
  known.key === claim.key &&
  normalValue(known.value) === normalValue(claim.value);

/** Read a second time, with its episode, a turn may be put in other words; only a pattern knows less than a reading. */
const isReadBefore = ({ origin, key, factId }: Heard, claim: FoundClaim): boolean =>
  origin !== null &&
  origin !== 'PATTERN' &&
  ((key !== null && key === claim.key) || factId === claim.factId);

/** What is done for pleasure is liked: both keys are one matter. */
const keysOf = (key: string): string[] => [
  key,
  key.replace(/^interest:/, 'preference:'),
  key.replace(/^preference:/, 'interest:'),
];

/** The rows of all changes, each fact's once, as it stands after them. */
export function rowsOf(
  held: readonly DatedFact[],
  { changes, facts }: { changes: readonly FactChange<FoundClaim>[]; facts: readonly DatedFact[] },
): Saved {
  const by = new Map<string, string>();
  const said = new Map<string, FoundClaim[]>();
  const first = new Map<string, FoundClaim>();
  for (const change of changes) {
    if (change.kind === 'close') by.set(change.id, change.by);
    if (change.kind === 'insert') first.set(change.id, change.claim);
    if (change.kind === 'insert' || change.kind === 'reinforce' || change.kind === 'extend') {
      said.set(change.id, [...(said.get(change.id) ?? []), change.claim]);
    }
  }
  const before = new Map(held.map((fact) => [fact.id, fact]));
  const idOf = (id: string | undefined) => (id === undefined ? null : Number(id));
  return {
    inserts: facts.flatMap((fact) => {
      const claim = first.get(fact.id);
      return claim
        ? [
            insertOf(fact, claim, {
              said: said.get(fact.id) ?? [],
              supersededById: idOf(by.get(fact.id)),
            }),
          ]
        : [];
    }),
    updates: facts.flatMap((fact) => {
      const old = before.get(fact.id);
      if (!old || (old === fact && !said.has(fact.id))) return [];
      return [
        updateOf(old, fact, {
          said: said.get(fact.id) ?? [],
          supersededById: idOf(by.get(fact.id)),
        }),
      ];
    }),
    sources: [...said].flatMap(([id, own]) =>
      own.flatMap((claim) =>
        claim.turnId === null ? [] : [sourceOf(Number(id), claim.turnId, claim)],
      ),
    ),
  };
}

function sourceOf(factId: number, turnId: number, claim: FoundClaim): Saved['sources'][number] {
  const { scope, confidence, importance, origin, model } = claim;
  const { key, value, statement } = claim.own ?? claim;
  return { factId, turnId, key, value, statement, scope, confidence, importance, origin, model };
}

const latest = (claims: readonly FoundClaim[]): Date =>
  new Date(Math.max(...claims.map(({ at }) => at.getTime())));

function insertOf(
  fact: DatedFact,
  claim: FoundClaim,
  { said, supersededById }: { said: readonly FoundClaim[]; supersededById: number | null },
): NewFact {
  const { scope, importance, pinned = false, origin, model } = claim;
  const told = { scope, importance, pinned, origin, model, supersededById };
  const seen = { mentions: said.length, lastVerifiedAt: latest(said) };
  return { ...fact, ...told, ...seen, id: Number(fact.id) };
}

function updateOf(
  old: DatedFact,
  fact: DatedFact,
  { said, supersededById }: { said: readonly FoundClaim[]; supersededById: number | null },
): Update {
  const isClosed = old.validTo?.getTime() !== fact.validTo?.getTime();
  const isExtended = old.validFrom.getTime() !== fact.validFrom.getTime();
  return {
    id: Number(fact.id),
    key: fact.key,
    change: isClosed ? 'CLOSED' : isExtended ? 'EXTENDED' : null,
    validFrom: fact.validFrom,
    validTo: fact.validTo,
    supersededById,
    confidence: fact.confidence,
    mentions: said.length,
    lastVerifiedAt: said.length > 0 ? latest(said) : null,
  };
}

const refusalOf = (
  { category, key, value, statement, polarity, confidence, importance, at }: FoundClaim,
  { turnId, reason, by }: { turnId: number; reason: string; by: string | null },
) => {
  const told = { category, key, value, statement, polarity, confidence, importance, at };
  return { ...told, turnId, reason, byFactId: by === null ? null : Number(by) };
};

/** Names of log lines, see docs/operations.md; a key may hold a name, so that only the category is told. */
function eventOf(change: FactChange<FoundClaim>): EventDraft[] {
  if (change.kind === 'insert') {
    const { category, polarity, confidence, model, origin } = change.claim;
    const by = model ?? origin.toLowerCase();
    const decision = `memory.create (${category}, ${polarity}, confidence ${confidence.toFixed(2)}, by ${by})`;
    return [{ kind: 'FACT_RECORDED', factId: Number(change.id), decision }];
  }
  if (change.kind === 'close') {
    const decision = `memory.update (fact ${change.by} took the place of fact ${change.id})`;
    return [{ kind: 'FACT_SUPERSEDED', factId: Number(change.id), decision }];
  }
  if (change.kind === 'refuse' && change.by !== null) {
    const decision = `memory.refuse (${change.reason} than fact ${change.by})`;
    return [{ kind: 'FACT_REFUSED', factId: Number(change.by), decision }];
  }
  return [];
}
