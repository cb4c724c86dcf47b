import type { CandidateFact, FactCategory } from '../../../../domain/facts/fact.ts';
import { factKey } from '../../../../domain/facts/fact-key.ts';
import { cached } from '../../../../language/text/cached.ts';
import { IgnoringCase } from '../../../../language/text/ignoring-case.ts';
import { source } from '../../../../language/text/pattern.ts';
import type { Clause } from './clauses.ts';
import type { Scene } from './scene.ts';
import { wellFormed } from './well-formed.ts';

/** A fact as a pattern reads it, before it is compared with the stored facts. */
export type Draft = Omit<CandidateFact, 'action' | 'factId' | 'turn' | 'isCorrection'> & {
  /** Left out if the clause shows it. */
  isCorrection?: boolean;
  /** The key of another fact that this one replaces: "switched from A to B". */
  replaces: string | null;
  /** Whether it is said in passing, in brackets: the sentence is about something else. */
  isAside?: boolean;
};

type Fields = Pick<Draft, 'key' | 'value' | 'statement'> & Partial<Omit<Draft, 'category'>>;

/** Creates a draft: positive, without a scope, rather certain and of medium importance, unless `fields` say otherwise. */
export function draft(category: FactCategory, fields: Fields): Draft {
  return {
    category,
    polarity: 'POSITIVE',
    scope: null,
    confidence: 0.9,
    importance: 0.6,
    replaces: null,
    ...fields,
    statement: wellFormed(fields.statement),
  };
}

export const NEGATIVE = { polarity: 'NEGATIVE' } as const;

/** Drafts a fact about the user ("likes tea") or theirs ("'s hobby is tea"), without a key unless `more` has one. */
export function stated(category: FactCategory, value: string, says: string, more?: Partial<Draft>) {
  const statement = `The user${says.startsWith("'s ") ? '' : ' '}${says}.`;
  return draft(category, { key: null, value, statement, ...more });
}

/** Makes corrections of drafts, whatever the clause, if `isChange`. */
export const asCorrections = (drafts: Draft | readonly Draft[] | null, isChange = true): Draft[] =>
  [drafts ?? []].flat().map((one) => (isChange ? { ...one, isCorrection: true } : one));

/** Drafts that something is over, from what it was: "lives" → "does not live". */
export const ended = (drafts: readonly Draft[], was: string, is: string, more = {}): Draft[] =>
  asCorrections(drafts).map(({ statement, ...fact }) => ({
    ...fact,
    ...NEGATIVE,
    ...more,
    statement: statement.replace(was, is),
  }));

/** Drafts a preference or an interest: each thing has its own key. */
export const liking = (
  category: 'PREFERENCE' | 'INTEREST',
  value: string,
  says: string,
  more?: Partial<Draft>,
): Draft => stated(category, value, says, { key: factKey(category.toLowerCase(), value), ...more });

/** Restricts rules to sentences without a match, such as of words for one occasion. */
export const unless = (except: RegExp, rules: readonly Rule[]): Rule[] =>
  rules.map(({ read, ...rest }) => ({
    ...rest,
    read: (...found) => (except.test(found[1].sentence) ? null : read(...found)),
  }));

/** A clause with the groups of the pattern that matches it. */
type Match = Clause & { groups: Record<string, string> };
/** Reads the first group of a match. */
type Read = (
  value: string,
  match: Match,
  scene: Scene,
) => Draft | readonly Draft[] | null | undefined;

/** A pattern and the function that reads its matches. `except`: what the first group may not contain. */
export type Rule = { pattern: RegExp; read: Read; proper: readonly string[]; except?: RegExp };

const ADVERBS = source`
  (?:(?:really|very|quite|pretty|so|also|still|now|just|actually|currently|mostly|mainly|usually|generally|absolutely
  |totally|completely|only|always|both|honestly|truly|kind of|sort of|a bit|rather|fairly|extremely|super|such
  |recently|already|definitely|simply|primarily|basically|normally|typically|temporarily|permanently|officially
  |happily|even|especially|particularly|genuinely|deeply|strongly|rarely|apparently|more of|a bit of|kinda|big time
  |personally|secretly|finally|of course|probably|seriously|by the way|myself|unfortunately|sadly|proudly|literally
  |originally|much|far|greatly|highly|certainly|heavily|madly|exactly|too|way) ){0,4}
`;

/** The end of a statement, in patterns: a mark, or a word that opens the next one. */
export const STOP = '(?=[,.;!?)]|$| (?:and|so|but|who)\\b)';
/** The end of a name: also words that say more about it, which are no part of it. */
export const END = source`
  (?=[,.;:!?)]|$| (?:and|or|but|so|because|since|as|who|which|that|with|without|for|from|in|at|after|called|named
  |every|once|twice|regularly|anymore|at all|yet|well)\b)
`;

/** "I" or "we" at the beginning of a pattern: adverbs may follow it. */
const SUBJECT = /^(?<who>I|\(\?:I\|we\)) (?!~)/;

/** A pattern at the beginning of a clause: "We" stands for "I" or "we", and "~" for any adverbs. */
export const phrase = (...pieces: Parameters<typeof source>): RegExp => {
  const spelled = source(...pieces)
    .replace(/^We /, '(?:I|we) ')
    .replace(SUBJECT, '$<who> ~');
  return new IgnoringCase(`^(?:${spelled.replaceAll('~', ADVERBS)})`);
};

/** Creates a rule, whose pattern follows: rule((city) => …)`I live in (?<city>.+)`. */
export const rule =
  (read: Read, except?: RegExp) =>
  (...pieces: Parameters<typeof source>): Rule => {
    const proper = properGroups(source(...pieces));
    return { pattern: phrase(...pieces), read, proper, ...(except && { except }) };
  };

/** The groups that must begin with a capital letter. They are checked apart, since the flag "i" also matches small letters. */
const properGroups = (source: string): string[] =>
  Array.from(source.matchAll(/\(\?<(\w+)>\\p\{Lu\}/g), ([, name = '']) => name);

const isProper = (text: string | undefined): boolean => text === undefined || /^\p{Lu}/u.test(text);

/** A rule that matches a text: the groups, and the first of them. */
type Found = Pick<Rule, 'read'> & { groups: Record<string, string>; value: string };

function findIn(text: string, rules: readonly Rule[]): Found[] {
  return rules.flatMap(({ pattern, read, proper, except }) => {
    const groups = pattern.exec(text)?.groups;
    if (!groups || !proper.every((name) => isProper(groups[name]))) return [];
    const [value = ''] = Object.values(groups);
    return except?.test(value) ? [] : { read, groups, value };
  });
}

/** What has been found in a text, by the rules that were tried. */
const foundIn = cached(() => new Map<readonly Rule[], Found[]>());

/** The drafts of the first rule that reads anything in a clause. Those of a clause about a change are corrections. */
export function firstReading(rules: readonly Rule[], clause: Clause, scene: Scene): Draft[] {
  const known = foundIn(clause.text);
  const found = known.get(rules) ?? findIn(clause.text, rules);
  known.set(rules, found);
  for (const { read, groups, value } of found) {
    const drafts = [read(value, { ...clause, groups }, scene) ?? []].flat();
    if (drafts.length > 0)
      return drafts.map((one) => ({ isCorrection: clause.isCorrection, ...one }));
  }
  return [];
}
