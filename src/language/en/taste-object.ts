import { termsOf } from '../text/terms.ts';

/** Verbs that say nothing about which thing is liked: "using Vim" is Vim. */
const VERBS = new Set(termsOf('use work eat drink play read watch listen').keys());

/** The thing that a preference is about, as sorted terms: "using Vim" and "Vim" are the same. */
export const objectOfTaste = (value: string): string =>
  [...termsOf(value).keys()]
    .filter((term) => !VERBS.has(term))
    .sort()
    .join(' ');
