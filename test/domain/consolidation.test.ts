import { expect, it } from 'vitest';
import { compressionOf, episodesDue } from '../../src/domain/consolidation.ts';

const KNOBS = { episodes: 8, sessionEpisodes: 3, factEpisodes: 3 };

it.each([
  ['too few', 7, 2, false, 0],
  ['enough at any time', 8, 0, false, 8],
  ['enough at the end of a session, with what came since', 5, 3, false, 5],
  ['one, asked for', 1, 0, true, 1],
  ['none, asked for', 0, 0, true, 0],
  ['as many as one takes', 200, 200, false, 200],
  ['one too many: in equal parts', 201, 0, false, 101],
  ['far too many', 1_001, 0, false, 167],
])('%s', (_name, count, atSessionEnd, isAsked, due) => {
  expect(episodesDue({ count, atSessionEnd }, KNOBS, isAsked)).toBe(due);
});

it('what is left over of too many is always enough for the next one', () => {
  for (let count = 201; count < 2_000; count++) {
    let left = count;
    let memories = 0;
    while (left > 0) {
      const due = episodesDue({ count: left, atSessionEnd: 0 }, KNOBS, false);
      expect(due).toBeGreaterThan(0);
      expect(due).toBeLessThanOrEqual(200);
      left -= due;
      memories++;
    }
    expect(memories).toBe(Math.ceil(count / 200));
  }
});

it('the ratio of compression is the mean over the memories', () => {
  expect(compressionOf([])).toBeNull();
  const memories = [
    { episodeCount: 8, turnCount: 64 },
    { episodeCount: 3, turnCount: 31 },
  ];
  expect(compressionOf(memories)).toEqual({ turnsPerMemory: 47.5, episodesPerMemory: 5.5 });
});
