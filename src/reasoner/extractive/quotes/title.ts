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

/** `place`: of its sentence in the talk; `at`: of the phrase in the sentence, in characters. */
type Named = { text: string; terms: string[]; factor: number; place: number; at: number };
type Candidate = Named & { worth: number };

/** What a phrase is worth, by its sentence and by its terms. Set by hand on the talks of the tests; no fit. */
const FACTORS = {
  assistant: 0.5,
  opening: 1.4,
  outcome: 1.2,
  question: 0.8,
  /** Added to the centrality of a sentence, 0-1, so that an outlying one still counts. */
  centrality: 0.5,
  /** The phrase is what somebody does: "booking a flight". */
  doing: 0.6,
  /** A term of a name, a figure or a time. */
  detail: 1.3,
  /** A term that names no topic. */
  empty: 0.2,
} as const;
/** Divides the sum of the terms' weights, so that a longer phrase wins only if its further terms are good ones. */
const LENGTH = { terms: 2, power: 0.6 } as const;

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

/** Chooses the best candidates, no two with a term in common, until the title has five words. */
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
    const details = distinctTerms(detailsOf(sentence.text));
    const lead = leadOf(sentence, opening);
    for (const phrase of nounPhrases(sentence.text)) {
      const candidate = candidateOf(phrase, sentence);
      if (candidate === null || candidate.terms.some((term) => called.has(term))) continue;
      const weights = candidate.terms.map(
        (term) =>
          weightOf(term) *
          Math.log2(1 + (spread.get(term)?.size ?? 1)) *
          (details.has(term) ? FACTORS.detail : 1),
      );
      const sum = weights.reduce((total, value) => total + value, 0);
      const divisor = (LENGTH.terms + candidate.terms.length) ** LENGTH.power;
      const worth = (candidate.factor * lead * sum) / divisor;
      const key = candidate.text.toLowerCase();
      if ((best.get(key)?.worth ?? 0) < worth) best.set(key, { ...candidate, worth });
    }
  }
  return [...best.values()].sort((a, b) => b.worth - a.worth || a.place - b.place || a.at - b.at);
}

/** A factor for the phrases of a sentence: openings and outcomes name the topic; assistants count half, and questions less. */
function leadOf(sentence: RankedSentence, opening: number): number {
  const { text, turn, score } = sentence;
  const opens = turn === opening;
  return (
    (isPerson(sentence) ? 1 : FACTORS.assistant) *
    (opens ? FACTORS.opening : 1) *
    (outcomeIn(text) === null ? 1 : FACTORS.outcome) *
    (text.endsWith('?') && !opens ? FACTORS.question : 1) *
    (FACTORS.centrality + score)
  );
}

/** Makes a candidate of a phrase. Null if the phrase names nothing, or does not occur like this in the sentence. */
function candidateOf(phrase: Phrase, { text, place }: RankedSentence): Named | null {
  const at = text.indexOf(phrase.text);
  const isNaming = [...termsOf(phrase.head).keys()].some((term) => weightOf(term) >= 1);
  if (at < 0 || !isNaming) return null;
  const shown = at === 0 ? midSentence(phrase.text) : phrase.text;
  const terms = [...termsOf(phrase.text).keys()];
  return { text: shown, terms, factor: phrase.isDoing ? FACTORS.doing : 1, place, at };
}

function weightOf(term: string): number {
  if (/\d/.test(term) || EMPTY.has(term)) return FACTORS.empty;
  return termWeight(term);
}

/** Writes a text as in the middle of a sentence: in lower case, except for names. */
function midSentence(text: string): string {
  const [head = '', next = ''] = text.split(/\s+/);
  if (/\p{Lu}.*\p{Lu}|\d/u.test(head) || /^\p{Lu}/u.test(next)) return text;
  if (detailsOf(head).includes(head)) return text;
  return uncapitalised(text);
}
