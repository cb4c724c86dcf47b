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
  type DatedCandidate,
  type DatedFact,
  type FactChange,
  reconcileFacts,
} from '../../domain/facts/fact-timeline.ts';
import type { Memory } from '../../memory.ts';
import { logFactDecisions } from './log-fact-decisions.ts';

/** A candidate, who found it, and in which turn; by hand in none. */
export type FoundCandidate = DatedCandidate & {
  turnId: number | null;
  origin: NewFact['origin'];
  model: string | null;
  pinned?: boolean;
  /** What the turn itself says, where the candidate was put in the words of a known fact. */
  own?: Pick<DatedCandidate, 'key' | 'value' | 'statement'>;
};

/**
 * Weighs candidates against what is believed, and stores what comes of it with its events (requirements 9.10). What a turn was
 * heard to say already is not heard twice. The user's row must be locked.
 * @returns the changes, with the ids of the facts as text
 */
export async function reconcileCandidates(
  ctx: Context,
  memory: Memory,
  candidates: readonly FoundCandidate[],
): Promise<FactChange<FoundCandidate>[]> {
  const started = performance.now();
  const { now } = memory;
  const heard = await memory.facts.heard(candidates.flatMap(({ turnId }) => turnId ?? []));
  const fresh = candidates.filter((candidate) => !heard.some((known) => isSaid(known, candidate)));
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
  const reconciled = reconcileFacts(held, fresh, newId);
  await memory.facts.save(rowsOf(held, reconciled), now);
  const refused = reconciled.changes.flatMap((change) =>
    change.kind === 'refuse' && change.candidate.turnId !== null
      ? [
          refusalOf(change.candidate, {
            turnId: change.candidate.turnId,
            reason: change.reason,
            by: change.by,
          }),
        ]
      : [],
  );
  if (refused.length > 0) await memory.facts.refuse(refused, now);
  const told = reconciled.changes.flatMap(eventOf);
  memory.record(told);
  const isNew = reconciled.changes.some(({ kind }) => kind === 'insert');
  const isByHand = fresh.some(({ origin }) => origin === 'HAND');
  if (told.length > 0 || isByHand) memory.changed('factsChanged');
  if (isNew) memory.changed('factsRecorded');
  memory.onCommit(() =>
    logFactDecisions(ctx, memory.userId, {
      changes: reconciled.changes,
      seconds: (performance.now() - started) / 1000,
    }),
  );
  return reconciled.changes;
}

const isSaid = (known: Heard, candidate: FoundCandidate): boolean =>
  known.turnId === candidate.turnId &&
  (isSameWords(known, candidate) || isReadBefore(known, candidate));

const isSameWords = (known: Heard, candidate: FoundCandidate): boolean =>
  known.polarity === candidate.polarity &&
  known.key === candidate.key &&
  normalValue(known.value) === normalValue(candidate.value);

/** Read a second time, with its episode, a turn may be put in other words; only a pattern knows less than a reading. */
const isReadBefore = ({ origin, key, factId }: Heard, candidate: FoundCandidate): boolean =>
  origin !== null &&
  origin !== 'PATTERN' &&
  ((key !== null && key === candidate.key) || factId === candidate.factId);

/** What is done for pleasure is liked: both keys are one matter. */
const keysOf = (key: string): string[] => [
  key,
  key.replace(/^interest:/, 'preference:'),
  key.replace(/^preference:/, 'interest:'),
];

/** The rows of all changes, each fact's once, as it stands after them. */
export function rowsOf(
  held: readonly DatedFact[],
  {
    changes,
    facts,
  }: { changes: readonly FactChange<FoundCandidate>[]; facts: readonly DatedFact[] },
): Saved {
  const by = new Map<string, string>();
  const said = new Map<string, FoundCandidate[]>();
  const first = new Map<string, FoundCandidate>();
  for (const change of changes) {
    if (change.kind === 'close') by.set(change.id, change.by);
    if (change.kind === 'insert') first.set(change.id, change.candidate);
    if (change.kind === 'insert' || change.kind === 'reinforce' || change.kind === 'extend') {
      said.set(change.id, [...(said.get(change.id) ?? []), change.candidate]);
    }
  }
  const before = new Map(held.map((fact) => [fact.id, fact]));
  const idOf = (id: string | undefined) => (id === undefined ? null : Number(id));
  return {
    inserts: facts.flatMap((fact) => {
      const candidate = first.get(fact.id);
      return candidate
        ? [
            insertOf(fact, candidate, {
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
      own.flatMap((candidate) =>
        candidate.turnId === null ? [] : [sourceOf(Number(id), candidate.turnId, candidate)],
      ),
    ),
  };
}

function sourceOf(
  factId: number,
  turnId: number,
  candidate: FoundCandidate,
): Saved['sources'][number] {
  const { scope, confidence, importance, origin, model } = candidate;
  const { key, value, statement } = candidate.own ?? candidate;
  return { factId, turnId, key, value, statement, scope, confidence, importance, origin, model };
}

const latest = (candidates: readonly FoundCandidate[]): Date =>
  new Date(Math.max(...candidates.map(({ at }) => at.getTime())));

function insertOf(
  fact: DatedFact,
  candidate: FoundCandidate,
  { said, supersededById }: { said: readonly FoundCandidate[]; supersededById: number | null },
): NewFact {
  const { scope, importance, pinned = false, origin, model } = candidate;
  const told = { scope, importance, pinned, origin, model, supersededById };
  const seen = { mentions: said.length, lastVerifiedAt: latest(said) };
  return { ...fact, ...told, ...seen, id: Number(fact.id) };
}

function updateOf(
  old: DatedFact,
  fact: DatedFact,
  { said, supersededById }: { said: readonly FoundCandidate[]; supersededById: number | null },
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
  { category, key, value, statement, polarity, confidence, importance, at }: FoundCandidate,
  { turnId, reason, by }: { turnId: number; reason: string; by: string | null },
) => {
  const told = { category, key, value, statement, polarity, confidence, importance, at };
  return { ...told, turnId, reason, byFactId: by === null ? null : Number(by) };
};

/** Names of log lines, see docs/operations.md; a key may hold a name, so that only the category is told. */
function eventOf(change: FactChange<FoundCandidate>): EventDraft[] {
  if (change.kind === 'insert') {
    const { category, polarity, confidence, model, origin } = change.candidate;
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
