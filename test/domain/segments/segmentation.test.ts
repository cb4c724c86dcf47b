import { describe, expect, it } from 'vitest';
import {
  closeSegments,
  cutsOf,
  segmentationDue,
} from '../../../src/domain/segments/segmentation.ts';

const NOW = new Date('2026-03-02T12:00:00Z');
/** Turns so many minutes before now. */
const ago = (...minutes: number[]) =>
  minutes.map((each) => ({ occurredAt: new Date(NOW.getTime() - each * 60_000) }));
const every = (count: number, minutes = 1) =>
  ago(...Array.from({ length: count }, (_, index) => (count - index) * minutes));

describe('when a thread is segmented', () => {
  const state = { pending: 0, oldest: null, quietAt: NOW, tried: 0, isOver: false };
  const from = (pending: number, minutes: number, more = {}) => ({
    ...state,
    pending,
    oldest: ago(minutes)[0]?.occurredAt ?? null,
    ...more,
  });
  it.each([
    ['a thread with nothing pending is not segmented', state, null],
    ['4 turns are too few to be segmented', from(4, 240), null],
    ['4 turns of an idle thread are segmented at once', from(4, 4, { isOver: true }), 0],
    ['1 turn of an idle thread is segmented at once', from(1, 1, { isOver: true }), 0],
    ['5 turns are segmented when the oldest is 2 h old', from(5, 120), 0],
    ['5 turns are segmented an hour after the oldest is 1 h old', from(5, 60), 60],
    ['19 turns are segmented when the oldest will be 2 h old', from(19, 19), 101],
    ['20 turns are segmented at once', from(20, 20), 0],
    ['6 turns that were looked at in vain are not segmented', from(6, 150, { tried: 5 }), null],
    [
      '20 turns, 5 of which were looked at in vain, are segmented at once',
      from(20, 150, { tried: 5 }),
      0,
    ],
    [
      '21 turns, 20 of which were looked at in vain, are not segmented',
      from(21, 150, { tried: 20 }),
      null,
    ],
    [
      '40 turns, 20 of which were looked at in vain, are segmented at once',
      from(40, 150, { tried: 20 }),
      0,
    ],
    [
      'turns that were looked at in vain are segmented once the thread is idle',
      from(6, 150, { tried: 6, isOver: true }),
      0,
    ],
  ])('%s', (_name, given, inMinutes) => {
    const due = segmentationDue(given, NOW);
    expect(due && (due.getTime() - NOW.getTime()) / 60_000).toBe(inMinutes);
  });
});

describe('where a window is cut', () => {
  const quiet = { boundaries: [], surprise: [] };
  it.each([
    ['nowhere without a signal', every(6), quiet, []],
    [
      'where the topic changes',
      every(6),
      { ...quiet, boundaries: [{ index: 3, confidence: 0.5 }] },
      [[3, 'TOPIC']],
    ],
    [
      'nowhere where a change of topic is unsure',
      every(6),
      { ...quiet, boundaries: [{ index: 3, confidence: 0.49 }] },
      [],
    ],
    [
      'where it is surprising',
      every(4),
      { ...quiet, surprise: [0, 0, 0.95, 0.2] },
      [[2, 'SURPRISE']],
    ],
    [
      'nowhere before the first turn',
      every(4),
      { ...quiet, boundaries: [{ index: 0, confidence: 1 }], surprise: [1] },
      [],
    ],
    ['at a gap of over 3 h', ago(190, 189, 1), quiet, [[2, 'GAP']]],
    ['nowhere at a gap of over 30 min alone', ago(60, 59, 20), quiet, []],
    [
      'at a gap of over 30 min with half a reason',
      ago(60, 59, 20),
      { ...quiet, boundaries: [{ index: 2, confidence: 0.25 }] },
      [[2, 'TOPIC']],
    ],
    [
      'at a gap of over 30 min with half a surprise',
      ago(60, 59, 20),
      { ...quiet, surprise: [0, 0, 0.48] },
      [[2, 'SURPRISE']],
    ],
    [
      'nowhere in under 3 turns',
      ago(500, 1),
      { ...quiet, boundaries: [{ index: 1, confidence: 1 }] },
      [],
    ],
  ])('a window is cut %s', (_name, turns, channels, cuts) => {
    expect(cutsOf(turns, channels).map(({ index, cause }) => [index, cause])).toEqual(cuts);
  });
});

describe('which segments close', () => {
  const cut = (...indices: number[]) =>
    indices.map((index) => ({ index, cause: 'TOPIC' as const }));
  it.each([
    [
      'of N segments N − 1 are closed',
      20,
      cut(5, 12),
      false,
      [
        [0, 4],
        [5, 11],
      ],
    ],
    [
      'all segments are closed once the thread is over',
      9,
      cut(5),
      true,
      [
        [0, 4],
        [5, 8],
      ],
    ],
    ['a short thread that is over is closed as one segment', 2, cut(), true, [[0, 1]]],
    ['20 turns without a boundary are not closed: the window widens', 20, cut(), false, null],
    ['39 turns without a boundary are not closed', 39, cut(), false, null],
    ['40 turns without a boundary are closed as one segment', 40, cut(), false, [[0, 39]]],
  ])('%s', (_name, length, cuts, isOver, parts) => {
    const closed = closeSegments(length, cuts, { isOver });
    expect(
      closed.kind === 'close' ? closed.parts.map(({ first, last }) => [first, last]) : null,
    ).toEqual(parts);
  });
});
