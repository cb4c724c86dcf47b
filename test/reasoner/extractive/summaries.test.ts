import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compact } from '../../../src/reasoner/extractive/compact.ts';
import { describeSegment } from '../../../src/reasoner/extractive/describe-segment.ts';
import { summarizeEpisodes } from '../../../src/reasoner/extractive/summarize-episodes.ts';
import { splitSentences } from '../../../src/reasoner/extractive/text/sentences.ts';
import { bare, notSaid } from '../../support/quotes.ts';
import { talk } from './talk.ts';

/** Sentences of one name, one number and one date each, so that a cut would show. */
const FACTS = [
  'I met Ingrid in Bergen on 14 March and we paid 320 euros.',
  'The landlord, Mr. Okafor, wants 1,450 a month from June on because the roof is new.',
  'My brother Emil sold 12 boats last year, although nobody in Tromso believed in it.',
  'We decided to take the 7:40 train to Voss on Friday.',
  'The dentist moved my appointment to 9 April, which suits Ida and me.',
  'Our team lost 3 to 1 against Lyn on Sunday.',
  'I have been learning Portuguese for 6 months with Marisol, and I still mix up the tenses.',
  'The server in Frankfurt ran out of disk at 02:15, so Kenji deleted 40 GB of logs.',
  'You should ask Prof. Lindqvist about the 2019 survey before you start.',
  'Can you book the Grieg hotel for 4 people from 2 May?',
  'What does the ferry to Stavanger cost for 2 bikes?',
  'Pip swallowed a cork, 50 km from the clinic in Odda.',
];
const SMALL_TALK = [
  'Hey there!',
  'That is great!',
  'Thanks a lot.',
  'Sure, sounds good.',
  'Wow, really?',
  'ok',
  '👍',
  'See https://example.org',
];
const PLAIN = [
  'the kettle is on',
  'some of the older neighbours keep bees behind the school',
  'it rained all week',
  'painting calms her down, and the kids like to watch',
  'the roof, you know, is kinda old, Tom, and we, I mean, my brother and I repair it, Maya',
];
const FOREIGN = [
  'Gestern waren wir mit Anna am See in Lindau.',
  '我们昨天去了北京。',
  'Nous avons vu 3 cerfs hier soir.',
];

const sentence = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...FACTS) },
  { weight: 2, arbitrary: fc.constantFrom(...SMALL_TALK, ...PLAIN) },
  { weight: 1, arbitrary: fc.constantFrom(...FOREIGN) },
);
const line = fc
  .tuple(
    fc.constantFrom('Maya', 'Tom', 'user', 'assistant'),
    fc.array(sentence, { minLength: 1, maxLength: 3 }),
  )
  .map(([who, said]) => `${who}: ${said.join(' ')}`);
const turns = fc.array(line, { minLength: 1, maxLength: 14 }).map((lines) => talk(lines));
const anything = fc
  .array(
    fc
      .string({ minLength: 1, maxLength: 200, unit: 'grapheme' })
      .filter((text) => text.trim() !== ''),
    { minLength: 1, maxLength: 5 },
  )
  .map((texts) => talk(texts.map((text) => `user: ${text}`)));

function repeats(summary: string): boolean {
  const said = splitSentences(summary).map(bare);
  return said.some((one, i) => said.some((other, j) => i !== j && other.includes(one)));
}
/** The names, numbers and dates of each of FACTS; the first is only in that one. */
const DETAILS = [
  ['Ingrid', 'Bergen', '14 March', '320'],
  ['Okafor', '1,450', 'June'],
  ['Emil', '12', 'Tromso', 'last year'],
  ['7:40', 'Voss', 'Friday'],
  ['9 April', 'Ida'],
  ['Lyn', '3', '1', 'Sunday'],
  ['Marisol', 'Portuguese', '6'],
  ['Frankfurt', '02:15', 'Kenji', '40'],
  ['Lindqvist', '2019'],
  ['Grieg', '4', '2 May'],
  ['Stavanger', '2'],
  ['Odda', '50'],
];
const losesDetails = (summary: string): string[] =>
  DETAILS.filter(([own = '']) => summary.includes(own)).flatMap((details) =>
    details.filter((detail) => !summary.includes(detail)),
  );

const steps = {
  'describeSegment.summary': (from: ReturnType<typeof talk>) =>
    describeSegment({ turns: from }).summary,
  'compact.micro': (from: ReturnType<typeof talk>) => compact({ turns: from }).micro,
  'compact.meso': (from: ReturnType<typeof talk>) => compact({ turns: from }).meso,
  'summarizeEpisodes.summary': (from: ReturnType<typeof talk>) =>
    summarizeEpisodes({
      person: { name: null, timeZone: 'UTC' },
      facts: [],
      episodes: from.map(({ text, occurredAt }) => ({
        title: 'Talk',
        summary: text,
        endedAt: occurredAt,
      })),
      existing: [],
    }).summary.replace(/^\d{4}-\d{2}-\d{2}: /gm, ''),
};

it('an opening that is too long to be quoted whole is cut at a word, and a guess stays a guess', () => {
  const opening = `we want to move the whole archive of ${'blue yellow green '.repeat(20)}folders to the cellar`;
  const from = talk([
    `user: ${opening}`,
    'assistant: The cellar was wet in spring, check the walls first.',
    'user: It is dry enough by now, I think.',
  ]);
  const { micro } = compact({ turns: from });
  expect(micro).toMatch(/^User: We want to move the whole archive of [\w ]+…/);
  expect(micro?.length).toBeLessThanOrEqual(260);
  const { meso } = compact({ turns: from });
  expect(meso).toContain('It is dry enough by now, I think.');
});

describe.each(Object.entries(steps))('%s', (_name, summarize) => {
  it('the summary consists of sentences that were said word for word', () => {
    fc.assert(
      fc.property(turns, (from) => {
        expect(notSaid(summarize(from) ?? '', from)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('the summary keeps the names, numbers and dates of its sentences and has no repetitions', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom(...FACTS), { minLength: 6, maxLength: 12 }),
        (facts) => {
          const said = facts.map((fact, i) => `${i % 2 === 0 ? 'Maya' : 'Tom'}: ${fact}`);
          const summary = summarize(talk(said)) ?? '';
          expect(summary).not.toBe('');
          expect(losesDetails(summary)).toEqual([]);
          expect(repeats(summary)).toBe(false);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('the summary does not repeat what a conversation repeats, and is the same for the same input', () => {
    fc.assert(
      fc.property(turns, (from) => {
        const twice = [...from, ...from];
        const summary = summarize(twice);
        expect(repeats(summary ?? '')).toBe(false);
        expect(summarize(twice)).toBe(summary);
      }),
      { numRuns: 30 },
    );
  });

  it('the summary is not empty for any text', () => {
    fc.assert(
      fc.property(anything, (from) => {
        expect(summarize(from)).not.toBe('');
      }),
      { numRuns: 100 },
    );
  });

  it('the summary does not end with a conjunction, an article or a preposition', () => {
    fc.assert(
      fc.property(turns, (from) => {
        expect(summarize(from) ?? '').not.toMatch(
          // A lone word is all that was said.
          /\s(?:and|or|but|the|a|with|to|of|because|which)[.]?$/i,
        );
      }),
      { numRuns: 40 },
    );
  });
});
