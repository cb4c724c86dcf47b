import { describe, expect, it } from 'vitest';
import { findTopicStarts } from '../../../src/domain/segments/boundary-model.ts';
import { areExchanges, type TimedTurn } from '../../../src/domain/segments/exchange-boundaries.ts';

type Line = readonly [minute: number, role: TimedTurn['role'], text: string];

const told = (lines: readonly Line[]): TimedTurn[] =>
  lines.map(([minute, role, text]) => ({ role, text, occurredAt: new Date(minute * 60_000) }));

const cuts = (lines: readonly Line[]) =>
  findTopicStarts(told(lines), null).map(({ index }) => index);

const BATHROOM: Line[] = [
  [0, 'USER', 'the shower drain is slow again, standing in water up to the ankles'],
  [0, 'ASSISTANT', 'Lift the grid and pull out the hair first. Then hot water and soda.'],
  [4, 'USER', 'it was hair. so much hair. drains like new'],
  [4, 'ASSISTANT', 'Put a strainer in and you will never see it again.'],
];

describe('talk with a machine', () => {
  it('uneven pauses show talk with a machine', () => {
    expect(areExchanges(told(BATHROOM))).toBe(true);
  });

  it('with evenly spaced times the words of the assistant decide whether it is a machine', () => {
    const even = (answer: string) =>
      told([
        [0, 'USER', 'my drain is slow'],
        [1, 'ASSISTANT', answer],
        [2, 'USER', 'it was hair'],
      ]);
    expect(areExchanges(even('Lift the grid first.'))).toBe(true);
    expect(areExchanges(even('I have a slow one too, I hate it.'))).toBe(false);
  });

  it.each([
    ['people among themselves', ['USER', 'OTHER', 'USER']],
    ['an assistant alone', ['ASSISTANT', 'ASSISTANT', 'ASSISTANT']],
  ] as const)('talk of %s is no talk with a machine', (_, roles) => {
    const turns = roles.map((role, at): Line => [at * at, role, 'The drain is slow.']);
    expect(areExchanges(told(turns))).toBe(false);
  });
});

describe('topics of talk with a machine', () => {
  it('a topic begins where somebody says so', () => {
    const lines: Line[] = [
      ...BATHROOM,
      [9, 'USER', 'second thing. what do i bring to a christening, i have never been to one'],
      [9, 'ASSISTANT', 'A card and something small that lasts, a book or a silver spoon.'],
    ];
    expect(cuts(lines)).toEqual([4]);
  });

  it('a topic continues where somebody refers back', () => {
    const lines: Line[] = [
      ...BATHROOM,
      [5, 'USER', 'that strainer, does it come in 9 cm'],
      [5, 'ASSISTANT', 'Yes, measure the inside of the drain.'],
    ];
    expect(cuts(lines)).toEqual([]);
  });

  it('an answer never opens a topic, however new its words are', () => {
    const lines: Line[] = [
      ...BATHROOM,
      [6, 'USER', 'and what is the longest river that flows north'],
      [6, 'ASSISTANT', 'Also by the way: the Nile, through eleven countries to the sea.'],
    ];
    expect(cuts(lines)).not.toContain(5);
  });
});
