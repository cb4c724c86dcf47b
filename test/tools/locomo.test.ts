import { describe, expect, it } from 'vitest';
import { parseLocomo } from '../../tools/eval/locomo.ts';

const conversation = {
  speaker_a: 'Ana',
  speaker_b: 'Ben',
  session_10_date_time: '12:05 am on 3 March, 2024',
  session_10: [{ speaker: 'Ben', dia_id: 'D10:1', text: 'Back from the lake.' }],
  session_2_date_time: '12:30 pm on 1 March, 2024',
  session_2: [
    { speaker: 'Ana', dia_id: 'D2:1', text: 'Look!', blip_caption: 'a red kite' },
    { speaker: 'Ben', dia_id: 'D2:2', text: 'Lovely.' },
  ],
  session_3_date_time: '1:00 pm on 2 March, 2024',
};
const question = (category: number, evidence: string[]) => ({
  question: `Question of category ${category}?`,
  answer: 'unused',
  category,
  evidence,
});
const parse = (qa: unknown[]) =>
  parseLocomo(JSON.stringify([{ sample_id: 'conv-1', conversation, qa }]))[0];

describe('parseLocomo', () => {
  it('sessions are sorted by number, and their turns are spaced by 20 s', () => {
    expect(parse([])?.turns.map(({ id, occurredAt }) => [id, occurredAt])).toEqual([
      ['D2:1', '2024-03-01T12:30:00.000Z'],
      ['D2:2', '2024-03-01T12:30:20.000Z'],
      ['D10:1', '2024-03-03T00:05:00.000Z'],
    ]);
  });

  it('the caption of an image is appended to the text', () => {
    expect(parse([])?.turns[0]?.text).toBe('Look! [a red kite]');
  });

  it('questions of categories 1-4 are kept when their evidence is in the conversation', () => {
    const found = parse([
      question(1, ['D2:1; D10:01']),
      question(2, ['D:2:2', 'D2:2']),
      question(3, ['D9:9']),
      question(4, ['D']),
      question(5, ['D2:1']),
    ]);
    expect(found?.questions.map(({ category, evidence }) => [category, evidence])).toEqual([
      [1, ['D2:1', 'D10:1']],
      [2, ['D2:2']],
    ]);
  });

  it('a time that cannot be read is reported', () => {
    const odd = { ...conversation, session_2_date_time: 'yesterday' };
    const json = JSON.stringify([{ sample_id: 'c', conversation: odd, qa: [] }]);
    expect(() => parseLocomo(json)).toThrow('"yesterday" is not a time of LoCoMo.');
  });
});
