import { describe, expect, it } from 'vitest';
import { CAPTURE_KNOBS } from '../../../src/domain/episodes/capture.ts';
import { type WorthInput, worthOf } from '../../../src/domain/episodes/worth.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 4, 4, 18, minute));

/** What the user says, the assistant answering each time; `minutes` from the first to the last. */
function talk(said: readonly string[], given: Partial<WorthInput> = {}, minutes = 10): WorthInput {
  const turns = said.flatMap((text) => [
    { role: 'USER' as const, text },
    { role: 'ASSISTANT' as const, text: 'All right.' },
  ]);
  const rest = { saidBefore: null, decisions: 0, changed: 0 };
  return { turns, startedAt: at(0), endedAt: at(minutes), ...rest, ...given };
}

const isWorth = (input: WorthInput) => (worthOf(input) ?? 0) >= CAPTURE_KNOBS.notabilityMin;

describe('what is worth an episode', () => {
  it.each([
    [
      'an event',
      talk(['The river came into the cellar last night!! We carried the wine up until four.']),
    ],
    [
      'a decision',
      talk(
        ['I rang both schools. we took the one by the park, she starts on the 7th of September'],
        { decisions: 1 },
      ),
    ],
    [
      'an outcome',
      talk([
        'the dough never rises',
        'it worked!! I left it by the stove overnight and it doubled',
      ]),
    ],
    [
      'a lesson',
      talk([
        'the gate fell off again, I had screwed it into the plaster',
        'lesson learned: I drilled into the stone this time and it held',
      ]),
    ],
  ])('a segment is worth an episode: %s', (_name, input) => {
    expect(isWorth(input)).toBe(true);
  });

  it.each([
    ['a look-up', talk(['what time does the ferry to Brac leave', 'and back?'], {}, 2)],
    ['a joke', talk(['imagine if i just opened a zoo for wasps lol', 'haha ok bye'], {}, 2)],
    ['an instruction', talk(['please never use tables, keep it short', 'always metric'], {}, 2)],
    [
      'what somebody is and has',
      talk(['btw my sister is Ida, my wife works at the mill and I have a boat', 'ok bye'], {}, 2),
    ],
    ['an aside', talk(['also whats a good name for a boat'], { saidBefore: at(-4) }, 1)],
  ])('a segment is not worth an episode: %s', (_name, input) => {
    expect(isWorth(input)).toBe(false);
  });

  it('a segment whose facts an assistant only notes is worth less', () => {
    const told =
      'the harbour office called, our berth moved to the north pier and they were closed';
    const answered = (text: string) =>
      worthOf(
        talk([told], {
          turns: [
            { role: 'USER', text: told },
            { role: 'ASSISTANT', text },
          ],
        }),
      );
    expect(answered('Noted, north pier.')).toBeLessThan(answered('Why did it?') as number);
  });

  it('worth is null for other languages and without turns of people', () => {
    expect(
      worthOf(talk(['Ayer se rompió la tubería del baño y el agua llegó hasta la cocina'])),
    ).toBe(null);
    expect(worthOf(talk([]))).toBe(null);
  });
});
