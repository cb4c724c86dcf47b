import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { combinedText, regroup } from '../../../src/domain/links/cross-thread.ts';
import {
  algorithmicAssessment,
  algorithmicScore,
  bestCandidates,
  componentsOf,
  decideLink,
  holdsStill,
  NEUTRAL_WEIGHTS,
} from '../../../src/domain/links/linking.ts';

describe('the algorithmic score', () => {
  it.each([
    [{ keyword: 1, entity: 1, topic: 1, recency: 1 }, 1, []],
    [{ keyword: 0.9, entity: 0.8, topic: 0.7, recency: 0.6 }, 0.77, []],
    [{ keyword: null, entity: null, topic: 0.9, recency: 0.9 }, 0.9, ['keyword', 'entity']],
    [{ keyword: 0.5, entity: null, topic: null, recency: 1 }, 0.7, ['entity', 'topic']],
    [{ keyword: null, entity: null, topic: null, recency: null }, 0, Object.keys(NEUTRAL_WEIGHTS)],
  ])('the algorithmic score of %j is %d', (parts, score, leftOut) => {
    const scored = algorithmicScore(parts, NEUTRAL_WEIGHTS);
    expect(scored.score).toBeCloseTo(score, 10);
    expect(scored.leftOut).toEqual(leftOut);
  });

  it.each([
    [0.88, true, 0.6],
    [0.7, false, 0],
    [0.35, false, 0.5],
    [1, true, 1],
    [0, false, 1],
  ])('a score of %d is assessed against a threshold of 0.7', (score, related, confidence) => {
    const assessed = algorithmicAssessment(score, 0.7);
    expect(assessed.related).toBe(related);
    expect(assessed.confidence).toBeCloseTo(confidence, 10);
  });
});

describe('the decision table', () => {
  it.each([
    [0.88, true, 0.92, 'LINK', 'HIGH'],
    [0.3, false, 0.9, 'DONT_LINK', 'HIGH'],
    [0.75, false, 0.9, 'DONT_LINK', 'UNCERTAIN'],
    [0.97, false, 0.6, 'LINK', 'UNCERTAIN'],
    [0.6, true, 0.9, 'LINK', 'UNCERTAIN'],
    [0.1, true, 0.55, 'DONT_LINK', 'UNCERTAIN'],
  ] as const)(
    'a score of %d and a reasoner that says %s with %d give the verdict %s, which is %s',
    (score, related, confidence, ...expected) => {
      const decision = decideLink(algorithmicAssessment(score, 0.7), { related, confidence });
      expect([decision.verdict, decision.certainty]).toEqual(expected);
    },
  );

  it.each([
    [false, 0.9, 0.3, true],
    [true, 0.75, 0.8, true],
    [false, 0.7, 0.3, false],
    [false, 0.9, 0.8, false],
    [true, 0.9, 0.3, false],
  ])(
    'an assessment of %s with %d still holds for a score of %d: %s',
    (related, confidence, score, holds) => {
      expect(holdsStill({ related, confidence }, algorithmicAssessment(score, 0.7))).toBe(holds);
    },
  );

  it('the fused score is above one half exactly where the verdict is LINK', () => {
    const share = fc.double({ min: 0.001, max: 0.999, noNaN: true });
    fc.assert(
      fc.property(share, share, share, fc.boolean(), (score, threshold, confidence, related) => {
        const own = algorithmicAssessment(score, threshold);
        const { verdict, fused } = decideLink(own, { related, confidence });
        if (fused !== 0.5) expect(verdict === 'LINK').toBe(fused > 0.5);
      }),
    );
  });
});

it('the best candidates are similar in words or by vectors, or recent', () => {
  const at = (hours: number) => new Date(hours * 3_600_000);
  const candidates = [
    { threadId: 1, bm25: 0, cosine: 0.2, lastActivityAt: at(0) },
    { threadId: 2, bm25: 0.6, cosine: 0.1, lastActivityAt: at(-900) },
    { threadId: 3, bm25: 0, cosine: 0.9, lastActivityAt: at(-900) },
    { threadId: 4, bm25: 0, cosine: 0.1, lastActivityAt: at(-900) },
  ];
  const best = bestCandidates(candidates, NEUTRAL_WEIGHTS, at(0), 24, 3);
  expect(best.map(({ threadId }) => threadId)).toEqual([2, 1, 3]);
});

