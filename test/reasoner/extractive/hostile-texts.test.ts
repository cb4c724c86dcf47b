import { describe, expect, it } from 'vitest';
import { createExtractiveReasoner } from '../../../src/reasoner/extractive/extractive.ts';
import type { Utterance } from '../../../src/reasoner/reasoner.ts';

const CALL = { userId: 'local' };
const reasoner = createExtractiveReasoner({ embedder: null });

/** The longest that a turn may be. */
const LONGEST = 100_000;
/** Generous, in milliseconds of the processor: each takes less than a second on an idle machine. */
const LIMIT = 5_000;
/** By the clock, however much else is running. */
const PATIENCE = 12 * LIMIT;
const filled = (part: string) => part.repeat(Math.ceil(LONGEST / part.length)).slice(0, LONGEST);

const HOSTILE = [
  ...['a.b.c.', '((((([[[[', '[ ', '[a](b', '**a ', '<a ', '_ ', '"', '``` ', '\n', ' x\n'],
  ...['and Ann ', 'x', 'A. B. ', 'e.g. ', 'I always. ', 'I am. ', '. ', ', ', '! ', '1. do\n'],
  ...['I, and ', 'when I go, ', 'if I go, then ', 'I like Ann, Bob and ', 'I live in Oslo and '],
  ...['😀', '漢', 'ก', 'constructor '],
];

/** A talk of a user and an assistant. */
const longTalk = (text: string, length = 50): Utterance[] =>
  Array.from({ length }, (_, index) => ({
    role: index % 2 === 0 ? 'USER' : 'ASSISTANT',
    speaker: null,
    text,
    occurredAt: new Date(index * 60_000),
  }));

async function timed<T>(work: () => Promise<T>): Promise<T> {
  const from = process.cpuUsage();
  const made = await work();
  const { user, system } = process.cpuUsage(from);
  expect((user + system) / 1_000).toBeLessThan(LIMIT);
  return made;
}

describe.each(HOSTILE)('a conversation full of %j', (part) => {
  const turns = longTalk(filled(part));

  it('a hostile text is described in bounded time and length', { timeout: PATIENCE }, async () => {
    const made = await timed(() => reasoner.describeSegment({ turns }, CALL));
    expect(made.title?.length ?? 0).toBeLessThanOrEqual(200);
    expect(made.topic?.length ?? 0).toBeLessThanOrEqual(200);
    expect(made.approach.length).toBeLessThanOrEqual(300);
    expect(made.summary?.length ?? 0).toBeLessThanOrEqual(600);
  });

  it('a hostile text is compacted in bounded time and length', { timeout: PATIENCE }, async () => {
    const made = await timed(() => reasoner.compact({ turns: turns.slice(0, 10) }, CALL));
    expect(made.micro?.length ?? 0).toBeLessThanOrEqual(600);
    expect(made.meso?.length ?? 0).toBeLessThanOrEqual(3_000);
    for (const { description } of made.skills) expect(description.length).toBeLessThanOrEqual(500);
  });

  it('facts are extracted from a hostile text in bounded time', { timeout: PATIENCE }, async () => {
    await timed(() => reasoner.extractFacts({ turns: turns.slice(0, 10) }, CALL));
  });
});

it('a conversation of two hundred speakers is described in bounded time', {
  timeout: PATIENCE,
}, async () => {
  const turns = longTalk(filled('Thanks, I moved to Oslo, Bob. '), 200).map((turn, index) => ({
    ...turn,
    role: 'OTHER' as const,
    speaker: `Bob(${index} ${'x'.repeat(200)}`,
  }));
  await timed(() => reasoner.describeSegment({ turns }, CALL));
});

/** Characters that a database or a terminal chokes on. */
const UNSTORABLE = /(?![\n\t])\p{Cc}|\p{Cs}/u;
const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

it.each([
  ['\0', '\u0007', '\u001b[31m', '\ud800', '\udc00'],
  ['\u0085', '\u009f', '\r', '\ud83d', '\u0000'],
])(
  'results contain no control characters and no halves of characters: %j %j %j %j %j',
  async (...bad) => {
    const spoil = (text: string) =>
      text
        .split(' ')
        .map((word, index) => word + bad[index % bad.length])
        .join(' ');
    const turns = longTalk('', 20).map(
      (turn, index): Utterance => ({
        ...turn,
        speaker: spoil('Maya'),
        text: spoil(
          `My name is Maya and I live in Oslo. I will paint the door number ${index} blue.`,
        ),
        toolCalls: [{ name: spoil('door.paint'), ok: true, result: spoil('it is painted') }],
      }),
    );
    const made = [
      await reasoner.describeSegment({ turns }, CALL),
      await reasoner.compact({ turns }, CALL),
      await reasoner.extractFacts({ turns }, CALL),
      await reasoner.summarizeEpisodes(
        { episodes: [{ title: 'a', summary: spoil('Maya paints a door.'), endedAt: new Date(0) }] },
        CALL,
      ),
      await reasoner.synthesizeProfile(
        { memories: [{ summary: spoil('Maya lives in Oslo.') }] },
        CALL,
      ),
    ];
    expect(textsIn(made).filter((text) => UNSTORABLE.test(text))).toEqual([]);
  },
);

it.each(['\0', '\u0007\u001b', '\ud800', '...', '漢'.repeat(3_000), '👩‍👩‍👧'.repeat(2_000)])(
  'a description of %j alone has no empty text',
  async (text) => {
    const made = await reasoner.describeSegment({ turns: longTalk(text, 1) }, CALL);
    expect([made.title, made.topic, made.summary]).not.toContain('');
    expect(textsIn(made).filter((own) => UNSTORABLE.test(own))).toEqual([]);
  },
);
