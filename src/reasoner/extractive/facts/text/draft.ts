import type { CandidateFact, FactCategory } from '../../../../domain/facts/fact.ts';
import { factKey } from '../../../../domain/facts/fact-key.ts';
import { source } from '../../../../language/text/pattern.ts';
import type { Clause } from './clauses.ts';
import type { Scene } from './scene.ts';
import { wellFormed } from './well-formed.ts';

/** A fact as a pattern reads it, before it is compared with the stored facts. */
export type Draft = Omit<CandidateFact, 'action' | 'factId' | 'turn'> & {
  /** The key of another fact that this one replaces: "switched from A to B". */
  replaces: string | null;
};

type Fields = Pick<Draft, 'key' | 'value' | 'statement'> & Partial<Omit<Draft, 'category'>>;

/** Creates a draft: positive, without a scope, certain and of medium importance, unless `fields` say otherwise. */
export function draft(category: FactCategory, fields: Fields): Draft {
  return {
    category,
    polarity: 'POSITIVE',
    scope: null,
    confidence: 0.9,
    importance: 0.6,
    isCorrection: false,
    replaces: null,
    ...fields,
    statement: wellFormed(fields.statement),
  };
}

type More = Partial<Omit<Draft, 'category' | 'key' | 'value' | 'statement'>>;

/** Drafts an attribute of the user that has one value at a time. Empty if no value was read. */
export const profile = (
  attribute: string,
  value: string | null,
  statement: (value: string) => string,
  more: More,
): Draft[] =>
  value === null
    ? []
    : [
        draft('IDENTITY', {
          key: `profile:${attribute}`,
          value,
          statement: statement(value),
          ...more,
        }),
      ];

/** Drafts a preference or an interest: each thing has its own key. */
export const liking = (
  category: 'PREFERENCE' | 'INTEREST',
  value: string,
  says: string,
  more: More = {},
): Draft => {
  const key = factKey(category.toLowerCase(), value);
  return draft(category, { key, value, statement: `The user ${says}.`, ...more });
};

type Found = Record<string, string>;
type Read = (found: Found, clause: Clause, scene: Scene) => Draft | readonly Draft[] | null;

/** What a group may not contain, by the name of the group. */
type Except = Readonly<Record<string, RegExp>>;

/** A pattern and the function that reads its matches. */
export type Rule = { pattern: RegExp; read: Read; proper: readonly string[]; except?: Except };

const ADVERBS = source`
  (?:(?:really|very|quite|pretty|so|also|still|now|just|actually|currently|mostly|mainly|usually|generally
  |absolutely|totally|completely|only|always|both|honestly|truly|kind of|sort of|a bit|rather|fairly|extremely
  |super|such|recently|already|definitely|simply|primarily|basically|normally|typically|temporarily|permanently
  |officially|happily|even|especially|particularly|genuinely|deeply|strongly|rarely|apparently|more of|a bit of
  |kinda|big time|personally|secretly|finally|of course|probably|seriously|by the way|myself|unfortunately|sadly
  |proudly|literally) ){0,4}
`;

/** "I" or "we" at the beginning of a pattern: adverbs may follow it. */
const SUBJECT = /^(?<who>I|\(\?:I\|we\)) (?!~)/;

/** A pattern at the beginning of a clause; "~" stands for any adverbs. */
export const phrase = (source: string): RegExp =>
  new RegExp(`^(?:${source.replace(SUBJECT, '$<who> ~').replaceAll('~', ADVERBS)})`, 'iu');

/** Creates a rule from the source of its pattern. */
export const rule = (source: string, read: Read, except: Except = {}): Rule => ({
  pattern: phrase(source),
  read,
  proper: properGroups(source),
  except,
});

/** Creates rules with the same reading for several patterns. */
export const rules = (read: Read, sources: readonly string[]): Rule[] =>
  sources.map((source) => rule(source, read));

/** The groups that must begin with a capital letter. They are checked apart, since the flag "i" also matches small letters. */
export const properGroups = (source: string): string[] =>
  Array.from(source.matchAll(/\(\?<(\w+)>\\p\{Lu\}/g), ([, name = '']) => name);

const isProper = (text: string | undefined): boolean => text === undefined || /^\p{Lu}/u.test(text);

/** The drafts of the first rule that reads anything in a clause. */
export function firstReading(
  rules: readonly Rule[],
  clause: Clause,
  scene: Scene,
): readonly Draft[] {
  for (const { pattern, read, proper, except = {} } of rules) {
    const groups = pattern.exec(clause.text)?.groups;
    if (!groups || !proper.every((name) => isProper(groups[name]))) continue;
    if (Object.entries(except).some(([name, kind]) => kind.test(groups[name] ?? ''))) continue;
    const drafts = [read(groups, clause, scene) ?? []].flat();
    if (drafts.length > 0) return drafts;
  }
  return [];
}
