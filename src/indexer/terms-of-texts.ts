import { termsOf } from '../language/text/terms.ts';

/** The terms of each text with their frequencies. */
export const termsOfTexts = (texts: readonly string[]): [string, number][][] =>
  texts.map((text) => [...termsOf(text)]);