describe('cross-thread episodes', () => {
  const threads = (episodes: Record<number, number | null>) =>
    Object.entries(episodes).map(([id, episodeId]) => ({ id: Number(id), episodeId }));

  it('components are the connected components of pairs', () => {
    const pairs = [
      [2, 1],
      [5, 4],
      [9, 8],
      [4, 2],
      [5, 1],
      [8, 9],
      [7, 7],
    ] as const;
    expect(componentsOf(pairs)).toEqual([[1, 2, 4, 5], [7], [8, 9]]);
  });

  it.each([
    ['created', { 1: null, 2: null }, [[2, 1]], [['CREATED', null, [1, 2], []]], []],
    [
      'extended',
      { 1: 7, 2: 7, 3: null },
      [
        [2, 1],
        [3, 2],
      ],
      [['EXTENDED', 7, [1, 2, 3], []]],
      [],
    ],
    [
      'merged',
      { 1: 7, 2: 7, 3: 5, 4: 5 },
      [
        [2, 1],
        [4, 3],
        [3, 1],
      ],
      [['MERGED', 5, [1, 2, 3, 4], [7]]],
      [],
    ],
    ['reduced', { 1: 7, 2: 7, 3: 7 }, [[2, 1]], [['REDUCED', 7, [1, 2], []]], []],
    ['dissolved', { 1: 7, 2: 7 }, [], [], [7]],
    ['as it was', { 1: 7, 2: 7 }, [[2, 1]], [], []],
    [
      'parted in two',
      { 1: 7, 2: 7, 3: 7, 4: 7, 5: 7 },
      [
        [2, 1],
        [4, 3],
        [5, 4],
      ],
      [
        ['CREATED', null, [1, 2], []],
        ['REDUCED', 7, [3, 4, 5], []],
      ],
      [],
    ],
  ] as const)('threads are regrouped: %s', (_, episodes, pairs, groups, dissolved) => {
    const settled = regroup(threads(episodes), pairs);
    expect(
      settled.groups.map((group) => [group.change, group.episodeId, group.threadIds, group.merged]),
    ).toEqual(groups);
    expect(settled.dissolved).toEqual(dissolved);
  });

  it('linked threads end in one episode, and regrouping again changes nothing', () => {
    const thread = fc.integer({ min: 1, max: 8 });
    const episodes = fc.array(fc.option(fc.integer({ min: 1, max: 3 })), {
      minLength: 8,
      maxLength: 8,
    });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(thread, thread), { maxLength: 6 }),
        episodes,
        (given, before) => {
          const pairs = given.filter(([a, b]) => a !== b);
          const own = before.map((episodeId, at) => ({ id: at + 1, episodeId }));
          const { groups, dissolved } = regroup(own, pairs);
          const after = own.map(({ id, episodeId }) => {
            const group = groups.find(({ threadIds }) => threadIds.includes(id));
            if (group) return { id, episodeId: group.episodeId ?? 100 + groups.indexOf(group) };
            return { id, episodeId: pairs.flat().includes(id) ? episodeId : null };
          });
          for (const { episodeId } of after) expect(dissolved).not.toContain(episodeId ?? 0);
          expect(regroup(after, pairs)).toEqual({ groups: [], dissolved: [] });
        },
      ),
    );
  });

  it('the summaries of threads are joined without repetitions', () => {
    const parts = [
      { title: 'Weather in New York; next week', summary: 'New York' },
      { title: 'Trip to Porto', summary: 'They booked a flat' },
    ];
    expect(combinedText(parts)).toBe(
      'Weather in New York; next week. Trip to Porto. They booked a flat.',
    );
  });
});
