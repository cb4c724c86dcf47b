import { describe, expect, it } from 'vitest';
import { LINKING_SIGNALS } from '../../../src/domain/links/linking-signal.ts';
import { assessRelatedness } from '../../../src/reasoner/extractive/assess-relatedness.ts';
import { commonGround } from '../../../src/reasoner/extractive/relatedness/relatedness-features.ts';
import { letterPairs, talk } from './talk.ts';

const WEATHER = talk(["user: What's the weather in New York?", 'user: What about next week?']);
const DAY = 24 * 60;
const assess = async (
  lines: readonly string[],
  { hints = [] as string[], after = 45, similarity = null as typeof letterPairs | null } = {},
) => {
  const threads = [{ summary: null, turns: WEATHER }];
  const input = { threads, message: talk(lines, after), hints };
  const [assessment] = (await assessRelatedness(input, similarity)).assessments;
  if (!assessment) throw new Error('nothing was assessed');
  return assessment;
};

describe('assessRelatedness', () => {
  it('a follow-up question about the same subject is linked', async () => {
    const verdict = await assess(['user: Oh, and what is it on Thursday?']);
    expect(verdict.related).toBe(true);
    expect(verdict.keySignals).toContain('continuation');
    expect(verdict.reasoning).toBe('Related: the message sounds like a continuation.');
  });

  it('a follow-up question is not linked when the conversation was weeks ago', async () => {
    const verdict = await assess(['user: Oh, and what is it on Thursday?'], { after: 20 * DAY });
    expect(verdict.related).toBe(false);
  });

  it('words that any two talks share are no reason', () => {
    const thread = ['The oven is hot now, what then?'];
    expect(commonGround(thread, ['Now, is the oven off tonight?'])).toEqual({
      words: ['oven'],
      names: [],
    });
  });

  it('a message that shares names and words is linked, with vectors and without', async () => {
    for (const similarity of [null, letterPairs]) {
      const verdict = await assess(['user: Will the weather in New York be warm tomorrow?'], {
        similarity,
        after: DAY,
      });
      expect(verdict.related).toBe(true);
      expect(verdict.reasoning).toContain('New York');
    }
  });

  it.each([
    'Can you book a table for two at the Thai place?',
    'My cat Luna turned 4.',
    'Thanks, that was helpful.',
  ])('a message about something else is not linked: %j', async (text) => {
    const verdict = await assess([`user: ${text}`]);
    expect(verdict).toMatchObject({ related: false, keySignals: [] });
    expect(verdict.confidence).toBeGreaterThan(0.5);
    expect(verdict.reasoning).toMatch(/^Not related: /);
  });

  it('an assessment names only known signals, and hints raise its confidence', async () => {
    const message = ['user: Is Newark near New York?'];
    const plain = await assess(message);
    const hinted = await assess(message, { hints: ['entity', 'nothing-we-know'] });
    const chance = ({ related, confidence }: typeof plain) =>
      related ? confidence : 1 - confidence;
    expect(chance(hinted)).toBeGreaterThan(chance(plain));
    for (const signal of plain.keySignals) expect(LINKING_SIGNALS).toContain(signal);
  });
});
