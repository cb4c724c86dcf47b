import { termWeight } from '../../../language/en/term-weight.ts';
import { WEEKDAY } from '../../../language/en/time/named-date.ts';
import { pattern } from '../../../language/text/pattern.ts';
import { distinctTerms, termsOf } from '../../../language/text/terms.ts';
import { nounPhrases } from '../text/phrases.ts';
import { isPerson, turnsByTerm } from '../text/rank-sentences.ts';
import type { Sentence } from '../text/sentences.ts';
import type { Participants } from './participants.ts';
import { asSentence, speakerOf, spokenWords } from './quotes.ts';

/** A topic recurs if it comes up in at least this number and share of turns, over at least half of the talk. `most`: how many topics are named. */
const RECURS = { turns: 4, share: 0.1, span: 0.5, most: 4 } as const;
const HABITS = 3;
/** How many candidates for habits are examined. */
const MOST_HABITS = 30;
const MOST_SENTENCES = 300;

const HABIT = pattern('i')`
  \bI(?:'m| am)? (?:always|usually|often|never|normally|generally|typically|tend to|rarely|prefer)\b|\bI \w+
  (?: \w+){0,4} (?:every (?:day|morning|evening|night|week|month|year|weekend|\w+day)|on ${WEEKDAY}s)\b
`;

/**
 * The lasting patterns in a talk: recurring topics, and habits that people mention. Empty if there
 * are none.
 */
export function patternsOf(sentences: readonly Sentence[], people: Participants): string {
  const topics = recurringTopics(sentences.slice(0, MOST_SENTENCES), people);
  const habits = sentences
    .filter((one) => isPerson(one) && HABIT.test(one.text) && !/\?$|^here\b/i.test(one.text))
    .slice(0, MOST_HABITS)
    .map((sentence) => `${speakerOf(sentence)}: ${spokenWords(sentence, people)}`);
  const recurring = topics.length === 0 ? [] : [asSentence(`Recurring topics: ${listed(topics)}`)];
  return [...recurring, ...new Set(habits.filter((habit) => habit.length <= 200))]
    .slice(0, recurring.length + HABITS)
    .join(' ');
}

function recurringTopics(sentences: readonly Sentence[], people: Participants): string[] {
  const names = distinctTerms(people.names);
  const length = Math.max(...sentences.map(({ turn }) => turn), 0) + 1;
  const least = Math.max(RECURS.turns, RECURS.share * length);
  const recurring = [...turnsByTerm(sentences)]
    .filter(([, turns]) => turns.size >= least && spanOf(turns) >= RECURS.span * length)
    .filter(([term]) => termWeight(term) >= 1 && !/\d/.test(term) && !names.has(term))
    .sort((a, b) => b[1].size - a[1].size || a[0].localeCompare(b[0]))
    .map(([term]) => term);
  return named(recurring, sentences);
}

const spanOf = (turns: ReadonlySet<number>) => Math.max(...turns) - Math.min(...turns) + 1;

/** The distinct short noun phrases of a sentence, in lower case. */
const shortPhrases = (text: string): Set<string> =>
  new Set(
    nounPhrases(text)
      .filter((phrase) => phrase.text.split(' ').length <= 3)
      .map((phrase) => phrase.text.toLowerCase()),
  );

/** The noun phrase in which each term occurs most. Terms that are no nouns are left out. */
function named(terms: readonly string[], sentences: readonly Sentence[]): string[] {
  const read = sentences.map(({ text }) => ({ text, terms: termsOf(text) }));
  // Tagging is slow, so only sentences with one of the terms are tagged.
  const tagged = new Map<string, Set<string>>();
  const phrasesOf = (text: string): Set<string> => {
    const phrases = tagged.get(text) ?? shortPhrases(text);
    tagged.set(text, phrases);
    return phrases;
  };
  const found: string[] = [];
  const covered = new Set<string>();
  for (const term of terms) {
    if (found.length === RECURS.most) break;
    if (covered.has(term)) continue;
    const counts = new Map<string, number>();
    for (const { text } of read.filter((sentence) => sentence.terms.has(term))) {
      for (const phrase of phrasesOf(text)) counts.set(phrase, (counts.get(phrase) ?? 0) + 1);
    }
    const best = [...counts]
      .filter(([, count]) => count >= 2)
      .sort((a, b) => b[1] - a[1] || a[0].length - b[0].length || a[0].localeCompare(b[0]))
      .find(([phrase]) => termsOf(phrase).has(term));
    if (best === undefined) continue;
    const [phrase] = best;
    for (const part of termsOf(phrase).keys()) covered.add(part);
    found.push(phrase);
  }
  return found;
}

/** Joins items: "tea", "tea and cake", "tea, cake and jam". */
export function listed(items: readonly string[]): string {
  if (items.length < 2) return items[0] ?? '';
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}
