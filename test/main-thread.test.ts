import { expect, it } from 'vitest';
import { reachableFrom } from './support/network/reachable.ts';

/** What runs in worker threads or in commands. Of domain/ and language/ counts what others call. */
const ELSEWHERE = [
  /^(?:cli|domain|language)\//,
  /^reasoner\/extractive\//,
  /^language-threads\/(?:serve|rule-functions)\.ts$/,
  /^indexer\/read-texts/,
  /^embedder\/built-in\/(?:use-|built-in-worker)/,
];

/**
 * What the main thread uses of language/: to write dates and pauses in words, to compare values of facts, topics and names,
 * which are short, in one pass each, and to see whether the beginning of a question may name a time. Rules that read texts of
 * users belong into language threads.
 */
const READ_ON_MAIN_THREAD = [
  'as-said.ts#asSaid',
  'continuity.ts#continuityOf',
  'continuity.ts#pauseBetween',
  'episode-sentence.ts#sentenceFor',
  'nouns.ts#isDeterminer',
  'nouns.ts#singular',
  'nouns.ts#singularName',
  'nouns.ts#withoutDeterminer',
  'nouns.ts#withoutPossessives',
  'taste-object.ts#objectOfTaste',
  'term-weight.ts#termWeight',
  'time/named-date.ts#saidOn',
  'time/relative-time.ts#relativeTime',
  'time/time-phrases.ts#mayNameTime',
  'words/diets.ts#EXCLUSIVE_DIETS',
  'words/relations.ts#RELATION_NAMES',
];

it('the main thread runs no rule on texts of users', () => {
  const reached = reachableFrom((file) => !ELSEWHERE.some((one) => one.test(file)));
  /** The names of a folder or file that others use. */
  const used = (place: string) =>
    [...reached]
      .filter(
        ([name, by]) => name.startsWith(place) && [...by].some((one) => !one.startsWith(place)),
      )
      .map(([name]) => name.slice(place.length))
      .sort();
  expect(used('language-threads/rule-functions.ts')).toEqual([]);
  expect(used('reasoner/extractive/')).toEqual([
    'name.ts#EXTRACTIVE',
    'text/semantic-similarity.ts#isWithoutVectors',
  ]);
  expect(
    used('language/en/').filter((name) => !/^words\/(?:english|irregular)/.test(name)),
  ).toEqual(READ_ON_MAIN_THREAD);
  const terms = [...(reached.get('language/text/terms.ts#termsOf') ?? [])];
  expect(terms.filter((name) => !name.startsWith('language/')).sort()).toEqual([
    'db/kinds/facts/forgotten-words.ts#termsOfTurns',
    'domain/facts/restated-fact.ts#distinctTerms',
    'domain/ranking/ranking.ts#namesSpeaker',
  ]);
});
