import { expect, it } from 'vitest';
import { compressionOf, episodesDue } from '../../../src/domain/episodes/consolidation.ts';

const KNOBS = { episodes: 8, sessionEpisodes: 3, factEpisodes: 3 };

/** "." an episode, "|" one with which a session ends, "?" one before whose end something is still under way. */
const waiting = (marks: string) => ({
  count: marks.length,
  first: [...marks].map((mark) => ({ isSettled: mark !== '?', endsSession: mark === '|' })),
});

it.each([
  ['none', '', 0],
  ['too few', '..', 0],
  ['enough at the end of a session', '..|', 3],
  ['too few at the end of a session', '.|', 0],
  ['a session that is not over', '.....', 0],
  ['enough at any time', '........', 8],
  ['no more than that', '..........|', 8],
  ['the first session with enough, whatever came since', '.|.|..|', 4],
  ['a session that may still change', '..??', 0],
  ['many that may still change', '.......?', 0],
])('episodes are due by their number and session: %s', (_name, marks, due) => {
  expect(episodesDue(waiting(marks), KNOBS, false)).toBe(due);
});

it.each([
  [0, 0],
  [1, 1],
  [200, 200],
  [201, 101],
  [1_001, 167],
])('on request, of %i episodes the next memory takes %i', (count, due) => {
  expect(episodesDue({ count, first: [] }, KNOBS, true)).toBe(due);
});

it('the same episodes make the same memories, however many exist when the step runs', () => {
  const marks = '.|..|....|..........|.|.|.....';
  const parts = (seen: readonly number[]) => {
    const made: number[] = [];
    let from = 0;
    for (const through of seen) {
      for (;;) {
        const due = episodesDue(waiting(marks.slice(from, through)), KNOBS, false);
        if (due === 0) break;
        made.push(due);
        from += due;
      }
    }
    return made;
  };
  const atOnce = parts([marks.length]);
  expect(atOnce.length).toBeGreaterThan(3);
  expect(parts([...marks].map((_, i) => i + 1))).toEqual(atOnce);
  expect(parts([5, 6, 19, marks.length])).toEqual(atOnce);
});

it('the compression ratio is the mean over the memories', () => {
  expect(compressionOf([])).toBeNull();
  const memories = [
    { episodeCount: 8, turnCount: 64 },
    { episodeCount: 3, turnCount: 31 },
  ];
  expect(compressionOf(memories)).toEqual({ turnsPerMemory: 47.5, episodesPerMemory: 5.5 });
});
