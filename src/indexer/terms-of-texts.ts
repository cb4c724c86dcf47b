import { termsOf } from '../domain/terms.ts';

/** The terms of each text with their frequencies. */
export const termsOfTexts = (texts: readonly string[]): [string, number][][] =>
  texts.map((text) => [...termsOf(text)]);
