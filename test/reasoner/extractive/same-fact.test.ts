import { describe, expect, it } from 'vitest';
import { isSameFact } from '../../../src/reasoner/extractive/same-fact.ts';

describe('isSameFact', () => {
  it.each([
    ['The user lives in Eger.', 'The user lives in Vác.', true],
    ['The user loves plum dumplings.', 'The user loves plum dumplings with cream.', true],
    ['The user uses Krita.', 'The user does not use Krita.', true],
    ['The user loves opera.', 'The user plays the trumpet.', false],
    ["Béla is the user's cousin.", 'The user works at Zsolnay.', false],
    ['Béla lives in Eger.', 'Piroska lives in Eger.', false],
  ])('"%s" and "%s" state the same fact: %s', (known, candidate, same) => {
    expect(isSameFact({ known, candidate }).same).toBe(same);
  });
});
