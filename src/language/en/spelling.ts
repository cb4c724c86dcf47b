import { pattern } from '../text/pattern.ts';

const OR = pattern()`
  ^((?:dis|multi|water)?(?:arm|behavi|cand|clam|col|endeav|fav|ferv|flav|glam|harb|hon|hum|lab|neighb|od|parl|rig|rum
  |sav|splend|tum|val|vap|vig))or(s|ed|ing|ings|ful|less|able|hood|ite|ites)?$
`;
const TER = /^((?:amphi)?theat|cent|fib|lit|met)er(s?)$/;
/** Not "prize" and "size", nor "capsize" and "resize". */
const IZE = /^(\p{L}{3,}[^s\P{L}])iz(e|ed|es|ing|er|ers|ation|ations)$/u;

/** The British spelling of a lower-case word, if it is an American one: "color" → "colour". */
export const british = (word: string): string =>
  word
    .replace(OR, '$1our$2')
    .replace(TER, '$1re$2')
    .replace(IZE, '$1is$2')
    .replace(/^gray(s|ish)?$/, 'grey$1');
