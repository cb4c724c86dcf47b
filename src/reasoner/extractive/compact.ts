import type { z } from 'zod';
import type { StepOutput, compact as shapes } from '../reasoner.ts';
import { type Participants, participantsOf, worthOf } from './quotes/participants.ts';
import { patternsOf } from './quotes/patterns.ts';
import { quotesOf } from './quotes/quotes.ts';
import { skillsOf } from './quotes/skills.ts';
import { telling } from './quotes/telling-order.ts';
import { corrected } from './text/corrections.ts';
import { MOST_SENTENCES, type RankedSentence, rankSentences } from './text/rank-sentences.ts';
import type { SemanticSimilarity } from './text/semantic-similarity.ts';
import { type Sentence, sentencesOf } from './text/sentences.ts';

/** One to three sentences (requirements 8.2). */
const MICRO = { sentences: 3, characters: 260 } as const;
/** A paragraph; of a thread about several matters so much of each, up to so many. */
const MESO = { sentences: 9, characters: 900, charactersOfEach: 240, matters: 10 } as const;
/** Of each matter so many sentences are weighed at least. */
const FEWEST_WEIGHED = 6;

/**
 * A thread at three resolutions, and what of it can be used again. Micro: what it was about and what came of it, word for
 * word. Meso: more of it, and of several matters each. Macro: what outlasts it; macro and skills are empty unless the
 * thread shows them.
 */
export async function compact(
  { turns, openings = [] }: z.input<(typeof shapes)['input']>,
  similarity: SemanticSimilarity | null,
): Promise<StepOutput<'compact'>> {
  const people = participantsOf(turns);
  const sentences = corrected(sentencesOf(turns));
  const matters = await rankedMatters(mattersOf(sentences, openings), people, similarity);
  const all = matters.flat().sort((a, b) => b.score - a.score || a.place - b.place);
  // Of a short thread the paragraph shall tell more.
  const most = all.length <= 2 ? all.length : Math.min(MICRO.sentences, Math.ceil(all.length / 2));
  return {
    micro: quotesOf(telling(all), people, { ...MICRO, sentences: most }),
    meso: mesoOf(matters, people),
    macro: people.english ? patternsOf(sentences, people) : '',
    heading: null,
    skills: people.english ? skillsOf(turns) : [],
  };
}

/** The sentences of each matter; those without any are left out. */
function mattersOf(sentences: readonly Sentence[], openings: readonly number[]): Sentence[][] {
  const from = [...new Set([0, ...openings])];
  return from
    .map((first, at) =>
      sentences.filter(({ turn }) => turn >= first && turn < (from[at + 1] ?? Infinity)),
    )
    .filter((own) => own.length > 0);
}

/** Each matter's sentences, the best first; places count over the whole thread. */
async function rankedMatters(
  matters: readonly Sentence[][],
  people: Participants,
  similarity: SemanticSimilarity | null,
): Promise<RankedSentence[][]> {
  const most = Math.max(FEWEST_WEIGHED, Math.floor(MOST_SENTENCES.thread / matters.length));
  const ranked: RankedSentence[][] = [];
  let before = 0;
  for (const own of matters) {
    const worth = (sentence: Sentence) => worthOf(sentence, people);
    const from = before;
    const best = await rankSentences(own, { similarity, worth, most });
    ranked.push(best.map((sentence) => ({ ...sentence, place: sentence.place + from })));
    before += own.length;
  }
  return ranked;
}

/** Of one matter its best sentences; of several, those of each one after another. */
function mesoOf(matters: readonly RankedSentence[][], people: Participants): string | null {
  const [first = [], ...more] = matters;
  if (more.length === 0) return quotesOf(telling(first), people, MESO);
  const worth = (own: readonly RankedSentence[]) => Math.max(...own.map(({ score }) => score));
  const told = new Set(matters.toSorted((a, b) => worth(b) - worth(a)).slice(0, MESO.matters));
  const sentences = Math.max(2, Math.floor(MESO.sentences / told.size));
  const characters = Math.max(MESO.charactersOfEach, Math.floor(MESO.characters / told.size));
  return matters
    .filter((own) => told.has(own))
    .map((own) => quotesOf(telling(own), people, { sentences, characters }))
    .join(' ');
}
