import fc from 'fast-check';
import { expect, it } from 'vitest';
import { IgnoringCase } from '../../../src/language/text/ignoring-case.ts';

const TEXTS = [
  'We LIVE in Oslo with Maria, and WE live in “São Paulo” with ANNA.',
  'i live in ÉVREUX with Ζωή Σίσυφος',
  'Nothing here.',
  '🎉 I Live in łódź with 李 🎉',
];
const PATTERN = String.raw`\b(?:I|We) (?<Verb>live|LOVE) in (?<place>[^,.]+?) with (?<Who>\p{Lu}\p{L}+)(?<none>x)?`;

/** What each way to use an expression gives. */
const uses = (text: string, once: RegExp, all: RegExp) => ({
  exec: { ...once.exec(text), indices: undefined },
  groups: { ...once.exec(text)?.groups },
  test: [once.test(text), all.test(text), all.lastIndex, all.test(text), all.lastIndex],
  matchAll: [...text.matchAll(all)].map((match) => [...match, match.index]),
  match: [text.match(once)?.[0], text.match(all)],
  replace: [
    text.replace(once, '[$<place>|$1|$&]'),
    text.replace(all, (whole, verb, place) => `${whole.length}${verb}${place}`),
  ],
  split: text.split(once),
  search: text.search(once),
});

it.each(TEXTS)('an expression that ignores case gives the same as one with "iu": %s', (text) => {
  expect(uses(text, new IgnoringCase(PATTERN), new IgnoringCase(PATTERN, 'g'))).toEqual(
    uses(text, new RegExp(PATTERN, 'iu'), new RegExp(PATTERN, 'giu')),
  );
});

it('a match has the words of any text as they are', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), (before, after) => {
      const text = `${before}#NAMED${after}`;
      const match = new IgnoringCase('#Nam(?<rest>.*)$', 's').exec(text);
      expect(match?.[0]).toBe(text.slice(match?.index));
      expect(text.endsWith(match?.groups?.rest ?? 'none')).toBe(true);
    }),
  );
});

it('a capital I with a dot is an i, and no character is moved', () => {
  expect(new IgnoringCase('^in (?<city>i\\w+)').exec('In İzmir')?.groups).toEqual({
    city: 'İzmir',
  });
});
