import { describe, expect, it } from 'vitest';
import type {
  CandidateContent,
  MemoryCandidate,
  RankingStatistics,
  TurnCandidate,
} from '../../../src/domain/ranking/candidate.ts';
import { type Scale, scoreMemories } from '../../../src/domain/ranking/memory-ranking.ts';
import {
  canStillWin,
  RANKING_WEIGHTS,
  rank as rankFound,
  readQuery,
} from '../../../src/domain/ranking/ranking.ts';
import { rankingCuesOf, readCues } from '../../../src/domain/ranking/ranking-cues.ts';
import { scaleOf, scoreTurns } from '../../../src/domain/ranking/score-turns.ts';

const statistics: RankingStatistics = {
  turns: 100,
  threads: 10,
  meanWords: 8,
  turnsWith: new Map([
    [0, 2],
    [1, 10],
  ]),
  threadsWith: new Map([
    [0, 1],
    [1, 5],
  ]),
};

type Turn = TurnCandidate & { text: string };
type Own = Partial<TurnCandidate & Pick<CandidateContent, 'speaker' | 'occurredAt'>>;
let turns = 0;

function turn(
  text: string,
  { speaker = 'Ann', occurredAt = new Date('2023-06-05T12:00:00Z'), ...rest }: Own = {},
): Turn {
  turns += 1;
  const cues = { speaker, occurredAt, ...readCues(rankingCuesOf(text), 'USER') };
  const recordedAt = occurredAt;
  const content = {
    ...{ id: turns, role: 'USER', channel: 'sms', toolCalls: null, unreadByRules: false },
    speaker,
    text,
  };
  return {
    text,
    kind: 'TURN',
    id: turns,
    threadId: 1,
    number: turns,
    cues,
    content: { ...content, occurredAt, recordedAt },
    wordCount: 8,
    frequencies: new Map(),
    threadTerms: [],
    neighbours: [{ offset: 0, words: 8, similarity: null }],
    ...rest,
  };
}

/** The turns, best first, with what they say. */
const rank = (turns: TurnCandidate[], query: string) =>
  rankFound({ turns, statistics }, readQuery(query)).map((scored) => ({
    ...scored,
    text: scored.candidate.content?.text ?? '',
  }));
const near = (similarity: number | null, offset = 0) => ({ offset, words: 8, similarity });
const order = (query: string, turns: TurnCandidate[]) => rank(turns, query).map(({ text }) => text);

