import type { NewFact, FactChanges as Saved, FactUpdate as Update } from '../../db/facts/facts.ts';
import type { DatedFact, FactChange } from '../../domain/facts/fact-timeline.ts';
import type { FoundCandidate } from './reconcile-facts.ts';

/** The rows to store for all changes, one per fact, in its final state. */
export function rowsOf(
  storedFacts: readonly DatedFact[],
  {
    changes,
    facts,
  }: { changes: readonly FactChange<FoundCandidate>[]; facts: readonly DatedFact[] },
): Saved {
  const supersededBy = new Map<string, string>();
  const statements = new Map<string, FoundCandidate[]>();
  const inserted = new Map<string, FoundCandidate>();
  for (const change of changes) {
    if (change.kind === 'close') supersededBy.set(change.id, change.by);
    if (change.kind === 'insert') {
      inserted.set(change.id, change.candidate);
      if (change.by !== null) supersededBy.set(change.id, change.by);
    }
    if (change.kind === 'insert' || change.kind === 'reinforce' || change.kind === 'extend') {
      statements.set(change.id, [...(statements.get(change.id) ?? []), change.candidate]);
    }
  }
  const before = new Map(storedFacts.map((fact) => [fact.id, fact]));
  const idOf = (id: string | undefined) => (id === undefined ? null : Number(id));
  return {
    inserts: facts.flatMap((fact) => {
      const candidate = inserted.get(fact.id);
      return candidate
        ? [
            insertOf(fact, candidate, {
              statements: statements.get(fact.id) ?? [],
              supersededById: idOf(supersededBy.get(fact.id)),
            }),
          ]
        : [];
    }),
    updates: facts.flatMap((fact) => {
      const old = before.get(fact.id);
      if (!old || (old === fact && !statements.has(fact.id))) return [];
      return [
        updateOf(old, fact, {
          statements: statements.get(fact.id) ?? [],
          supersededById: idOf(supersededBy.get(fact.id)),
        }),
      ];
    }),
    sources: [...statements].flatMap(([id, stating]) =>
      stating.flatMap((candidate) =>
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
  {
    statements,
    supersededById,
  }: { statements: readonly FoundCandidate[]; supersededById: number | null },
): NewFact {
  const { scope, importance, pinned = false, origin, model } = candidate;
  const fields = { scope, importance, pinned, origin, model, supersededById };
  const seen = { mentions: statements.length, lastVerifiedAt: latest(statements) };
  return { ...fact, ...fields, ...seen, id: Number(fact.id) };
}

function updateOf(
  old: DatedFact,
  fact: DatedFact,
  {
    statements,
    supersededById,
  }: { statements: readonly FoundCandidate[]; supersededById: number | null },
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
    mentions: statements.length,
    lastVerifiedAt: statements.length > 0 ? latest(statements) : null,
    byHand: byHandOf(statements),
  };
}

/** How a person put a fact. From then on the fact is that person's, and needs no turn. */
function byHandOf(statements: readonly FoundCandidate[]): Update['byHand'] {
  const given = statements.findLast(({ origin }) => origin === 'HAND');
  if (!given) return null;
  const { value, statement, scope } = given;
  return { value, statement, scope };
}
