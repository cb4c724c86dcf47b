import type { z } from 'zod';
import type { StepOutput, compact as shapes } from '../reasoner.ts';
import { compose, thirdOf } from './compose.ts';
import type { Meaning } from './meaning.ts';
import { participantsOf, partOf } from './participants.ts';
import { patternsOf } from './patterns.ts';
import { MOST_SENTENCES, rankSentences } from './rank-sentences.ts';
import { sentencesOf } from './sentences.ts';
import { skillsOf } from './skills.ts';

/** One to three sentences (seed 000 §4.2). */
const MICRO = { words: 45, sentences: 2, characters: 260 } as const;
/** A paragraph. */
const MESO = { words: 150, sentences: 9, characters: 900 } as const;

/**
 * A thread at three resolutions, and what of it can be used again. Micro and meso take at most a
 * third of the turns' characters each; macro and skills are empty unless the thread shows them.
 */
export async function compact(
  { turns }: z.output<(typeof shapes)['input']>,
  meaning: Meaning | null,
): Promise<StepOutput<'compact'>> {
  const people = participantsOf(turns);
  const sentences = sentencesOf(turns);
  const ranked = await rankSentences(sentences, {
    meaning,
    worth: (sentence) => partOf(sentence, people),
    most: MOST_SENTENCES.thread,
  });
  const third = thirdOf(turns.map(({ text }) => text));
  const within = (limits: typeof MICRO | typeof MESO) =>
    compose(ranked, people, { ...limits, characters: Math.min(limits.characters, third) });
  return {
    micro: within(MICRO),
    meso: within(MESO),
    macro: people.english ? patternsOf(sentences, people) : '',
    heading: null,
    skills: people.english ? skillsOf(turns) : [],
  };
}
