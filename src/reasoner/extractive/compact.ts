import type { StepInput, StepOutput } from '../reasoner.ts';
import { type Participants, participantsOf, sentenceWorth } from './quotes/participants.ts';
import { patternsOf } from './quotes/patterns.ts';
import { quotesOf } from './quotes/quotes.ts';
import { skillsOf } from './quotes/skills.ts';
import { inSummaryOrder } from './quotes/summary-order.ts';
import { corrected } from './text/corrections.ts';
import { MOST_SENTENCES, type RankedSentence, rankSentences } from './text/rank-sentences.ts';
import { type Sentence, sentencesOf } from './text/sentences.ts';

/** One to three sentences (requirements 8.2). */
const MICRO = { sentences: 3, characters: 260 } as const;
/**
 * A paragraph: the limits of the whole and, in a thread about several matters, of each one (`charactersOfEach`); `matters`: how
 * many are told.
 */
const MESO = { sentences: 9, characters: 900, charactersOfEach: 240, matters: 10 } as const;
/** The minimum number of sentences that are weighed for each matter. */
const FEWEST_WEIGHED = 6;

/**
 * Summarises a thread at three lengths and finds skills in it. Micro: the topic and outcome, in quotes. Meso: more quotes,
 * from each of several matters. Macro: lasting patterns. Macro and skills are empty unless the thread shows some.
 */
export function compact({ turns, openings = [] }: StepInput<'compact'>): StepOutput<'compact'> {
  const people = participantsOf(turns);
  const sentences = corrected(sentencesOf(turns));
  const matters = rankedMatters(mattersOf(sentences, openings), people);
  const all = matters.flat().sort((a, b) => b.score - a.score || a.place - b.place);
  // Micro takes at most half of the sentences, so that the paragraph of a short thread contains more.
  const most = all.length <= 2 ? all.length : Math.min(MICRO.sentences, Math.ceil(all.length / 2));
  return {
    micro: quotesOf(inSummaryOrder(all), people, { ...MICRO, sentences: most }),
    meso: mesoOf(matters, people),
    macro: people.english ? patternsOf(sentences, people) : '',
    heading: null,
    skills: people.english ? skillsOf(turns) : [],
  };
}

/** Groups the sentences by matter; matters without sentences are left out. */
function mattersOf(sentences: readonly Sentence[], openings: readonly number[]): Sentence[][] {
  const from = [...new Set([0, ...openings])];
  return from
    .map((first, at) =>
      sentences.filter(({ turn }) => turn >= first && turn < (from[at + 1] ?? Infinity)),
    )
    .filter((ofMatter) => ofMatter.length > 0);
}

/** Ranks the sentences of each matter, the best first. Places count over the whole thread. */
function rankedMatters(matters: readonly Sentence[][], people: Participants): RankedSentence[][] {
  const most = Math.max(FEWEST_WEIGHED, Math.floor(MOST_SENTENCES.thread / matters.length));
  const ranked: RankedSentence[][] = [];
  let before = 0;
  for (const ofMatter of matters) {
    const worth = (sentence: Sentence) => sentenceWorth(sentence, people);
    const from = before;
    const best = rankSentences(ofMatter, { worth, most });
    ranked.push(best.map((sentence) => ({ ...sentence, place: sentence.place + from })));
    before += ofMatter.length;
  }
  return ranked;
}

/** The best sentences; for several matters, those of one matter after the other. */
function mesoOf(matters: readonly RankedSentence[][], people: Participants): string | null {
  const [first = [], ...more] = matters;
  if (more.length === 0) return quotesOf(inSummaryOrder(first), people, MESO);
  const worth = (ofMatter: readonly RankedSentence[]) =>
    Math.max(...ofMatter.map(({ score }) => score));
  const chosen = new Set(matters.toSorted((a, b) => worth(b) - worth(a)).slice(0, MESO.matters));
  const sentences = Math.max(2, Math.floor(MESO.sentences / chosen.size));
  const characters = Math.max(MESO.charactersOfEach, Math.floor(MESO.characters / chosen.size));
  return matters
    .filter((ofMatter) => chosen.has(ofMatter))
    .map((ofMatter) => quotesOf(inSummaryOrder(ofMatter), people, { sentences, characters }))
    .join(' ');
}
