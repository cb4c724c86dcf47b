import { pattern } from '../../../language/text/pattern.ts';
import { isSpoken, type Role } from '../../../shared/role.ts';
import type { Utterance } from '../../reasoner.ts';
import { isBoilerplate, isPraise } from './boilerplate.ts';
import { plainText } from './clean-text.ts';
import { inPieces } from './clip.ts';
import { shareOf } from './share.ts';
import { stripAddress } from './strip.ts';

export type Sentence = {
  text: string;
  /** The index of its turn. */
  turn: number;
  role: Role;
  speaker: string | null;
};

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
const ABBREVIATION = pattern()`
  (?:^|[\s(])(?:(?:Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|vs|etc|approx|dept|est|fig|no|vol|Inc|Ltd|Co|e\.g|i\.e|a\.m|p\.m|U\.S|U\.K
  |Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)|[A-Z])\.$
`;

/** The maximum length of an abbreviation with the text before it, in characters. */
const ENDING = 12;
/** In characters. Longer sentences, such as dictation without stops, are read in pieces. */
const LONGEST = 500;
/** How many sentences of a talk are read: the first ones of turns with many sentences. */
const MOST = 2_000;
const FEWEST = 2;
/** How many names of speakers are used: each is searched for in every sentence. */
const MOST_NAMES = 40;

const endsShort = (text: string) => ABBREVIATION.test(text.slice(-ENDING));

/** Splits a text into sentences as written, also at line breaks, but not after abbreviations. */
export function splitSentences(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const found: string[] = [];
    for (const { segment } of segmenter.segment(line)) {
      const last = found.at(-1);
      if (last !== undefined && goesOn(last)) found[found.length - 1] = last + segment;
      else found.push(segment);
    }
    return found
      .flatMap(splitLowerCase)
      .flatMap((sentence) => inPieces(sentence, LONGEST))
      .map((part) => part.trim())
      .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
  });
}

/** Splits sentences that begin in lower case: "the door was dusted. the neighbour has a camera." */
function splitLowerCase(sentence: string): string[] {
  const parts: string[] = [];
  for (const part of sentence.trim().split(/(?<=[\p{L}\p{N})]{2}[.!?])\s+(?=\p{Ll})/u)) {
    const last = parts.at(-1);
    if (last !== undefined && last.length < LONGEST && endsShort(last))
      parts[parts.length - 1] = `${last} ${part}`;
    else parts.push(part);
  }
  return parts;
}

/** Whether the sentence continues after a stop. "I." counts as the end of a sentence: it is seldom an initial. */
function goesOn(before: string): boolean {
  if (before.length > LONGEST) return false;
  const end = before.trimEnd();
  return endsShort(end) && !/\bI\.$/.test(end.slice(-ENDING));
}

/** The names of the speakers. */
export const speakersOf = (turns: readonly Utterance[]): string[] =>
  [...new Set(turns.flatMap(({ speaker }) => speaker?.trim() ?? []))].slice(0, MOST_NAMES);

/**
 * The sentences of people and assistants in order, without boilerplate; if neither spoke, those of tools and the system.
 * Empty if there are only greetings, thanks and reactions.
 */
export function sentencesOf(turns: readonly Utterance[]): Sentence[] {
  const placed = turns.map((turn, index) => ({ turn, index }));
  const spoken = placed.filter(({ turn }) => isSpoken(turn));
  const names = speakersOf(turns);
  const read = (spoken.length > 0 ? spoken : placed).map(({ turn, index }) => ({
    turn: { turn: index, role: turn.role, speaker: turn.speaker },
    found: splitSentences(plainText(turn.text)),
  }));
  const lengths = read.map(({ found }) => found.length);
  const most = Math.max(FEWEST, shareOf(MOST, lengths));
  return read
    .flatMap(({ turn, found }) => found.slice(0, most).map((text) => ({ text, ...turn })))
    .filter(
      ({ text, role }) =>
        !(role === 'ASSISTANT' && isPraise(text)) && !isBoilerplate(stripAddress(text, names)),
    );
}
