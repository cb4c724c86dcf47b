import type { Scored, ScoredMemory, ScoredTurn } from '../../domain/ranking/scored.ts';
import { keysOf } from '../../shared/keys-of.ts';
import { builder } from '../core/builder.ts';

type Part = keyof ScoredTurn['parts'] | keyof ScoredMemory['parts'];

const PARTS: Readonly<Record<Part, string>> = {
  bm25: 'Keyword score (BM25), of a turn with its neighbours.',
  vector: 'Semantic similarity, of a turn with its neighbours.',
  segmentSummary: 'Semantic similarity of the summary of its segment.',
  speaker: 'The query names the speaker.',
  question: 'Negative if the turn contains a question.',
  reply: 'Negative if an assistant or a tool said it, unless the query asks for that.',
  time: 'The query asks for a time and the turn names one.',
  length: 'The length of the turn: longer ones score higher.',
  date: 'The turn was said on the date that the query names.',
  range: 'It lies in the time span that the query names, and other turns were searched, too.',
  thread: "How many of the query's words occur in its thread, where rare words count more.",
  recency: 'How recent an episode or fact is.',
  importance: "A fact's importance.",
  pinned: 'The fact is pinned.',
};

/** The name of a part in the graph: `segmentSummary` → SEGMENT_SUMMARY. */
const partName = (part: string): string => part.replace(/[A-Z]/g, '_$&').toUpperCase();

const ScorePartName = builder.enumType('ScorePartName', {
  description: 'The parts of a score. With RECALL_FUSION=rrf only BM25 and VECTOR count.',
  values: Object.fromEntries(
    keysOf(PARTS).map((part) => [partName(part), { value: part, description: PARTS[part] }]),
  ),
});

const ScorePart = builder.objectRef<{ name: Part; value: number }>('ScorePart').implement({
  description: 'One part of a score; the parts add up to `RecallExplanation.fused`.',
  fields: (t) => ({
    name: t.expose('name', { type: ScorePartName, description: 'Which part it is.' }),
    value: t.exposeFloat('value', {
      description: 'What the part adds to `RecallExplanation.fused`, weight included.',
    }),
  }),
});

export const Explanation = builder.objectRef<Scored>('RecallExplanation').implement({
  description: "How a hit's score came about: the sum of `parts` × `forgetting` × `kindWeight`.",
  fields: (t) => ({
    parts: t.field({
      type: [ScorePart],
      description: 'The weighted parts of the score.',
      resolve: ({ parts }) => {
        const all: Partial<Record<Part, number>> = parts;
        return keysOf(all).map((name) => ({ name, value: all[name] ?? 0 }));
      },
    }),
    fused: t.float({
      description: "The sum of `parts`, before forgetting and the kind's weight.",
      resolve: ({ parts }) => Object.values(parts).reduce((sum, value) => sum + value, 0),
    }),
    retrievability: t.exposeFloat('retrievability', {
      nullable: true,
      description:
        'The probability that the memory is still recalled at `asOf`, by FSRS, 0-1. A turn has that of its ' +
        'closed segment. Null for what does not fade.',
    }),
    forgetting: t.exposeFloat('forgetting', {
      description:
        'The factor by which fading reduces the score: `retrievability`, but not below a floor.',
    }),
    kindWeight: t.exposeFloat('kindWeight', {
      description:
        "The weight of the hit's kind, which depends on whether the query asks for earlier conversation.",
    }),
    bm25: t.exposeFloat('bm25', {
      description: 'The BM25 score; for a turn it includes the neighbouring turns.',
    }),
    bm25Rank: t.exposeInt('bm25Rank', {
      nullable: true,
      description:
        'Rank by BM25 among the candidates of its kind, from 1; null if it contains no word of the query.',
    }),
    similarity: t.exposeFloat('similarity', {
      nullable: true,
      description: 'Cosine similarity to the query, −1 to 1; null if it has no vector.',
    }),
    vectorRank: t.exposeInt('vectorRank', {
      nullable: true,
      description:
        'Rank by similarity, of a turn with its neighbours, among the candidates of its kind, from 1; null without vectors.',
    }),
  }),
});
