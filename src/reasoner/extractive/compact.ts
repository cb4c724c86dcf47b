import type { z } from 'zod';
import type { StepOutput, compact as shapes } from '../reasoner.ts';
import { corrected } from './corrections.ts';
import type { Meaning } from './meaning.ts';
import { participantsOf, worthOf } from './participants.ts';
import { patternsOf } from './patterns.ts';
import { quotesOf } from './quotes.ts';
import { MOST_SENTENCES, rankSentences } from './rank-sentences.ts';
import { sentencesOf } from './sentences.ts';
import { skillsOf } from './skills.ts';

/** One to three sentences (seed 000 §4.2). */
const MICRO = { sentences: 3, characters: 260 } as const;
/** A paragraph. */
const MESO = { sentences: 9, characters: 900 } as const;

/**
 * A thread at three resolutions, and what of it can be used again. Micro and meso
 * quote the sentences that tell most; macro and skills are empty unless the thread shows them.
 */
export async function compact(
  { turns }: z.output<(typeof shapes)['input']>,
  meaning: Meaning | null,
): Promise<StepOutput<'compact'>> {
  const people = participantsOf(turns);
  const sentences = corrected(sentencesOf(turns));
  const ranked = await rankSentences(sentences, {
    meaning,
    worth: (sentence) => worthOf(sentence, people),
    most: MOST_SENTENCES.thread,
  });
  return {
    micro: quotesOf(ranked, people, MICRO),
    meso: quotesOf(ranked, people, MESO),
    macro: people.english ? patternsOf(sentences, people) : '',
    heading: null,
    skills: people.english ? skillsOf(turns) : [],
  };
}
