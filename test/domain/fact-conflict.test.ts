import { describe, expect, it } from 'vitest';
import type { CandidateFact } from '../../src/domain/fact.ts';
import { foldFacts, type HeldFact } from '../../src/domain/fact-conflict.ts';

const held = (fields: Partial<HeldFact>): HeldFact => ({
  id: 'held',
  category: 'IDENTITY',
  key: 'profile:city',
  value: 'Turin',
  statement: 'The user lives in Turin.',
  polarity: 'POSITIVE',
  confidence: 0.9,
  ...fields,
});

const candidate = (fields: Partial<CandidateFact>): CandidateFact => ({
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
  turn: 0,
  ...fields,
});

const active = (facts: readonly HeldFact[], candidates: readonly CandidateFact[]) =>
  foldFacts(facts, candidates).active.map(({ polarity, value }) => `${polarity} ${value}`);

const tool = (value: string, fields: Partial<CandidateFact> = {}) =>
  candidate({ category: 'PREFERENCE', key: `preference:${value}`, value, ...fields });

describe('folding facts', () => {
  it('lets a value that is as sure replace the old one', () => {
    const old = held({});
    const by = candidate({});
    expect(foldFacts([old], [by])).toMatchObject({
      active: [by],
      superseded: [{ fact: old, by }],
      refused: [],
    });
  });

  it('refuses a value that is less sure', () => {
    const old = held({});
    const weak = candidate({ confidence: 0.7 });
    expect(foldFacts([old], [weak])).toMatchObject({
      active: [old],
      refused: [{ candidate: weak, by: old }],
    });
  });

  it('lets a correction win that is less sure', () => {
    expect(
      active([held({ confidence: 1 })], [candidate({ confidence: 0.7, isCorrection: true })]),
    ).toEqual(['POSITIVE Genoa']);
  });

  it.each([{ confidence: 0.39 }, { importance: 0.19 }])('keeps nothing weak: %j', (weak) => {
    const made = candidate(weak);
    expect(foldFacts([], [made])).toMatchObject({
      active: [],
      refused: [{ candidate: made, by: null }],
    });
  });

  it('counts the same said again as a reinforcement', () => {
    const old = held({});
    const again = candidate({ value: 'turin' });
    expect(foldFacts([old], [again])).toMatchObject({
      active: [old],
      reinforced: [{ fact: old, by: again }],
      superseded: [],
    });
  });

  it('keeps several values where the key holds the object', () => {
    expect(active([], [tool('vim'), tool('zsh')])).toEqual(['POSITIVE vim', 'POSITIVE zsh']);
  });

  it('leaves the negation active, and the revival after it', () => {
    const stopped = tool('vim', { polarity: 'NEGATIVE' });
    expect(active([], [tool('vim'), stopped])).toEqual(['NEGATIVE vim']);
    expect(active([], [tool('vim'), stopped, tool('vim')])).toEqual(['POSITIVE vim']);
  });

  it('displaces the fact that an update names, whatever its key', () => {
    const old = held({ id: 'old', category: 'PREFERENCE', key: 'preference:vim', value: 'vim' });
    const other = tool('helix', { action: 'UPDATE', factId: 'old', isCorrection: true });
    expect(active([old], [other])).toEqual(['POSITIVE helix']);
  });

  it('folds facts without a key by their value', () => {
    const goal = { category: 'GOAL', key: null, value: 'a sailing licence' } as const;
    expect(active([held({ ...goal })], [candidate({ ...goal, polarity: 'NEGATIVE' })])).toEqual([
      'NEGATIVE a sailing licence',
    ]);
  });

  it('gives what is known of a relation to the name it gets', () => {
    const city = held({ category: 'RELATIONSHIP', key: 'person:aunt:city', value: 'Como' });
    const name = candidate({
      category: 'RELATIONSHIP',
      key: 'person:rosa:relation',
      value: 'aunt',
    });
    const folded = foldFacts([city], [name]);
    expect(folded.active.map(({ key }) => key)).toEqual([
      'person:rosa:city',
      'person:rosa:relation',
    ]);
    expect(folded.rekeyed).toEqual([{ fact: city, key: 'person:rosa:city' }]);
  });
});
