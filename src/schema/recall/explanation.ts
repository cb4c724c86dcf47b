import { MEMORY_WEIGHTS } from '../../domain/ranking/memory-ranking.ts';
import type { Scored, ScoredMemory, ScoredTurn } from '../../domain/ranking/scored.ts';
import { keysOf } from '../../shared/keys-of.ts';
import { builder } from '../core/builder.ts';

type Part = keyof ScoredTurn['parts'] | keyof ScoredMemory['parts'];

const PARTS: Readonly<Record<Part, string>> = {
  bm25: 'Keyword score (BM25); that of a turn includes the two turns on either side of it.',
  vector:
    'Semantic similarity to the query; that of a turn includes the two turns on either side of it.',
  segmentSummary: 'Semantic similarity of the summary of the closed segment that the turn is in.',
  speaker: "The query contains a word of the speaker's name.",
  question: 'Negative: the turn contains a question, which seldom answers one.',
  reply: 'Negative: an assistant or a tool said it, and the query does not ask for that.',
  time: 'The query asks for a time and the turn names one.',
  length: 'The length of the turn: longer ones score higher.',
  date: 'The turn was said on the date that the query names.',
  range: 'It lies in the time span that the query names, and other times were searched, too.',
  thread: "How many of the query's words occur in its thread, where rare words count more.",
  recency: 'How recently an episode ended, or a fact was last stated.',
  importance: 'How important the fact is, by its `importance`.',
  pinned: 'The fact is pinned.',
};

/** The name of a part in the graph: `segmentSummary` → SEGMENT_SUMMARY. */
const partName = (part: string): string => part.replace(/[A-Z]/g, '_$&').toUpperCase();

const ScorePartName = builder.enumType('ScorePartName', {
  description:
    'The parts of a score; a kind of memory has only some of them. With RECALL_FUSION=rrf only BM25 and VECTOR count, by ranks.',
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
  description: 'How a score came about: `fused` × `forgetting` × `kindWeight`.',
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
      description: 'The sum of the values of `parts`.',
      resolve: ({ parts }) => Object.values(parts).reduce((sum, value) => sum + value, 0),
    }),
    retrievability: t.exposeFloat('retrievability', {
      nullable: true,
      description:
        'The probability that the memory is still recalled at `asOf`, by FSRS, 0-1. A turn has that of its closed segment, as ' +
        'if every segment were an episode. Null for what does not fade.',
    }),
    forgetting: t.exposeFloat('forgetting', {
      description:
        `The factor by which fading reduces the score: \`retrievability\`, but at least ${MEMORY_WEIGHTS.turnFloor} for a turn ` +
        `and ${MEMORY_WEIGHTS.floor} for an episode; 1 for what does not fade.`,
    }),
    kindWeight: t.exposeFloat('kindWeight', {
      description:
        'The weight of its kind of memory, which depends on whether the query asks for earlier conversation.',
    }),
    bm25: t.exposeFloat('bm25', {
      description:
        'The BM25 score by the words of the query, 0 without any; that of a turn includes the two turns on either side of it.',
    }),
    bm25Rank: t.exposeInt('bm25Rank', {
      nullable: true,
      description: 'Rank by `bm25` among the candidates of its kind, from 1; null if `bm25` is 0.',
    }),
    similarity: t.exposeFloat('similarity', {
      nullable: true,
      description:
        'Cosine similarity to the query, −1 to 1, of it alone; null if it has no vector, or the query has none.',
    }),
    vectorRank: t.exposeInt('vectorRank', {
      nullable: true,
      description:
        'Rank by similarity among the candidates of its kind, from 1; for a turn the two turns on either side count, too. Null without vectors.',
    }),
  }),
});
