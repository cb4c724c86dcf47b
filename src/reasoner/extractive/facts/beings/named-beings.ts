import { pattern, source } from '../../../../language/text/pattern.ts';
import { capitalised } from '../../text/clean-text.ts';
import { nlp } from '../../text/tagger.ts';
import type { Draft } from '../text/draft.ts';
import { mayBeName, personNameOf } from '../text/person-names.ts';
import { placeOf } from '../text/places.ts';
import type { Scene } from '../text/scene.ts';
import { CLOSE_ONE, FEW, RELATION } from '../text/words.ts';
import { aged, being, introduced, livesIn } from './being-facts.ts';

const NAME = source`[\p{L}][\p{L}\p{M}'’-]{1,30}`;
/** "Niamh, my sister, …", "zola (flatmate) …", "hania, that is my niece, …". */
const NAME_FIRST = pattern('giu')`
  (?<![\p{L}\p{M}'’-])(?<name>${NAME})(?:, (?:(?:that|who|s?he) is )?(?:my|our) (?<relation>${RELATION})(?=[,.!?)])
  | \((?:(?:my|our) (?<own>${RELATION})|(?<bare>${CLOSE_ONE}))(?:, (?:s?he|they) (?:is|are|lives?)[ ]
  (?:(?:now|based|living) ){0,2}in (?<place>[\p{L}' -]{3,30})\)|(?=\)|, (?:s?he|they|who|aged|\d|from|in|at)\b)))
`;
/** Words before a name that show that the relation may be somebody else's: "Sam lives with Kim (flatmate)". */
const OF_ANOTHER = /\b(?:his|her|their|\p{L}+'s|lives?|living)\b/iu;

/** What else may stand before a bracket: "lunch (my colleague)". */
const OCCASION = pattern('i')`
  ^(?:lunch|dinner|breakfast|brunch|supper|coffee|drinks?|party|wedding|birthday|meeting|appointment|visit|trip|holiday
  |gift|present|cake|car|house|flat|room|school|office|team|family|guests?|people|question|update|news|note)$
`;

const NO_NAME = '(#Adverb|#Date|#Expression|#Conjunction|#Preposition|#Pronoun)';

/** Whether a word before a comma and "my sister" is a name: "Will, my brother, …". */
const isNameBeforeComma = (name: string, before: string): boolean =>
  !/[\p{L}'’]$/u.test(before) &&
  (/^\p{Lu}/u.test(name) && personNameOf(name) === name
    ? !nlp(name).has(NO_NAME)
    : isName(name, before, true));

/** Whether a word before a bracket is a name. One that is not known as a name must be written so, or come first. */
function isName(name: string, before: string, isClear: boolean): boolean {
  if (!mayBeName(name) || OCCASION.test(name)) return false;
  // The word before may be a part of the name: "Jo Smith (my boss)".
  if (/(?<![\p{L}])(?!I$)\p{Lu}[\p{L}'’-]*$/u.test(before)) return false;
  const isWritten = /^\p{Lu}/u.test(name) && before !== '';
  return isWritten || (isClear && before === '') || nlp(capitalised(name)).has('#FirstName');
}

/** Those who are introduced by a name with the relation behind it. */
export const namedFirst = (sentence: string, scene: Scene): Draft[] =>
  Array.from(sentence.matchAll(NAME_FIRST)).flatMap(({ index, groups = {} }) => {
    const { name = '', relation, own, bare, place = '' } = groups;
    const before = sentence.slice(0, index).trim();
    const role = (relation ?? own ?? bare ?? '').toLowerCase();
    const isOther = bare !== undefined && OF_ANOTHER.test(before);
    const isNamed = relation ? isNameBeforeComma(name, before) : isName(name, before, !bare);
    if (isOther || !isNamed) return [];
    const one = being('PERSON', role, name);
    const drafts = [
      introduced(scene, one),
      (placeOf(place) === place && livesIn(one, place)) || [],
    ].flat();
    return relation ? drafts : drafts.map((draft) => ({ ...draft, isAside: true }));
  });

const AGE = '(?:,? ?\\(?(?:aged )?\\d{1,2}\\)?)?';
const COUNT: ReadonlyMap<string, number> = new Map(
  FEW.split('|').map((word, at) => [word, at + 2] as const),
);
const SOME = source`(?:(?<count>${FEW}|[2-9]|10) )?`;
/** "my kids are called Mia and Leo", "our daughters Ida (4) and Elsa (7)", "I have two kids, Mia and Leo". */
const TOGETHER = pattern('giu')`
  \b(?:(?<has>I|we) have |(?:my|our) )${SOME}(?:[\p{L}-]+ )?(?<many>kids|children|twins|boys|girls|(?:${RELATION})s)
  (?<link>(?: are|')? ?(?:called|named|names are) |:? |, | \()(?<list>${NAME}${AGE}(?:, ${NAME}${AGE}){0,6},? (?:and|&) ${NAME}${AGE})
  (?=[,.;:!?)]|$| (?:are|is|who|both|have|live|love|go|were|in|on|at|for|to|with|from|but|so)\b)
`;
const CHILD = /^(?:kid|children|twin)/i;
const IMAGINED = /\b(?:if|suppose|imagine|would|wish)\b/i;

/** One of those who are named together. */
function roleOf(many: string): string {
  if (CHILD.test(many)) return 'child';
  if (/^boys$/i.test(many)) return 'son';
  return /^girls$/i.test(many) ? 'daughter' : many.slice(0, -1).toLowerCase();
}

/** Whether the words after "my kids" are their names, rather than other things. */
function areNames(
  names: readonly string[],
  { has, count = '', many = '', link = '' }: Record<string, string>,
): boolean {
  if (names.some((name) => !mayBeName(name) && !(/^\p{Lu}/u.test(name) && personNameOf(name))))
    return false;
  if (/called|name/i.test(link)) return true;
  const number = COUNT.get(count.toLowerCase()) ?? Number(count);
  if (/^[,:(]/.test(link.trim()) || has) return number === names.length;
  const isCapital = names.every((name) => /^\p{Lu}/u.test(name));
  return (
    isCapital &&
    !/^(?:boys|girls)$/i.test(many) &&
    names.some((name) => nlp(name).has('#FirstName'))
  );
}

/** Children and others who are named together. */
export function namedTogether(sentence: string, scene: Scene): Draft[] {
  if (IMAGINED.test(sentence)) return [];
  return Array.from(sentence.matchAll(TOGETHER)).flatMap(({ groups = {} }) => {
    const { list = '', many = '', link = '' } = groups;
    const isAsked = /called|name/i.test(link) && /\?\s*$/.test(sentence);
    const people = list.split(/,? (?:and|&) |, (?!\d|aged)/).map((item) => {
      const [name = ''] = /^[^\s,(]+/.exec(item) ?? [];
      return { name, age: /\d+/.exec(item)?.[0] };
    });
    const names = people.map(({ name }) => name);
    if (isAsked || !areNames(names, groups)) return [];
    const drafts = people.flatMap(({ name, age }) => {
      const one = being('PERSON', roleOf(many), name);
      return [introduced(scene, one), ...(age ? [aged(one, age)] : [])];
    });
    scene.last = null;
    return drafts;
  });
}
