import { describe, expect, it } from 'vitest';
import {
  type RankingCandidate,
  type RankingStatistics,
  rank,
  readQuery,
} from '../../../src/domain/ranking/ranking.ts';
import { marksOf } from '../../../src/domain/ranking/ranking-marks.ts';

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

type Turn = RankingCandidate & { text: string };

function turn(text: string, rest: Partial<RankingCandidate> = {}): Turn {
  return {
    text,
    ...marksOf(text, 'USER'),
    speaker: 'Ann',
    wordCount: 8,
    occurredAt: new Date('2023-06-05T12:00:00Z'),
    frequencies: new Map(),
    threadTerms: [],
    neighbours: [{ offset: 0, words: 8, similarity: null }],
    ...rest,
  };
}

const near = (similarity: number | null, offset = 0) => ({ offset, words: 8, similarity });
const order = (query: string, turns: Turn[]) =>
  rank(turns, readQuery(query), statistics).map((hit) => hit.candidate.text);

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
  ])('prefers %s', (_, query, better, worse) => {
    expect(order(query, [worse, better])).toEqual([better.text, worse.text]);
  });

  it('works with words alone', () => {
    const hits = rank(
      [turn('b'), turn('a', { frequencies: new Map([[0, 1]]) })],
      readQuery('violin'),
      statistics,
    );
    expect(hits[0]).toMatchObject({
      candidate: { text: 'a' },
      bm25Rank: 1,
      bm25Share: 1,
      vectorRank: null,
      similarity: null,
      nearbySimilarity: null,
    });
    expect(hits[1]).toMatchObject({ bm25: 0, bm25Rank: null, parts: { vector: 0 } });
  });

  it('takes a turn without a vector for a usual one, neither near nor far', () => {
    const turns = [
      turn('far', { neighbours: [near(0.1)] }),
      turn('unknown', { neighbours: [near(null)] }),
      turn('near', { neighbours: [near(0.9)] }),
    ];
    expect(order('violin', turns)).toEqual(['near', 'unknown', 'far']);
    const hits = rank(turns, readQuery('violin'), statistics);
    const unknown = hits.find((hit) => hit.candidate.text === 'unknown');
    expect(unknown).toMatchObject({ vectorRank: null, similarity: null, nearbySimilarity: null });
    expect(hits.map((hit) => hit.vectorRank)).toEqual([1, null, 2]);
  });

  it("a neighbour's missing vector counts neither for nor against a turn", () => {
    const turns = [
      turn('whole', { neighbours: [near(0.5, -1), near(0.5)] }),
      turn('gap', { neighbours: [near(null, -1), near(0.5)] }),
    ];
    const [first, second] = rank(turns, readQuery('violin'), statistics);
    expect(first?.score).toBeCloseTo(second?.score ?? 0, 9);
  });

  it('shows parts that add up to the score', () => {
    const [hit] = rank(
      [turn('Ben last week', { neighbours: [near(0.5)], frequencies: new Map([[0, 1]]) })],
      readQuery('When did Ann play?'),
      statistics,
    );
    const sum = Object.values(hit?.parts ?? {}).reduce((a, b) => a + b, 0);
    expect(hit?.score).toBeCloseTo(sum);
    expect(hit?.parts).toMatchObject({ bm25: 0.85, speaker: 0.6, time: 0.4 });
    expect(hit?.vectorRank).toBe(1);
  });

  it('ranks both lists on their own', () => {
    const word = turn('word', { frequencies: new Map([[0, 1]]), neighbours: [near(0.1)] });
    const sense = turn('sense', { neighbours: [near(0.9)] });
    const hits = rank([word, sense], readQuery('violin'), statistics);
    const ranks = Object.fromEntries(
      hits.map((hit) => [hit.candidate.text, [hit.bm25Rank, hit.vectorRank]]),
    );
    expect(ranks).toEqual({ word: [1, 2], sense: [null, 1] });
  });

  it('gives nothing for nothing', () => {
    expect(rank([], readQuery('violin'), statistics)).toEqual([]);
  });
});

it.each(['OK.', 'Many thanks!', 'Good morning.', '👍', 'Yes, got it.'])(
  'what says nothing answers no question, however near it is: %s',
  (nothing) => {
    const query = 'Remember what we talked about?';
    const said = turn('The board meets on Friday.', { neighbours: [near(0.1)] });
    expect(order(query, [turn(nothing, { neighbours: [near(0.9)] }), said])).toEqual([said.text]);
    expect(order(query, [turn(nothing)])).toEqual([nothing]);
    const short = turn('Ok, Friday.', { neighbours: [near(0.9)] });
    expect(order(query, [said, short])).toEqual([short.text, said.text]);
  },
);
