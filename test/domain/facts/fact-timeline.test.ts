import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalValue } from '../../../src/domain/facts/fact-key.ts';
import {
  type DatedCandidate,
  type DatedFact,
  reconcileFacts,
} from '../../../src/domain/facts/fact-timeline.ts';
import { processorTime } from '../../support/processor-time.ts';

const day = (number: number): Date => new Date(Date.UTC(2026, 0, number));
const candidate = (fields: Partial<DatedCandidate>): DatedCandidate => ({
  action: 'NEW',
  factId: null,
  category: 'IDENTITY',
  key: 'profile:city',
  value: 'Genoa',
  statement: 'The user lives in Genoa.',
  polarity: 'POSITIVE',
  scope: null,
  confidence: 0.9,
  importance: 0.8,
  isCorrection: false,
  at: day(10),
  ...fields,
});
const counter = () => {
  let last = 0;
  return () => String(++last);
};
const settle = (...candidates: DatedCandidate[]) => reconcileFacts([], candidates, counter());
/** Every fact as "value from-to", days of January. */
const timeline = (facts: readonly DatedFact[]) =>
  facts
    .toSorted((a, b) => a.validFrom.getTime() - b.validFrom.getTime())
    .map(({ polarity, value, validFrom, validTo }) => {
      const sign = polarity === 'NEGATIVE' ? 'no ' : '';
      return `${sign}${value} ${validFrom.getUTCDate()}-${validTo?.getUTCDate() ?? ''}`;
    });

it('a candidate that names a draft means the fact that it became', () => {
  const likes = (value: string, fields: Partial<DatedCandidate>) =>
    candidate({ category: 'INTEREST', key: `interest:${value}`, value, ...fields });
  const [known] = settle(likes('jazz', { at: day(1) })).facts;
  if (!known) throw new Error('Nothing was settled.');
  let last = 1;
  const { facts } = reconcileFacts(
    [known],
    [
      likes('jazz', { draftId: 'draft-1' }),
      likes('chess', { draftId: 'draft-2', confidence: 0.3 }),
      likes('chess', { draftId: 'draft-2' }),
      likes('tea', { draftId: 'draft-3' }),
      likes('games', {
        factId: 'draft-2',
        action: 'INVALIDATE',
        polarity: 'NEGATIVE',
        at: day(12),
      }),
    ],
    () => String(++last),
  );
  expect(timeline(facts)).toEqual(['jazz 1-', 'chess 10-12', 'tea 10-', 'no games 12-']);
});

describe('settling candidates', () => {
  const turin = candidate({ value: 'Turin', at: day(5) });
  it.each<[string, DatedCandidate[], string[]]>([
    [
      'a value that is as sure takes the place of the old one',
      [turin, candidate({})],
      ['Turin 5-10', 'Genoa 10-'],
    ],
    ['a value that is less sure is refused', [turin, candidate({ confidence: 0.7 })], ['Turin 5-']],
    [
      'a correction wins that is less sure',
      [turin, candidate({ confidence: 0.7, isCorrection: true })],
      ['Turin 5-10', 'Genoa 10-'],
    ],
    [
      'what is weak is not kept',
      [candidate({ confidence: 0.39 }), candidate({ importance: 0.19 })],
      [],
    ],
    ['the same again changes no time', [turin, candidate({ value: 'turin' })], ['Turin 5-']],
    [
      'an older statement is closed history',
      [turin, candidate({ at: day(2) })],
      ['Genoa 2-5', 'Turin 5-'],
    ],
    [
      'the same said of an earlier time began then',
      [turin, candidate({ value: 'Turin', at: day(2) })],
      ['Turin 2-'],
    ],
    [
      'a statement of the past that is in between ends where the next begins',
      [turin, candidate({}), candidate({ value: 'Como', at: day(7) })],
      ['Turin 5-7', 'Como 7-10', 'Genoa 10-'],
    ],
    [
      'a denial ends what was so; a newer positive wins, however sure it is',
      [
        candidate({ key: 'preference:vim', value: 'vim', at: day(1) }),
        candidate({ key: 'preference:vim', value: 'vim', polarity: 'NEGATIVE', at: day(2) }),
        candidate({ key: 'preference:vim', value: 'vim', confidence: 0.5, at: day(3) }),
      ],
      ['vim 1-2', 'no vim 2-3', 'vim 3-'],
    ],
    [
      'several values hold where the key holds the object',
      [
        candidate({ key: 'preference:vim', value: 'vim', at: day(1) }),
        candidate({ key: 'preference:zsh', value: 'zsh', at: day(2) }),
      ],
      ['vim 1-', 'zsh 2-'],
    ],
    [
      'facts without a key are one by their value',
      [
        candidate({ category: 'GOAL', key: null, value: 'a sailing licence', at: day(1) }),
        candidate({
          category: 'GOAL',
          key: null,
          value: 'sailing licence',
          polarity: 'NEGATIVE',
          at: day(2),
        }),
      ],
      ['a sailing licence 1-2', 'no sailing licence 2-'],
    ],
  ])('%s', (_name, candidates, expected) => {
    expect(timeline(settle(...candidates).facts)).toEqual(expected);
  });

  it('a refusal names the fact that was more confident', () => {
    const { changes } = settle(turin, candidate({ confidence: 0.7 }));
    expect(changes.at(-1)).toMatchObject({ kind: 'refuse', reason: 'less sure', by: '1' });
  });

  it('an update ends the fact that it names, whatever its key', () => {
    const vim = candidate({
      category: 'PREFERENCE',
      key: 'preference:vim',
      value: 'vim',
      at: day(1),
    });
    const helix = {
      key: 'preference:helix',
      value: 'helix',
      action: 'UPDATE',
      factId: '1',
    } as const;
    expect(timeline(settle(vim, candidate({ ...vim, ...helix, at: day(2) })).facts)).toEqual([
      'vim 1-2',
      'helix 2-',
    ]);
  });

  it('facts about a relation move to the name that it gets', () => {
    const person = { category: 'RELATIONSHIP' } as const;
    const { facts, changes } = settle(
      candidate({ ...person, key: 'person:aunt:city', value: 'Como', at: day(1) }),
      candidate({ ...person, key: 'person:rosa:relation', value: 'aunt', at: day(2) }),
    );
    expect(facts.map(({ key }) => key)).toEqual(['person:rosa:city', 'person:rosa:relation']);
    expect(changes).toContainEqual({ kind: 'rekey', id: '1', key: 'person:rosa:city' });
  });
});

