import type { FactChange } from '../../domain/facts/fact-timeline.ts';
import type { Memory } from '../../memory.ts';
import { STEPS } from '../../pipeline.ts';
import type { FoundCandidate } from './reconcile-facts.ts';

/** A fact's vector by an embedder, and the text that was embedded. */
export type EmbeddedFact = { embedder: string; text: string; vector: Float32Array };

/** The text of which a fact's vector is made, as in the kind's `rows` (db/kinds/facts/facts.ts). */
export const embeddedTextOf = ({
  category,
  statement,
}: Pick<FoundCandidate, 'category' | 'statement'>): string =>
  `${category.toLowerCase()}: ${statement}`;

/**
 * Stores the vectors by which new facts were compared, in the same transaction: the next candidates are then compared with
 * these facts, too. All other facts get theirs in the background.
 * @returns whether all new facts have one
 */
export async function saveFactVectors(
  memory: Memory,
  changes: readonly FactChange<FoundCandidate>[],
): Promise<boolean> {
  const added = changes.filter((change) => change.kind === 'insert');
  const made = added.flatMap(({ id, candidate }) => {
    const { embedded } = candidate;
    const text = embeddedTextOf(candidate);
    return embedded?.text === text ? [{ kind: 'FACT' as const, id: Number(id), ...embedded }] : [];
  });
  const embedder = made[0]?.embedder;
  const own = made.filter((one) => one.embedder === embedder);
  if (embedder) await memory.derivedVectors.save(STEPS.embedFacts, embedder, own);
  return own.length === added.length;
}
