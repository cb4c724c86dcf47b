import { rankingCuesOf } from '../domain/ranking/ranking-cues.ts';
import { termsOf } from '../language/text/terms.ts';

/** Returns the terms of each text with their frequencies, in the order of the texts. */
export const termsOfTexts = (texts: readonly string[]): [string, number][][] =>
  texts.map((text) => [...termsOf(text)]);

/** Returns the cues of each text for the ranking. */
export const cuesOfTexts = (texts: readonly string[]): number[] => texts.map(rankingCuesOf);
