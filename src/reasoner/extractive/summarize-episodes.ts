import { DateTime } from 'luxon';
import { isEnglish } from '../../language/en/is-english.ts';
import { isLifeNews } from '../../language/en/shattering-news.ts';
import type { StepArguments, StepOutput } from '../reasoner.ts';
import { outcomeIn } from './quotes/outcomes.ts';
import { asSentence, type QuotedSentence, quotedSentences, repeats } from './quotes/quotes.ts';
import { isBoilerplate } from './text/boilerplate.ts';
import { withStop } from './text/clean-text.ts';
import { wrongBefore } from './text/corrections.ts';
import { detailsOf } from './text/details.ts';
import { nounPhrases } from './text/phrases.ts';
import { similarityTable } from './text/rank-sentences.ts';
import { splitSentences } from './text/sentences.ts';

/** The number of sentences in a memory: one per episode, within these bounds. */
const SENTENCES = { least: 5, most: 12 } as const;
const CHARACTERS = 2_000;
const MOST_SENTENCES = 200;
/** How many turns lie between two episodes at least, as far as corrections are concerned. */
const APART = 100;
/** From this similarity on, two sentences say the same. */
const SAME = 0.9;

/** Deliberation: nothing is decided yet. */
const DELIBERATION =
  /\b(?:maybe|perhaps|might|may|could|should|wonder(?:ing)?|not sure|unsure|thinking (?:about|of)|considering|whether|torn|on the fence|what if|or else)\b/i;
/** Characters before the first word, such as an emoji, that belong to the sentence before. */
const DECORATION = /^[^\p{L}\p{N}"'(]+/u;
const DATE_PREFIX = /^\d{4}-\d{2}-\d{2}: /;

type Quote = QuotedSentence & { episode: number; place: number; worth: number };

/**
 * Summarises episodes, one line per day: the sentences of their summaries with a decision, an outcome, a number or a name,
 * word for word with their speakers. Leaves out repetitions and what an earlier memory says.
 */
export function summarizeEpisodes({
  person,
  episodes,
  existing,
}: StepArguments<'summarize-episodes'>): StepOutput<'summarize-episodes'> {
  const ordered = [...episodes].sort((a, b) => a.endedAt.getTime() - b.endedAt.getTime());
  const all = standing(ordered.flatMap(({ summary }, episode) => quoted(summary, episode)));
  const earlier = existing.flatMap((memory) =>
    memory.split('\n').flatMap((line) => splitSentences(line.replace(DATE_PREFIX, ''))),
  );
  const best = all.toSorted(byWorth).slice(0, MOST_SENTENCES).sort(inOrder);
  const fresh = withoutRepeats(best, earlier);
  const days = new Map<string, Quote[]>();
  for (const quote of choose(fresh, ordered.length)) {
    const at = (ordered[quote.episode] as (typeof ordered)[number]).endedAt;
    const day = DateTime.fromJSDate(at, { zone: person.timeZone }).toISODate() ?? '';
    days.set(day, [...(days.get(day) ?? []), quote]);
  }
  return { summary: [...days].map(([day, quotes]) => `${day}: ${joined(quotes)}`).join('\n') };
}

/** The sentences of a summary with their speakers. */
function quoted(summary: string, episode: number): Quote[] {
  const sentences = quotedSentences(summary);
  const all = sentences.length > 0 ? sentences : [{ text: summary, speaker: null }];
  return all.map((sentence, place) => {
    const text = sentence.text.replace(DECORATION, '') || sentence.text;
    return { text, speaker: sentence.speaker, episode, place, worth: worthOf(text) };
  });
}

/** Drops sentences whose figure a later episode corrects. Within one episode that is done already. */
function standing(quotes: readonly Quote[]): Quote[] {
  const sentences = quotes.map((quote) => ({
    quote,
    text: quote.text,
    // Only corrections that name what they correct reach across episodes.
    turn: quote.episode * APART,
    role: quote.speaker === 'Assistant' ? ('ASSISTANT' as const) : ('USER' as const),
    speaker: quote.speaker,
  }));
  let kept: typeof sentences = [];
  for (const sentence of sentences) {
    const earlier = kept.filter(({ quote }) => quote.episode < sentence.quote.episode);
    const wrong = wrongBefore(sentence, earlier);
    kept = [...kept.filter((other) => !wrong.includes(other)), sentence];
  }
  return kept.map(({ quote }) => quote);
}

/** How much lasting information a sentence has; 0 for deliberations, questions and what says nothing by itself. */
function worthOf(text: string): number {
  if (isLifeNews(text)) return 5;
  if (isBoilerplate(text) || !standsAlone(text)) return 0;
  if (outcomeIn(text) !== null) return 4;
  if (text.endsWith('?') || DELIBERATION.test(text)) return 0;
  return 1 + Number(/\d/.test(text)) + Number(/\s\p{Lu}\p{Ll}/u.test(text));
}

/** Whether a sentence names something: "I accepted." does not tell what. */
const standsAlone = (text: string): boolean =>
  !isEnglish(text) || nounPhrases(text).length > 0 || detailsOf(text).length > 0;

const inOrder = (a: Quote, b: Quote): number => a.episode - b.episode || a.place - b.place;
const byWorth = (a: Quote, b: Quote): number => b.worth - a.worth || inOrder(a, b);

/**
 * Drops repetitions, keeping the first of two sentences that say the same, and what earlier memories say. If earlier
 * memories say everything, all first mentions are kept.
 */
function withoutRepeats(quotes: Quote[], earlier: readonly string[]): Quote[] {
  const table = similarityTable([...quotes.map(({ text }) => text), ...earlier]);
  const isLike = (i: number, j: number) => (table[i]?.[j] ?? 0) >= SAME;
  const once = quotes
    .map((one, place) => ({ one, place }))
    .filter(({ one, place }) =>
      quotes.slice(0, place).every(({ text }, j) => !repeats(text, one.text) && !isLike(place, j)),
    );
  const fresh = once.filter(({ place }) =>
    earlier.every((_, j) => !isLike(place, quotes.length + j)),
  );
  return (fresh.length > 0 ? fresh : once).map(({ one }) => one);
}

/** Chooses the best sentence of each episode, then the best of the rest. @returns them in their original order */
function choose(quotes: readonly Quote[], episodes: number): Quote[] {
  const most = Math.min(Math.max(episodes, SENTENCES.least), SENTENCES.most);
  const ranked = quotes.toSorted(byWorth);
  const seen = new Set<number>();
  const first = ranked.filter(({ episode }) => !seen.has(episode) && seen.add(episode));
  const worthwhile = first.filter(({ worth }) => worth > 0);
  const more = ranked.filter((one) => one.worth > 0 && !first.includes(one));
  let room = CHARACTERS;
  const chosen = (worthwhile.length > 0 ? [...worthwhile, ...more] : first)
    .slice(0, most)
    .filter(({ text }, place) => {
      room -= text.length;
      return place === 0 || room >= 0;
    });
  return chosen.sort(inOrder);
}

/** Joins sentences, with the name of each speaker before the first one. */
function joined(quotes: readonly Quote[]): string {
  return quotes
    .map(({ text, speaker, episode }, place) => {
      const before = quotes[place - 1];
      const isNew = speaker !== null && (before?.speaker !== speaker || before.episode !== episode);
      return `${isNew ? `${speaker}: ` : ''}${withStop(asSentence(text))}`;
    })
    .join(' ');
}
