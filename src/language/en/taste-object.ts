import { termsOf } from '../text/terms.ts';

/** Verbs that do not matter for which thing is liked: "using Vim" is Vim. */
const VERBS = new Set(termsOf('use work eat drink play read watch listen').keys());

/** The thing that a preference is about, as sorted terms: equal for "using Vim" and "Vim". */
export const objectOfTaste = (value: string): string =>
  [...termsOf(value).keys()]
    .filter((term) => !VERBS.has(term))
    .sort()
    .join(' ');
