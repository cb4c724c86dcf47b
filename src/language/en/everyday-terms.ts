import { termsOf } from '../text/terms.ts';

/** Terms of kin, counts, times and reactions, which the talk of any two matters of one person shares. */
const EVERYDAY = new Set(
  termsOf(
    `mum mom mother dad father parent sister brother cousin aunt uncle friend mate guy
    zero one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty hundred thousand half
    quarter third once twice couple few several dozen double second minute hour week weekend month year decade morning afternoon
    evening noon midnight monday tuesday wednesday thursday friday saturday sunday january february march april may june july
    august september october november december spring summer autumn winter
    congratulations congrats luck lucky welcome pleasure apology worry brilliant exactly correct
    `,
  ).keys(),
);

/** Whether a term may occur in talk about anything. */
export const isEverydayTerm = (term: string): boolean => EVERYDAY.has(term);
