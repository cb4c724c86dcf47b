import { describe, expect, it } from 'vitest';
import { writtenSentences } from '../../../src/reasoner/extractive/facts/text/sentences.ts';
import { capForFacts } from '../../../src/reasoner/extractive/text/cap-for-facts.ts';
import { capInput, capText } from '../../../src/reasoner/extractive/text/cap-input.ts';
import { clip, storable } from '../../../src/reasoner/extractive/text/clip.ts';
import { shareOf } from '../../../src/reasoner/extractive/text/share.ts';
import { talk } from './talk.ts';

describe('clip', () => {
  it.each([
    ['as it is', 20, 'as it is'],
    ['cut at the end of a word', 15, 'cut at the end…'],
    ['nowheretobecut', 5, 'nowh…'],
    ['a list, of things', 8, 'a list…'],
    ['abc😀def', 5, 'abc…'],
  ])('%j is clipped to %i characters', (text, most, clipped) => {
    expect(clip(text, most)).toBe(clipped);
  });
});

it('storable keeps tabs and line breaks and removes what a database cannot hold', () => {
  expect(storable('a\tb\r\nc\u0000d\ud800e😀')).toBe('a\tb\nc de😀');
});

describe('capText', () => {
  it('capText does not change short texts and addresses', () => {
    const text = `One.\n\nSee https://example.org/${'a'.repeat(200)} there.`;
    expect(capText(text)).toBe(text);
  });

  it('capText keeps whole sentences from the beginning and the end of a long text', () => {
    const sentences = Array.from({ length: 1_000 }, (_, i) => `This is sentence ${i}.`);
    const capped = capText(sentences.join(' '));
    expect(capped.length).toBeLessThanOrEqual(5_000);
    const [head = '', tail = ''] = capped.split('\n');
    expect(head).toMatch(/^This is sentence 0\. .* This is sentence \d+\.$/);
    expect(tail).toMatch(/^This is sentence \d+\. .* This is sentence 999\.$/);
  });

  it('capText removes the code of a long text before its sentences', () => {
    const text = `Look:\n\`\`\`\n${'run();\n'.repeat(2_000)}\`\`\`\nIt fails.`;
    expect(capText(text).replace(/\s+/g, ' ')).toBe('Look: It fails.');
  });

  it('capText shortens very long words, but not scripts without spaces', () => {
    expect(capText(`so ${'x'.repeat(1_000)} yes`)).toBe(`so ${'x'.repeat(59)}… yes`);
    expect(capText('漢字'.repeat(100))).toBe('漢字'.repeat(100));
  });
});

it('capInput does not change known facts and dates, and limits the total length of the turns', () => {
  const known = [{ key: `profile:${'k'.repeat(150)}` }];
  const turns = talk(Array.from({ length: 500 }, () => `user: ${'We talk. '.repeat(500)}`));
  const capped = capInput({ known, turns });
  expect(capped.known).toEqual(known);
  expect(capped.turns[0]?.occurredAt).toEqual(turns[0]?.occurredAt);
  const total = capped.turns.reduce((sum, { text }) => sum + text.length, 0);
  expect(total).toBeLessThanOrEqual(400_000);
});

it('capForFacts does not change an ordinary conversation, and keeps the first clauses of a very long turn', () => {
  const usual = talk([
    'user: I live in Oslo, with Ann. "Really." Yes!\nBye 😀',
    'assistant: Ok?  Ok.',
  ]);
  expect(capForFacts(usual)).toEqual(usual);
  const [turn] = capForFacts(talk([`user: ${'I am. '.repeat(800)}`]));
  expect(turn?.text).toBe('I am. '.repeat(150));
});

it('capForFacts leaves 150 clauses of turns that are only context, and all of a turn after them', () => {
  const turns = talk(Array.from({ length: 4 }, () => `user: ${'I am. '.repeat(100)}`));
  const lengths = capForFacts(turns, 3).map(({ text }) => text.length / 'I am. '.length);
  expect(lengths).toEqual([50, 50, 50, 100]);
});

it('the rules for facts see no sentence of more than 300 characters', () => {
  const text = 'so we went on to the next one '.repeat(100).trim();
  const [turn] = capForFacts(talk([`user: ${text}`]));
  const lines = turn?.text.split('\n') ?? [];
  for (const pieces of [lines, writtenSentences(text)]) {
    expect(pieces.length).toBeGreaterThan(9);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(300);
  }
});

it.each([
  [10, [1, 2, 3], Number.POSITIVE_INFINITY],
  [10, [1, 20, 20], 4],
  [10, [], Number.POSITIVE_INFINITY],
])('shareOf divides %i among %j with a limit of %d each', (total, needs, share) => {
  expect(shareOf(total, needs)).toBe(share);
});
