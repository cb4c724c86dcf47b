import { expect, it } from 'vitest';
import type { MemoryCandidate } from '../../../src/domain/ranking/candidate.ts';
import {
  MEMORY_WEIGHTS,
  ownScale,
  scoreMemories,
} from '../../../src/domain/ranking/memory-ranking.ts';
import { RANKING_WEIGHTS } from '../../../src/domain/ranking/ranking.ts';

const NOW = new Date('2026-03-20T12:00:00Z');
const memory = (own: Partial<MemoryCandidate> = {}): MemoryCandidate => ({
  ...{ kind: 'FACT', id: 1, number: 0, bm25: 1, ideal: 2, similarity: 0.3, at: NOW },
  ...{ reviewedAt: null, stability: null, surprise: null, importance: 0.5, pinned: false },
  ...own,
});
const SCALE = { words: 0.5, lowest: 0.2, spread: 1 };
const order = (
  candidates: MemoryCandidate[],
  intent: 'ORDINARY' | 'RECALL' = 'ORDINARY',
  weights = MEMORY_WEIGHTS,
) =>
  scoreMemories(candidates, SCALE, { intent, now: NOW }, RANKING_WEIGHTS, weights)
    .sort((a, b) => b.score - a.score)
    .map(({ candidate }) => candidate.id);
const long = new Date('2025-03-20T12:00:00Z');

it.each<[string, Partial<MemoryCandidate>, Partial<MemoryCandidate>]>([
  ['the one with more of the words', { bm25: 2 }, {}],
  ['the nearer one', { similarity: 0.5 }, {}],
  ['the more important fact', { importance: 0.9 }, {}],
  ['the pinned fact', { pinned: true }, {}],
  ['the recent fact', {}, { at: long }],
  [
    'the episode that is remembered better',
    { kind: 'EPISODE', stability: 30, at: long, reviewedAt: long },
    { kind: 'EPISODE', stability: 3, at: long, reviewedAt: long },
  ],
])('a recall ranks %s first', (_name, better, worse) => {
  const weights = { ...MEMORY_WEIGHTS, floor: 0 };
  const [first, second] = [memory({ id: 1, ...better }), memory({ id: 2, ...worse })];
  expect(order([second, first], 'ORDINARY', weights)).toEqual([1, 2]);
});

it('facts lead ordinary questions, episodes those for earlier talk', () => {
  const pair = [memory({ id: 1 }), memory({ id: 2, kind: 'EPISODE', importance: null })];
  expect(order(pair)).toEqual([1, 2]);
  expect(order(pair, 'RECALL')).toEqual([2, 1]);
});

it('a score does not fade below the floor', () => {
  const old = memory({ kind: 'EPISODE', stability: 1, at: new Date(0), reviewedAt: new Date(0) });
  const [ranked] = scoreMemories([old], SCALE, { intent: 'RECALL', now: NOW }, RANKING_WEIGHTS);
  expect(ranked?.retrievability).toBeLessThan(MEMORY_WEIGHTS.floor);
  expect(ranked?.forgetting).toBe(MEMORY_WEIGHTS.floor);
});

it('other kinds are scaled among themselves if there are no turns', () => {
  const scale = ownScale([memory({ bm25: 2 }), memory({ similarity: -0.1 })], 2);
  expect(scale).toEqual({ words: 1, lowest: -0.2, spread: 0.8 });
});
