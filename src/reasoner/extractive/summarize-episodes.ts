import type { z } from 'zod';
import type { StepOutput, summarizeEpisodes as shapes } from '../reasoner.ts';
import { isEnglish } from './clean-text.ts';
import type { Meaning } from './meaning.ts';
import type { Participants } from './participants.ts';
import { quotesOf } from './quotes.ts';
import { rankSentences, similarityTable } from './rank-sentences.ts';
import { type Sentence, splitSentences } from './sentences.ts';

/** Two to five sentences (seed 003 §2.2). */
const SUMMARY = { sentences: 5, characters: 800 } as const;
const MOST_SENTENCES = 120;
/** As alike as this, a sentence says what an earlier summary says. */
const KNOWN = 0.9;

const LASTING =
  /\b(?:is|has|lives?|works?|loves?|likes?|prefers?|always|usually|never|wants?|needs?|plans?|decided|moved|started|got|family|wife|husband|son|daughter|job|studies)\b/i;

/**
 * N episodes as one narrative in the order in which they happened: their central sentences as they
 * stand, with who said them, none twice and none that an earlier summary has.
 */
export async function summarizeEpisodes(
  { episodes, existing }: z.output<(typeof shapes)['input']>,
  meaning: Meaning | null,
): Promise<StepOutput<'summarize-episodes'>> {
  const ordered = [...episodes].sort((a, b) => a.endedAt.getTime() - b.endedAt.getTime());
  const source = ordered.flatMap(({ summary }, turn) => quoted(summary, turn));
  const fresh = await unknown(source, existing.flatMap(splitSentences), meaning);
  const ranked = await rankSentences(fresh, {
    meaning,
    worth: ({ text }) => (LASTING.test(text) ? 1.15 : 1) * (/\basked\b/.test(text) ? 0.8 : 1),
    most: MOST_SENTENCES,
  });
  return { summary: quotesOf(ranked, AS_GIVEN(source), SUMMARY) };
}

const SPEAKER = /^(\p{Lu}[^:.!?]{0,60}): /u;

/** The sentences of a summary, each with who said it. */
function quoted(summary: string, turn: number): Sentence[] {
  let speaker: string | null = null;
  const sentences = splitSentences(summary);
  return (sentences.length > 0 ? sentences : [summary]).map((sentence) => {
    const [lead = '', name = null] = SPEAKER.exec(sentence) ?? [];
    speaker = name ?? speaker;
    return { text: sentence.slice(lead.length) || sentence, turn, role: 'OTHER', speaker };
  });
}

/** What is quoted already. */
const AS_GIVEN = (sentences: readonly Sentence[]): Participants => ({
  names: [],
  english: isEnglish(sentences.map(({ text }) => text).join(' ')),
  assisted: false,
  of: ({ speaker }) => speaker ?? '',
});

/** Without what earlier summaries say; if they say all of it, everything. */
async function unknown(
  sentences: Sentence[],
  known: readonly string[],
  meaning: Meaning | null,
): Promise<Sentence[]> {
  if (known.length === 0) return sentences;
  const table = await similarityTable([...sentences.map(({ text }) => text), ...known], meaning);
  const fresh = sentences.filter((_, i) =>
    known.every((_, j) => (table[i]?.[sentences.length + j] ?? 0) < KNOWN),
  );
  return fresh.length > 0 ? fresh : sentences;
}
