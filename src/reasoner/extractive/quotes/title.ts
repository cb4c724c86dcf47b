import { isEnglish } from '../../../language/en/is-english.ts';
import { termWeight } from '../../../language/en/term-weight.ts';
import { distinctTerms, termsOf } from '../../../language/text/terms.ts';
import { trimEndOf } from '../../../language/text/trim-end.ts';
import { capitalised, uncapitalised } from '../text/clean-text.ts';
import { clip } from '../text/clip.ts';
import { detailsOf } from '../text/details.ts';
import { nounPhrases, type Phrase } from '../text/phrases.ts';
import { isPerson, openingOf, type RankedSentence, turnsByTerm } from '../text/rank-sentences.ts';
import { splitSentences } from '../text/sentences.ts';
import { outcomeIn } from './outcomes.ts';
import type { Participants } from './participants.ts';

/** The title and topic of a talk; null if it names nothing. */
export type Heading = { title: string | null; topic: string | null };

const FEWEST_WORDS = 5;
const MOST_WORDS = 15;
/** About fifteen words. */
const MOST_CHARACTERS = 90;
/** The maximum number of noun phrases: more would be a list instead of a title. */
const MOST_PHRASES = 3;
/** How many sentences are searched for noun phrases. */
const READ = 12;

/** Nouns that name no topic: times, placeholders and counts. */
const EMPTY = distinctTerms([
  `yesterday today tonight tomorrow second minute hour day night morning afternoon evening noon weekend week month year am pm past
    future monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun january february march
    april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec one ones half lot
    lots couple bunch load rest end start side top point case kind type sort number name word line question answer message reply list
    reason problem issue option example fact note idea someone somebody person guy man thing stuff mate news part mind sense care subject topic euro
    dollar pound buck quid cent`,
]);

type Candidate = { text: string; terms: string[]; worth: number; place: number; at: number };

const wordsOf = (text: string) => text.split(/\s+/).filter(Boolean);

/**
 * The title and topic of a talk, made of its own noun phrases: those with the terms that occur in most turns, names first.
 * In other languages than English, the beginning of the most central sentence.
 *
 * @param ranked the best first
 */
export function headingOf(ranked: readonly RankedSentence[], people: Participants): Heading {
  if (!people.english) {
    const first = splitSentences(ranked[0]?.text ?? '')[0] ?? ranked[0]?.text ?? '';
    const title = clip(trimEndOf(first, /[.!?。！？]/), MOST_CHARACTERS);
    return /\p{L}{2}/u.test(title) ? { title, topic: title } : { title: null, topic: null };
  }
  const candidates = candidatesOf(ranked, people);
  const title = chosenOf(candidates)
    .sort((a, b) => a.place - b.place || a.at - b.at)
    .map(({ text }) => text)
    .join(', ');
  return { title: capitalised(title) || null, topic: candidates[0]?.text ?? null };
}

/** Chooses the best candidates without common words, until the title is long enough. */
function chosenOf(candidates: readonly Candidate[]): Candidate[] {
  const chosen: Candidate[] = [];
  for (const one of candidates) {
    const words = chosen.flatMap(({ text }) => wordsOf(text)).length;
    if (chosen.length === MOST_PHRASES || words >= FEWEST_WORDS) break;
    const isNew = chosen.every(({ terms }) => !terms.some((term) => one.terms.includes(term)));
    const characters = [...chosen, one].map(({ text }) => text).join(', ').length;
    if (!isNew || words + wordsOf(one.text).length > MOST_WORDS || characters > MOST_CHARACTERS)
      continue;
    chosen.push(one);
  }
  return chosen;
}

/** The noun phrases that name something, the best first. */
function candidatesOf(ranked: readonly RankedSentence[], people: Participants): Candidate[] {
  const called = distinctTerms(people.names);
  const spread = turnsByTerm(ranked);
  const opening = openingOf(ranked);
  const best = new Map<string, Candidate>();
  for (const sentence of ranked.slice(0, READ).filter(({ text }) => isEnglish(text))) {
    const names = distinctTerms(detailsOf(sentence.text));
    const lead = leadOf(sentence, opening);
    for (const phrase of nounPhrases(sentence.text)) {
      const candidate = candidateOf(phrase, sentence);
      if (candidate === null || candidate.terms.some((term) => called.has(term))) continue;
      const weights = candidate.terms.map(
        (term) =>
          weightOf(term) *
          Math.log2(1 + (spread.get(term)?.size ?? 1)) *
          (names.has(term) ? 1.3 : 1),
      );
      const sum = weights.reduce((total, value) => total + value, 0);
      const worth = (candidate.worth * lead * sum) / (2 + candidate.terms.length) ** 0.6;
      const key = candidate.text.toLowerCase();
      if ((best.get(key)?.worth ?? 0) < worth) best.set(key, { ...candidate, worth });
    }
  }
  return [...best.values()].sort((a, b) => b.worth - a.worth || a.place - b.place || a.at - b.at);
}

/** A factor for the phrases of a sentence by its place in the talk: openings and outcomes name the topic. */
function leadOf(sentence: RankedSentence, opening: number): number {
  const { text, turn, score } = sentence;
  const opens = turn === opening;
  return (
    (isPerson(sentence) ? 1 : 0.5) *
    (opens ? 1.4 : 1) *
    (outcomeIn(text) === null ? 1 : 1.2) *
    (text.endsWith('?') && !opens ? 0.8 : 1) *
    (0.5 + score)
  );
}

/** Makes a candidate of a phrase. Null if the phrase names nothing, or does not occur like this in the sentence. */
function candidateOf(phrase: Phrase, { text, place }: RankedSentence): Candidate | null {
  const at = text.indexOf(phrase.text);
  const names = [...termsOf(phrase.head).keys()].some((term) => weightOf(term) >= 1);
  if (at < 0 || !names) return null;
  const shown = at === 0 ? inside(phrase.text) : phrase.text;
  const terms = [...termsOf(phrase.text).keys()];
  return { text: shown, terms, worth: phrase.isDoing ? 0.6 : 1, place, at };
}

function weightOf(term: string): number {
  if (/\d/.test(term) || EMPTY.has(term)) return 0.2;
  return termWeight(term);
}

/** Writes a text as inside a sentence: in lower case, except for names. */
function inside(text: string): string {
  const [head = '', next = ''] = text.split(/\s+/);
  if (/\p{Lu}.*\p{Lu}|\d/u.test(head) || /^\p{Lu}/u.test(next)) return text;
  if (detailsOf(head).includes(head)) return text;
  return uncapitalised(text);
}
