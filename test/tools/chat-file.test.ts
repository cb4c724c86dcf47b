import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parseChat, turnsOf } from '../../tools/eval/chats/chat-file.ts';

const fixture = JSON.parse(
  await readFile(new URL('chats-fixture.json', import.meta.url), 'utf8'),
) as Record<string, unknown>;
const parse = (changes: object) =>
  parseChat('folder/nell.json', JSON.stringify({ ...fixture, ...changes }));
const question = {
  q: 'Who?',
  at: '2026-03-09T09:00:00Z',
  answer: ['x'],
  evidence: [1],
  kind: 'fact',
};

describe('parseChat', () => {
  it('parseChat reads turns, labels and questions, and its expressions ignore case', () => {
    const chat = parse({});
    expect(chat.file).toBe('nell.json');
    expect(turnsOf(chat).map(({ n }) => n)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(chat.facts[0]?.value[0]?.test('NELL')).toBe(true);
  });

  it.each([
    ['a field is missing', { facts: undefined }, 'facts: '],
    ['an expression is broken', { notFacts: ['(open'] }, 'notFacts.0: "(open" is no regular'],
    ['a time is none', { questions: [{ ...question, at: 'soon' }] }, 'questions.0.at: '],
    ['a kind is unknown', { questions: [{ ...question, kind: 'odd' }] }, 'questions.0.kind: '],
    ['an answer is empty', { questions: [{ ...question, answer: [] }] }, 'questions.0.answer: '],
    ['a turn is not there', { cuts: [3, 77] }, 'cuts.1: there is no turn 77'],
    [
      'a conversation is not there',
      { links: [['c1', 'c9']] },
      'links.0: there is no conversation c9',
    ],
  ])('parseChat names the file and the field when %s', (_what, changes, message) => {
    expect(() => parse(changes)).toThrow(`folder/nell.json is no labelled chat:\n  ${message}`);
  });

  it('parseChat names a file that is not JSON', () => {
    expect(() => parseChat('folder/nell.json', '{')).toThrow('folder/nell.json is no JSON: ');
  });
});
