import { describe, expect, it } from 'vitest';
import { missingIn } from '../../tools/eval/chats/ask-questions.ts';
import { createPlainSearch, packTexts } from '../../tools/eval/chats/plain-search.ts';
import type { ActiveFact } from '../../tools/eval/chats/read-memory.ts';
import { scoreFacts } from '../../tools/eval/chats/score-facts.ts';

describe('missingIn', () => {
  it.each([
    ['all match', ['tea', 'green'], 'Green tea', []],
    ['one is missing', ['tea', 'black'], 'Green tea', ['black']],
    ['lines are read as one', ['no.{0,9}tea'], 'no more\n  tea', []],
  ])('missingIn finds the missing parts of an answer: %s', (_what, answer, text, missing) => {
    const expressions = answer.map((source) => new RegExp(source, 'i'));
    expect(missingIn(expressions, text).map(({ source }) => source)).toEqual(missing);
  });
});

describe('scoreFacts', () => {
  const label = (value: string[], until: number | null = null) => ({
    statement: value.join(' '),
    value: value.map((source) => new RegExp(source, 'i')),
    from: 1,
    until,
  });
  const fact = (statement: string, value = ''): ActiveFact => ({
    category: 'IDENTITY',
    polarity: 'POSITIVE',
    statement,
    value,
  });
  const score = (labels: ReturnType<typeof label>[], facts: ActiveFact[], not: RegExp[] = []) => {
    const { found, missed, right, wrong, superfluous } = scoreFacts(
      { facts: labels, notFacts: not },
      facts,
    );
    return [found, missed, right, wrong, superfluous].map(({ length }) => length);
  };

  it.each([
    [
      'all expressions must match',
      [label(['ana', 'sister'])],
      [fact('Ana is a nurse')],
      [0, 1, 0, 0, 1],
    ],
    [
      'statement and value count',
      [label(['ana', 'sister'])],
      [fact('Ana', 'sister')],
      [1, 0, 1, 0, 0],
    ],
    ['what ended is not asked for', [label(['ana'], 7)], [fact('Ana')], [0, 0, 0, 0, 1]],
    [
      'a fact may tell two labels',
      [label(['ana']), label(['nurse'])],
      [fact('Ana, nurse')],
      [2, 0, 1, 0, 0],
    ],
    [
      'two facts may tell one label',
      [label(['ana'])],
      [fact('Ana'), fact('Ana K.')],
      [1, 0, 2, 0, 0],
    ],
  ])('scoreFacts compares facts with their labels: %s', (_what, labels, facts, counts) => {
    expect(score(labels, facts)).toEqual(counts);
  });

  it('scoreFacts counts facts that match a forbidden expression as wrong', () => {
    expect(score([label(['ana'])], [fact('Ana is a bear'), fact('A bear')], [/bear/])).toEqual([
      1, 0, 1, 2, 0,
    ]);
  });
});

describe('the plain search', () => {
  it('the plain search ranks texts by the words of the question, rare words first', () => {
    const { find } = createPlainSearch(['the tea is hot', 'tea and scones', 'a cold day', 'tea']);
    expect(find('scones with tea?')).toEqual(['tea and scones', 'tea', 'the tea is hot']);
    expect(find('who?')).toEqual([]);
  });

  it('packTexts returns as many of the first texts as fit', () => {
    expect(packTexts(['one two', 'three four five six seven', 'eight'], 6)).toBe('one two');
    expect(packTexts(['one two', 'eight'], 6)).toBe('one two\neight');
  });
});
