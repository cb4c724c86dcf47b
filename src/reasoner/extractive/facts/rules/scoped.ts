import { keyPart } from '../../../../domain/facts/fact-key.ts';
import { IgnoringCase } from '../../../../language/text/ignoring-case.ts';
import { pattern } from '../../../../language/text/pattern.ts';
import type { Clause } from '../text/clauses.ts';
import type { Draft } from '../text/draft.ts';

const PREPOSITION =
  '(?:at|on|in|after|before|past|during|for|while|when|whenever|with|without|until|outside|inside|between|around|near|over|if)';
/** Further denied things: "meat or fish on Fridays". */
const OTHERS =
  "(?:(?:, [\\p{L}'’-]{2,20}){0,2},?(?: or| nor| and) (?!I\\b|we\\b|do\\b|am\\b)[\\p{L}'’-]{2,20})?";
const BEHIND = new IgnoringCase(
  `^${OTHERS} (?<scope>${PREPOSITION} [^.,;:!?()]{2,60}|(?:any)?where near [^.,;:!?()]{2,40})`,
);
const BEFORE = pattern('iu')`
  ^(?:and |but |so |also ){0,2}(?<scope>${PREPOSITION} [^.,;:!?()]{2,60}?),? (?:I|we) (?:am |are |have )?(?:do not
  |don't|don’t|never|no longer|cannot|can not|can't|can’t|will not|won't|hate|avoid|not)\b
`;
/** Reasons, and other words that are no scope. */
const NO_SCOPE = pattern('iu')`
  ^(?:at (?:all|any (?:price|cost)|the moment|present|least|best|first|last)|in (?:general|my life|years|ages|fact
  |principle|the least|any (?:way|case|form)|that case|short|the end|case)|on (?:principle|purpose|the whole
  |the other hand|top)|for (?:\w+ )?(?:reasons?|years|ages|months|weeks|now|good|sure|that|this|the (?:record|moment
  |time being|life of me)|(?:a|some|the) (?:long |\w+ )?(?:time|while)|my (?:health|stomach|skin|back|heart)|example)
  |with (?:a )?(?:passion|pleasure|you|that|it|this)|over the (?:years|moon)|if (?:I can|possible|you|it helps|that)
  |(?:in|since|after|before) (?:\p{L}+ )?(?:19|20)\d\d|without (?:doubt|question)|before (?:that|this)|after (?:that|all
  |this)|when I (?:can (?:avoid|help) it|was|lived|worked)|for \d+ (?:years|months|weeks))\b
`;

const FIRST_PERSON = /\b(?:I|my|me|we|our|us|mine)\b/;

/** The scope of a denial: where, when or with what; null if it is general. */
function scopeIn({ value }: Draft, sentence: string): string | null {
  const at = sentence.toLowerCase().indexOf(value.toLowerCase());
  if (at < 0) return null;
  const behind = BEHIND.exec(sentence.slice(at + value.length))?.groups?.scope;
  const scope = (behind ?? BEFORE.exec(sentence)?.groups?.scope)?.trim();
  return scope && !NO_SCOPE.test(scope) ? scope : null;
}

/**
 * Gives a denial with a scope a key of its own: "I don't speak French at home" does not contradict "speaks French", and is
 * a separate fact with its scope in the statement.
 */
export function scoped(draft: Draft, { sentence }: Pick<Clause, 'sentence'>): Draft {
  const { category, polarity, key, value, statement } = draft;
  if (polarity !== 'NEGATIVE' || category === 'INSTRUCTION' || key?.startsWith('profile:')) {
    return draft;
  }
  const scope = draft.scope ?? scopeIn(draft, sentence);
  if (scope === null) return draft;
  const bare = statement.replace(/\.$/, '');
  const thirdPerson = scope.replace(/\b(?:my|our)\b/g, 'their').replace(/\bI am\b/g, 'they are');
  const shown = FIRST_PERSON.test(thirdPerson) ? `(“${scope}”)` : thirdPerson;
  return {
    ...draft,
    scope,
    key: key && `${key}:${keyPart(scope)}`,
    value: key === null ? `${value} ${scope}` : value,
    statement: bare.includes(scope) ? statement : `${bare} ${shown}.`,
  };
}
