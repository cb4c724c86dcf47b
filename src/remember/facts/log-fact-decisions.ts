import type { Needs } from '../../context.ts';
import type { FactChange } from '../../domain/facts/fact-timeline.ts';
import type { FoundCandidate } from './reconcile-facts.ts';

type Decision = FactChange<FoundCandidate>;

/** How many candidates led to each kind of change. */
export type ChangeCount = {
  recorded: number;
  /** How many of the recorded ones superseded another fact. */
  superseding: number;
  /** Stored facts that were stated again. */
  reinforced: number;
  refused: number;
};

export function countChanges(changes: readonly Decision[]): ChangeCount {
  const closing = new Set(changes.flatMap((change) => (change.kind === 'close' ? change.by : [])));
  const count = (...kinds: Decision['kind'][]) =>
    changes.filter(({ kind }) => kinds.includes(kind)).length;
  return {
    recorded: count('insert'),
    superseding: changes.filter((one) => one.kind === 'insert' && closing.has(one.id)).length,
    reinforced: count('reinforce', 'extend'),
    refused: count('refuse'),
  };
}

/**
 * Writes decisions about facts to the log and the metrics, under the names in docs/operations.md. Keys are left out, because
 * they may contain names of persons.
 */
export function logFactDecisions(
  { logger, metrics }: Needs<'logger' | 'metrics'>,
  userId: string,
  { changes, seconds }: { changes: readonly Decision[]; seconds: number },
): void {
  for (const change of changes) {
    if (change.kind !== 'insert') continue;
    const { category, polarity, confidence, origin, turnId } = change.candidate;
    const fact = { fact: Number(change.id), category, polarity, confidence, origin, turn: turnId };
    const replaces = changes.flatMap((other) =>
      other.kind === 'close' && other.by === change.id ? Number(other.id) : [],
    );
    const isUpdate = replaces.length > 0;
    metrics.fact(isUpdate ? 'updated' : 'created', category);
    if (isUpdate) logger.info({ userId, ...fact, replaces }, 'memory.update');
    else logger.info({ userId, ...fact }, 'memory.create');
  }
  metrics.decided('semantic', seconds);
  logger.info({ userId, ...countChanges(changes) }, 'memory.decide');
}