describe('rank', () => {
  it.each<[string, string, Turn, Turn]>([
    [
      'the rarer term',
      'violin lesson',
      turn('a', { frequencies: new Map([[0, 1]]) }),
      turn('b', { frequencies: new Map([[1, 1]]) }),
    ],
    [
      'the more frequent term',
      'violin',
      turn('a', { frequencies: new Map([[0, 2]]) }),
      turn('b', { frequencies: new Map([[0, 1]]) }),
    ],
    [
      'the shorter neighbourhood',
      'violin',
      turn('a', { frequencies: new Map([[0, 1]]) }),
      turn('b', {
        frequencies: new Map([[0, 1]]),
        neighbours: [{ offset: 0, words: 80, similarity: null }],
      }),
    ],
    [
      'the nearer turn',
      'violin',
      turn('a', { neighbours: [near(0.9)] }),
      turn('b', { neighbours: [near(0.2)] }),
    ],
    [
      'the turn with nearer neighbours',
      'violin',
      turn('a', { neighbours: [near(0.8, -1), near(0.4)] }),
      turn('b', { neighbours: [near(0.1, -1), near(0.4)] }),
    ],
    [
      'a turn before over a turn after',
      'violin',
      turn('a', { neighbours: [near(0.8, -1), near(0.4)] }),
      turn('b', { neighbours: [near(0.4), near(0.8, 1)] }),
    ],
    ['the named speaker', 'What does Ben play?', turn('a', { speaker: 'Ben' }), turn('b')],
    ['an answer over a question', 'violin', turn('Yes'), turn('Really?')],
    ['a word of time when asked when', 'When did it start?', turn('Last week'), turn('On stage')],
    ['the longer turn', 'violin', turn('a', { wordCount: 40 }), turn('b')],
    [
      'the named month',
      'What did she buy in June?',
      turn('a'),
      turn('b', { occurredAt: new Date('2023-07-05T12:00:00Z') }),
    ],
    ['the thread about it', 'violin lesson', turn('a', { threadTerms: [0, 1] }), turn('b')],
  ])('ranking prefers %s', (_, query, better, worse) => {
    expect(order(query, [worse, better])).toEqual([better.text, worse.text]);
  });

  it('ranking works without vectors', () => {
    const hits = rank([turn('b'), turn('a', { frequencies: new Map([[0, 1]]) })], 'violin');
    expect(hits[0]).toMatchObject({
      text: 'a',
      bm25Rank: 1,
      parts: { bm25: RANKING_WEIGHTS.bm25 },
      vectorRank: null,
      similarity: null,
      nearbySimilarity: null,
    });
    expect(hits[1]).toMatchObject({ bm25: 0, bm25Rank: null, parts: { vector: 0 } });
  });

  it('a turn without a vector counts as average', () => {
    const turns = [
      turn('far', { neighbours: [near(0.1)] }),
      turn('unknown', { neighbours: [near(null)] }),
      turn('near', { neighbours: [near(0.9)] }),
    ];
    expect(order('violin', turns)).toEqual(['near', 'unknown', 'far']);
    const hits = rank(turns, 'violin');
    const unknown = hits.find((hit) => hit.text === 'unknown');
    expect(unknown).toMatchObject({ vectorRank: null, similarity: null, nearbySimilarity: null });
    expect(hits.map((hit) => hit.vectorRank)).toEqual([1, null, 2]);
  });

  it("a neighbour's missing vector counts neither for nor against a turn", () => {
    const turns = [
      turn('whole', { neighbours: [near(0.5, -1), near(0.5)] }),
      turn('gap', { neighbours: [near(null, -1), near(0.5)] }),
    ];
    const [first, second] = rank(turns, 'violin');
    expect(first?.score).toBeCloseTo(second?.score ?? 0, 9);
  });

  it('the parts of a score add up to the score', () => {
    const [hit] = rank(
      [turn('Ben last week', { neighbours: [near(0.5)], frequencies: new Map([[0, 1]]) })],
      'When did Ann play?',
    );
    const sum = Object.values(hit?.parts ?? {}).reduce((a, b) => a + b, 0);
    expect(hit?.score).toBeCloseTo(sum);
    expect(hit?.parts).toMatchObject({ bm25: 0.85, speaker: 0.6, time: 0.4 });
    expect(hit?.vectorRank).toBe(1);
  });

  it('turns have a rank by words and a rank by vectors', () => {
    const word = turn('word', { frequencies: new Map([[0, 1]]), neighbours: [near(0.1)] });
    const sense = turn('sense', { neighbours: [near(0.9)] });
    const hits = rank([word, sense], 'violin');
    const ranks = Object.fromEntries(hits.map((hit) => [hit.text, [hit.bm25Rank, hit.vectorRank]]));
    expect(ranks).toEqual({ word: [1, 2], sense: [null, 1] });
  });

  it('ranking no candidates gives no turns', () => {
    expect(rank([], 'violin')).toEqual([]);
  });
});

it.each(['OK.', 'Many thanks!', 'Good morning.', '👍', 'Yes, got it.'])(
  'a turn that says nothing is left out, however similar it is: %s',
  (nothing) => {
    const query = 'Remember what we talked about?';
    const said = turn('The board meets on Friday.', { neighbours: [near(0.1)] });
    expect(order(query, [turn(nothing, { neighbours: [near(0.9)] }), said])).toEqual([said.text]);
    expect(order(query, [turn(nothing)])).toEqual([nothing]);
    const short = turn('Ok, Friday.', { neighbours: [near(0.9)] });
    expect(order(query, [said, short])).toEqual([short.text, said.text]);
  },
);

it('a single turn still gives a reasonable scale for other kinds', () => {
  const only = turn('a', { neighbours: [near(0.3)] });
  const [scored] = rankFound({ turns: [only], statistics }, readQuery('violin'));
  const scale = scaleOf(scored ? [scored] : [], readQuery('violin'), statistics, RANKING_WEIGHTS);
  const episode: MemoryCandidate = {
    ...{ kind: 'EPISODE', id: 1, number: 0, bm25: 0, ideal: 0, similarity: 0.9, pinned: false },
    ...{ reviewedAt: null, stability: null, surprise: null, importance: null },
    at: new Date('2023-06-05T12:00:00Z'),
  };
  const asked = { intent: 'ORDINARY' as const, now: episode.at };
  const [memory] = scoreMemories([episode], scale as Scale, asked, RANKING_WEIGHTS);
  expect(memory?.score).toBeGreaterThan(0);
  expect(memory?.score).toBeLessThan(10);
});

it('turns that say nothing do not keep the texts of others from being read', () => {
  const silent = Array.from({ length: 5 }, () => turn('OK.', { neighbours: [near(0.9)] }));
  const far = turn('The board meets on Friday.', { neighbours: [near(0.1)], cues: null });
  const found = { turns: [...silent, far], statistics };
  const scored = scoreTurns(found, () => null, { weights: RANKING_WEIGHTS, fusion: 'weighted' });
  const bounds = { first: 3, floor: 1 };
  expect(
    canStillWin(scored, readQuery('board'), bounds).map(({ candidate }) => candidate),
  ).toContain(far);
});
