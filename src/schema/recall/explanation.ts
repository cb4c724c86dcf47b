import { MEMORY_WEIGHTS } from '../../domain/ranking/memory-ranking.ts';
import type { Scored, ScoredMemory, ScoredTurn } from '../../domain/ranking/scored.ts';
import { keysOf } from '../../shared/keys-of.ts';
import { builder } from '../core/builder.ts';

type Part = keyof ScoredTurn['parts'] | keyof ScoredMemory['parts'];

const PARTS: Readonly<Record<Part, string>> = {
  bm25: 'Keyword score (BM25). For a turn, the two turns before it and the two after it count too.',
  vector:
    'Semantic similarity to the query. For a turn, the two turns before it and the two after it count too. A turn that has ' +
    'no vector yet counts as average.',
  segmentSummary:
    'Semantic similarity between the query and the title and summary of the closed segment that the turn is in. A turn in ' +
    'no closed segment gets the mean of the other candidates.',
  speaker: "The query contains a word of the speaker's name.",
  question: 'Negative: the turn contains a question mark. A question seldom answers a query.',
  reply:
    'Negative: the role of the turn is ASSISTANT, TOOL or SYSTEM, and the query does not ask what the assistant said.',
  time: 'The query asks for a time, such as "when" or "how long", and the turn contains a word of time, such as "yesterday".',
  length: 'The length of the turn: longer ones score higher, up to 40 words.',
  date: 'The turn was said in the month or on the day that the query names, or on the day after that day.',
  range:
    'The memory lies in the time span that the query names: a turn by when it was said, a fact by when it was last stated, ' +
    'other memories by when they ended. Counts only if other times were searched, too.',
  thread:
    'The share of the words of the query that occur in the thread of the turn; rare words count more.',
  recency: 'How recently an episode ended, or a fact was last stated.',
  importance: 'How important the fact is, by its `importance`.',
  pinned: 'The fact is pinned.',
};

/** The name of a part in the graph: `segmentSummary` → SEGMENT_SUMMARY. */
const partName = (part: string): string => part.replace(/[A-Z]/g, '_$&').toUpperCase();

const ScorePartName = builder.enumType('ScorePartName', {
  description:
    'The parts of a score; each kind of memory has only some of them. With the setting RECALL_FUSION=rrf, only BM25 and ' +
    'VECTOR count, each by its rank.',
  values: Object.fromEntries(
    keysOf(PARTS).map((part) => [partName(part), { value: part, description: PARTS[part] }]),
  ),
});

const ScorePart = builder.objectRef<{ name: Part; value: number }>('ScorePart').implement({
  description: 'One part of a score; the parts add up to `RecallExplanation.fused`.',
  fields: (t) => ({
    name: t.expose('name', { type: ScorePartName, description: 'Which part it is.' }),
    value: t.exposeFloat('value', {
      description:
        'What the part adds to `RecallExplanation.fused`, after weighting. Negative if it lowers the score.',
    }),
  }),
});

export const Explanation = builder.objectRef<Scored>('RecallExplanation').implement({
  description: 'How a score came about: `fused` × `forgetting` × `kindWeight`.',
  fields: (t) => ({
    parts: t.field({
      type: [ScorePart],
      description: 'The weighted parts of the score; a part that does not apply is 0.',
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
        'The probability that the memory is still recalled at `asOf`, 0-1, by FSRS. A turn has that of its closed segment, also ' +
        'if this became no episode, or of the episode into which the segment was merged. Null for what does not fade, and for a ' +
        'turn in no closed segment.',
    }),
    forgetting: t.exposeFloat('forgetting', {
      description:
        `The factor by which fading reduces the score: \`retrievability\`, but at least ${MEMORY_WEIGHTS.turnFloor} for a turn ` +
        `and ${MEMORY_WEIGHTS.floor} for an episode; 1 for what does not fade. A turn fades with its closed segment.`,
    }),
    kindWeight: t.exposeFloat('kindWeight', {
      description:
        'The weight of its kind of memory. For all kinds but turns it depends on whether the query asks for earlier conversation.',
    }),
    bm25: t.exposeFloat('bm25', {
      description:
        'The BM25 score by the words of the query; 0 if none of them occurs. For a turn, the two turns before it and the two ' +
        'after it count too.',
    }),
    bm25Rank: t.exposeInt('bm25Rank', {
      nullable: true,
      description: 'Rank by `bm25` among the candidates of its kind, from 1; null if `bm25` is 0.',
    }),
    similarity: t.exposeFloat('similarity', {
      nullable: true,
      description:
        'Cosine similarity to the query, −1 to 1; for a turn, that of the turn alone. Null if the memory or the query has no ' +
        'vector.',
    }),
    vectorRank: t.exposeInt('vectorRank', {
      nullable: true,
      description:
        'Rank by semantic similarity among the candidates of its kind, from 1. A turn is ranked by its own similarity together ' +
        'with that of the two turns before it and the two after it. Null without vectors.',
    }),
  }),
});
