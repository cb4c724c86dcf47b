import { termWeight } from '../../domain/term-weight.ts';
import { termsOf } from '../../domain/terms.ts';
import { trimEndOf } from '../../domain/trim-end.ts';
import { capitalised } from './clean-text.ts';
import { detailsOf } from './details.ts';
import type { Participants } from './participants.ts';
import { nounPhrases } from './phrases.ts';
import { spokenWords } from './quotes.ts';
import type { RankedSentence } from './rank-sentences.ts';
import { splitSentences } from './sentences.ts';
import { shorten, trimDangling } from './shorten.ts';

const FEWEST_WORDS = 5;
const MOST_WORDS = 15;
/** About fifteen words. */
const MOST_CHARACTERS = 90;

const wordsOf = (text: string) => text.split(/\s+/).filter(Boolean);

/** What stands before the matter of a request or a question. */
const LEAD =
  /^(?:(?:please|so|and|also|now) )?(?:(?:can|could|would|will) (?:you|i) (?:please |also |maybe )?(?:(?:help|show|tell|give|explain to|remind|send|find|get) (?:me|us) (?:with |about |how to |to |out )?|(?:help|explain|suggest|recommend|check|look (?:up|into|at)|find|write|make|draft|book) )|(?:help|show|tell|give|remind|send|find|get) (?:me|us) (?:with |about |how to |to )?|(?:i|we)(?:'m| am|'re| are)? (?:need(?:ed)?|want(?:ed)?|looking for|trying to|(?:would|'d) like)(?: to| help with)? |(?:do you know|any idea|what do you think about|what about|how about|what(?:'s| is| are)|how (?:do|can|should) (?:i|we|you)) )(?:the |a |an |some |any |my |our )?/i;

/** What a sentence brings to a title: its words, without the way in which they were asked for. */
function headline(sentence: RankedSentence, people: Participants): string {
  const plain = trimEndOf(spokenWords(sentence, people).replace(/["“”]/g, ''), /[.!?…]/);
  const matter = plain.replace(LEAD, '');
  return capitalised(matter.length > 3 ? matter : plain);
}

const PREPOSITION =
  /\s{1,9}(?=(?:in|on|at|for|to|from|with|by|about|of|during|after|before|because|and|or|but|that|which|who|as|since|when|where)\s)/i;

/** At most fifteen words, cut at a clause border, else before a preposition or "and". */
function cutToTitle(text: string): string {
  const short = (candidate: string) =>
    candidate.length <= MOST_CHARACTERS && wordsOf(candidate).length <= MOST_WORDS;
  if (short(text)) return text;
  const clause = shorten(text, MOST_CHARACTERS, [])?.replace(/[.…]$/, '');
  if (clause !== undefined && short(clause) && wordsOf(clause).length >= FEWEST_WORDS)
    return clause;
  const pieces = text.split(PREPOSITION);
  let taken = '';
  for (const piece of pieces) {
    const longer = taken === '' ? piece : `${taken} ${piece}`;
    if (!short(longer)) break;
    taken = longer;
  }
  const cut = trimDangling(taken);
  return wordsOf(cut).length >= 3
    ? cut
    : trimDangling(wordsOf(text).slice(0, MOST_WORDS).join(' '));
}

const PRONOUN_FIRST = /^(?:it|that|this|they|he|she|there|these|those)\b/i;

/**
 * A title of 5-15 words where the talk has that many: what was asked for or told in the sentence that
 * stands for most of it.
 *
 * @param ranked the best first, not empty
 */
export function titleOf(ranked: readonly RankedSentence[], people: Participants): string {
  const first = splitSentences(ranked[0]?.text ?? '')[0] ?? ranked[0]?.text ?? '';
  if (!people.english) return cutToTitle(trimEndOf(first, /[.!?。！？]/));
  const lines = ranked
    .slice(0, 8)
    .map((sentence) => ({ line: cutToTitle(headline(sentence, people)), score: sentence.score }))
    .map(({ line, score }) => ({
      line,
      score: score * (PRONOUN_FIRST.test(line) ? 0.6 : 1) * (wordsOf(line).length < 4 ? 0.7 : 1),
    }))
    .sort((a, b) => b.score - a.score)
    .map(({ line }) => line);
  let title = lines[0] ?? first;
  for (const more of lines.slice(1)) {
    if (wordsOf(title).length >= FEWEST_WORDS) break;
    const known = new Set(termsOf(title).keys());
    const fresh = [...termsOf(more).keys()].some(
      (term) => !known.has(term) && termWeight(term) >= 1,
    );
    const joined = `${title}; ${decapitalised(more)}`;
    if (fresh && wordsOf(joined).length <= MOST_WORDS && joined.length <= MOST_CHARACTERS)
      title = joined;
  }
  return title === '' ? first : title;
}

/** As it stands inside a sentence: names keep their capital. */
function decapitalised(text: string): string {
  const [head = '', next = ''] = text.split(/\s+/);
  if (/\p{Lu}.*\p{Lu}|\d/u.test(head) || /^\p{Lu}/u.test(next)) return text;
  if (detailsOf(head).includes(head)) return text;
  return text.replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase());
}

/** What the talk was about, as a noun phrase of its own words; in other languages the title. */
export function topicOf(
  ranked: readonly RankedSentence[],
  people: Participants,
  title: string,
): string {
  if (!people.english) return title;
  const names = new Set(people.names.flatMap((name) => [...termsOf(name).keys()]));
  const counts = new Map<string, number>();
  for (const { text } of ranked)
    for (const term of termsOf(text).keys()) counts.set(term, (counts.get(term) ?? 0) + 1);
  const inTitle = new Set(termsOf(title).keys());
  const worth = (phrase: string) => {
    const terms = [...termsOf(phrase).keys()];
    if (terms.some((term) => names.has(term))) return 0;
    const sum = terms.reduce(
      (total, term) =>
        total +
        (/\d/.test(term) ? 0.2 : termWeight(term)) *
          Math.log2(1 + (counts.get(term) ?? 1)) *
          (inTitle.has(term) ? 1.5 : 1),
      0,
    );
    const doing = /^\w+ing\b/.test(phrase) ? 0.6 : 1;
    return (doing * sum) / (2 + terms.length) ** 0.6;
  };
  const best = ranked
    .slice(0, 6)
    .flatMap(({ text }) =>
      nounPhrases(text).map((phrase) => ({
        ...phrase,
        text: text.startsWith(phrase.text) ? decapitalised(phrase.text) : phrase.text,
      })),
    )
    .map(({ text }) => ({
      text,
      worth: /^(?:yesterday|today|tomorrow|week|year|month)s?$/i.test(text) ? 0 : worth(text),
    }))
    .sort((a, b) => b.worth - a.worth)[0];
  return best !== undefined && best.worth > 0 ? best.text : title;
}
