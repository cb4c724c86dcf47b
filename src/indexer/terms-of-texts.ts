import { termsOf } from '../language/text/terms.ts';

/** Returns the terms of each text with their frequencies, in the order of the texts. */
export const termsOfTexts = (texts: readonly string[]): [string, number][][] =>
  texts.map((text) => [...termsOf(text)]);