describe('candidate facts, in whatever order they are reconciled', () => {
  const anyCandidate = fc.record({
    value: fc.constantFrom('Turin', 'Genoa', 'Como'),
    key: fc.constantFrom('profile:city', 'preference:vim'),
    polarity: fc.constantFrom('POSITIVE' as const, 'NEGATIVE' as const),
    confidence: fc.constantFrom(0.3, 0.5, 0.9, 1),
    isCorrection: fc.boolean(),
    at: fc.integer({ min: 1, max: 28 }).map(day),
  });
  const holdAt = (facts: readonly DatedFact[], key: string, at: Date) =>
    facts.filter(
      (fact) => fact.key === key && fact.validFrom <= at && (!fact.validTo || at < fact.validTo),
    );

  it('one thing is true of a subject at a time, no time runs backwards, and nothing is lost', () => {
    fc.assert(
      fc.property(fc.array(anyCandidate, { maxLength: 20 }), (candidates) => {
        const { facts, changes } = settle(...candidates.map(candidate));
        for (const key of ['profile:city', 'preference:vim']) {
          for (let date = 1; date <= 28; date += 1) {
            expect(holdAt(facts, key, day(date)).length).toBeLessThanOrEqual(1);
          }
        }
        for (const { validFrom, validTo } of facts) {
          expect(validTo === null || validTo >= validFrom).toBe(true);
        }
        const fates = changes.filter(({ kind }) => kind !== 'close' && kind !== 'rekey');
        expect(fates).toHaveLength(candidates.length);
        expect(facts).toHaveLength(changes.filter(({ kind }) => kind === 'insert').length);
      }),
    );
  });

  it('the latest statement wins if it is at least as confident', () => {
    fc.assert(
      fc.property(fc.array(anyCandidate, { maxLength: 12 }), (candidates) => {
        const last = candidate({ value: 'Bari', confidence: 1, at: day(30) });
        const { facts } = settle(...candidates.map(candidate), last);
        expect(holdAt(facts, 'profile:city', day(31)).map(({ value }) => value)).toEqual(['Bari']);
      }),
    );
  });
});

describe('how much it computes', () => {
  const said = (count: number, about: string): DatedCandidate[] =>
    Array.from({ length: count }, (_, place) =>
      candidate({
        key: null,
        value: `The ${about}'s café, number ${place} of the towns I've seen.`,
      }),
    );

  it('reconciling many candidates with many facts normalises each value once', () => {
    const { facts } = settle(...said(500, 'aunt'));
    const own = said(500, 'uncle');
    reconcileFacts(facts, own.slice(0, 10), counter());
    const reading = processorTime(() => own.map(({ value }) => normalValue(value)));
    const settling = processorTime(() => reconcileFacts(facts, own, counter()));
    expect(settling).toBeLessThan(reading * 150);
  });
});
