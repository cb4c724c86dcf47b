import { z } from 'zod';
import { FACT_CATEGORIES, POLARITIES, type StoredFact } from '../../src/domain/facts/fact.ts';
import { ROLES } from '../../src/shared/role.ts';

const labelSchema = z.object({
  category: z.enum(FACT_CATEGORIES),
  polarity: z.enum(POLARITIES),
  value: z.string(),
  key: z.string().optional(),
});
const conversationSchema = z.object({
  id: z.string(),
  turns: z
    .array(
      z.object({
        role: z.enum(ROLES),
        speaker: z.string(),
        text: z.string(),
        occurredAt: z.string(),
      }),
    )
    .min(1),
  facts: z.array(labelSchema),
});
export type LabelledConversation = z.output<typeof conversationSchema>;
type Label = z.output<typeof labelSchema>;
export type LearnedFact = Pick<StoredFact, 'category' | 'key' | 'value' | 'statement' | 'polarity'>;

/** The mistakes in one conversation. */
export type EvaluatedConversation = {
  id: string;
  missed: Label[];
  extra: LearnedFact[];
  disagreeing: { label: Label; fact: LearnedFact }[];
};

/** Reads labelled conversations from JSON lines. @throws ZodError if a line has another shape */
export const parseFacts = (text: string): LabelledConversation[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => conversationSchema.parse(JSON.parse(line)));

const fold = (text: string): string => text.normalize('NFC').toLowerCase();

const matches = (fact: LearnedFact, label: Label): boolean =>
  fact.polarity === label.polarity &&
  (fold(fact.value).includes(fold(label.value)) ||
    fold(fact.statement).includes(fold(label.value)));

/** Pairs every label with one fact. Prefers a fact with the same key, then one of the same category. */
function pair(facts: readonly LearnedFact[], labels: readonly Label[]) {
  const free = new Set(facts);
  const pairs: { label: Label; fact: LearnedFact }[] = [];
  const missed: Label[] = [];
  for (const label of labels) {
    const fitting = [...free].filter((fact) => matches(fact, label));
    const fact =
      fitting.find(({ key }) => key === label.key) ??
      fitting.find(({ category }) => category === label.category) ??
      fitting[0];
    if (!fact) {
      missed.push(label);
      continue;
    }
    free.delete(fact);
    pairs.push({ label, fact });
  }
  return { pairs, missed, extra: [...free] };
}

const agrees = ({ label, fact }: { label: Label; fact: LearnedFact }): boolean =>
  label.category === fact.category && (label.key === undefined || label.key === fact.key);

const share = (part: number, whole: number): number => (whole === 0 ? 1 : part / whole);

/** Returns precision and recall of the facts that were learned, and the mistakes of each conversation. */
export function scoreFacts(
  learned: readonly { conversation: LabelledConversation; facts: readonly LearnedFact[] }[],
) {
  const paired = learned.map(({ conversation, facts }) => ({
    id: conversation.id,
    ...pair(facts, conversation.facts),
  }));
  const pairs = paired.flatMap((one) => one.pairs);
  const keyed = pairs.filter(({ label }) => label.key !== undefined);
  const found = pairs.length + paired.reduce((sum, { extra }) => sum + extra.length, 0);
  const labelled = pairs.length + paired.reduce((sum, { missed }) => sum + missed.length, 0);
  const precision = share(pairs.length, found);
  const recall = share(pairs.length, labelled);
  return {
    scores: {
      precision,
      recall,
      f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall),
      categoryAgreement: share(
        pairs.filter(({ label, fact }) => label.category === fact.category).length,
        pairs.length,
      ),
      keyAgreement: share(
        keyed.filter(({ label, fact }) => label.key === fact.key).length,
        keyed.length,
      ),
      labelled,
      found,
      matched: pairs.length,
      wrong: paired
        .filter(({ missed, extra }) => missed.length + extra.length > 0)
        .map(({ id }) => id),
    },
    results: paired.map(
      ({ id, missed, extra, pairs: matched }): EvaluatedConversation => ({
        id,
        missed,
        extra,
        disagreeing: matched.filter((one) => !agrees(one)),
      }),
    ),
  };
}
