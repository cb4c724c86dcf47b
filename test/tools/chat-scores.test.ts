import { describe, expect, it } from 'vitest';
import type { Chat } from '../../tools/eval/chats/chat-file.ts';
import type { MadeSegment } from '../../tools/eval/chats/read-memory.ts';
import { scoreCuts } from '../../tools/eval/chats/score-cuts.ts';
import { scoreEpisodes } from '../../tools/eval/chats/score-episodes.ts';
import { scoreLinks } from '../../tools/eval/chats/score-links.ts';

/** Conversations by how many turns they have: a, b, c …; the turns are numbered through. */
function conversationsOf(...lengths: number[]): Chat['conversations'] {
  let n = 0;
  return lengths.map((length, index) => ({
    id: 'abcdef'.charAt(index),
    channel: 'sms',
    title: null,
    turns: Array.from({ length }, () => {
      n += 1;
      return { n, role: 'USER' as const, at: '2026-03-02T09:00:00Z', text: `turn ${n}` };
    }),
  }));
}
const segment = (first: number, last: number, changes: Partial<MadeSegment> = {}): MadeSegment => ({
  id: `${first}`,
  turns: Array.from({ length: last - first + 1 }, (_, at) => first + at),
  capture: 'CREATED',
  reason: '',
  title: null,
  summary: null,
  ...changes,
});

describe('scoreCuts', () => {
  const score = (
    cuts: number[],
    segments: [number, number][],
    lengths = [10],
    threadOf = (_n: number) => 'one thread',
  ) => {
    const conversations = conversationsOf(...lengths);
    const numbers = conversations.flatMap(({ turns }) => turns.map(({ n }) => n));
    const { hits, labelled, found } = scoreCuts(
      { conversations, cuts },
      {
        segments: segments.map(([first, last]) => segment(first, last)),
        threadOf: new Map(numbers.map((n) => [n, threadOf(n)])),
      },
    );
    return { hits, labelled, found };
  };

  it.each<[string, number[], [number, number][], ReturnType<typeof score>]>([
    [
      'exact',
      [5],
      [
        [1, 4],
        [5, 10],
      ],
      { hits: 1, labelled: 1, found: 1 },
    ],
    [
      'one turn beside',
      [5],
      [
        [1, 5],
        [6, 10],
      ],
      { hits: 1, labelled: 1, found: 1 },
    ],
    [
      'two turns beside',
      [5],
      [
        [1, 6],
        [7, 10],
      ],
      { hits: 0, labelled: 1, found: 1 },
    ],
    [
      'one cut for two labels',
      [5, 6],
      [
        [1, 4],
        [5, 10],
      ],
      { hits: 1, labelled: 2, found: 1 },
    ],
    [
      'two cuts for one label',
      [5],
      [
        [1, 4],
        [5, 5],
        [6, 10],
      ],
      { hits: 1, labelled: 1, found: 2 },
    ],
    ['what is in no segment yet', [5], [[1, 4]], { hits: 1, labelled: 1, found: 1 }],
  ])('scoreCuts counts hits, labels and cuts: %s', (_what, cuts, segments, counts) => {
    expect(score(cuts, segments)).toEqual(counts);
  });

  it('the beginning of a conversation is not a cut, and does not match a cut of another conversation', () => {
    const segments: [number, number][] = [
      [1, 4],
      [5, 10],
    ];
    expect(score([], segments, [4, 6])).toEqual({ hits: 0, labelled: 0, found: 0 });
    expect(
      score(
        [4],
        [
          [1, 4],
          [5, 5],
          [6, 10],
        ],
        [4, 6],
      ),
    ).toEqual({ hits: 0, labelled: 1, found: 1 });
  });

  it('a thread that begins after a silence is not a cut', () => {
    const byThread = (n: number) => (n < 5 ? 'morning' : 'evening');
    const counts = score(
      [5],
      [
        [1, 4],
        [5, 10],
      ],
      [10],
      byThread,
    );
    expect(counts).toEqual({ hits: 0, labelled: 1, found: 0 });
  });
});

describe('scoreEpisodes', () => {
  const conversations = conversationsOf(12);
  const keep = (first: number, last: number, ...gist: RegExp[]): Chat['keep'][number] => ({
    turns: [first, last],
    why: 'decision',
    gist,
  });
  const score = (kept: Chat['keep'], segments: MadeSegment[]) => {
    const { covered, gist, episodes, extra } = scoreEpisodes(
      { keep: kept, conversations },
      segments,
    );
    const counts = [covered.length, gist.matched, gist.wanted, episodes.length, extra.length];
    return counts.join(' ');
  };
  const teal = segment(1, 5, { title: 'teal' });
  const gate = segment(6, 12, { capture: 'MERGED', title: null, summary: 'The gate\nis dry.' });

  it.each([
    ['half of its turns is enough', [keep(3, 6)], [segment(5, 12)], '1 0 0 1 0'],
    ['less is not, and yet no extra one', [keep(3, 6)], [segment(6, 12)], '0 0 0 1 0'],
    [
      'what was skipped is none',
      [keep(3, 6)],
      [segment(1, 12, { capture: 'SKIPPED' })],
      '0 0 0 0 0',
    ],
    ['none of its turns', [keep(3, 6)], [segment(1, 6), segment(7, 12)], '1 0 0 2 1'],
    ['titles and summaries tell the gist', [keep(8, 9, /gate is/, /oil/)], [gate], '1 1 2 1 0'],
    ['several tell it together', [keep(4, 7, /teal/, /gate/)], [teal, gate], '1 2 2 2 0'],
    ['what is not covered has no gist', [keep(3, 6, /gate/)], [segment(6, 12)], '0 0 0 1 0'],
  ])('scoreEpisodes counts covered and extra episodes: %s', (_what, kept, segments, counts) => {
    expect(score(kept, segments)).toBe(counts);
  });
});

describe('scoreLinks', () => {
  const conversations = conversationsOf(2, 2, 2, 2);
  const links: Chat['links'] = [['a', 'b']];
  const notLinks: Chat['notLinks'] = [['c', 'a']];
  const threads = ['t1', 't1', 't2', 't2', 't3', 't3', 't4', 't4'];
  const score = (linked: [string, string][]) => {
    const threadOf = new Map(threads.map((thread, at) => [at + 1, thread]));
    const result = scoreLinks({ conversations, links, notLinks }, { threadOf, linked });
    return Object.values(result).map((pairs) => pairs.map((pair) => pair.join('')).join(' '));
  };

  it.each<[string, [string, string][], string[]]>([
    ['nothing linked', [], ['', 'ab', '', '']],
    ['a decision, either way round', [['t2', 't1']], ['ab', '', '', '']],
    [
      'only by way of a third',
      [
        ['t2', 't4'],
        ['t1', 't4'],
      ],
      ['', 'ab', '', 'ad bd'],
    ],
    ['a wrong one', [['t1', 't3']], ['', 'ab', 'ac', '']],
    ['nothing labelled of it', [['t2', 't3']], ['', 'ab', '', 'bc']],
  ])('scoreLinks finds right, missed and wrong links: %s', (_what, linked, expected) => {
    expect(score(linked)).toEqual(expected);
  });
});
