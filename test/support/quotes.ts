import { plainText } from '../../src/reasoner/extractive/text/clean-text.ts';
import { splitSentences } from '../../src/reasoner/extractive/text/sentences.ts';
import type { Utterance } from '../../src/reasoner/reasoner.ts';

/** The words of a text, in small letters, without marks. */
export const bare = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** The sentences of a summary that are in no turn word for word, as they were written or without markup. */
export function notSaid(summary: string, turns: readonly Utterance[]): string[] {
  const said = turns.flatMap(({ text }) => [bare(text), bare(plainText(text))]);
  const speakers = new Set(turns.map(({ speaker }) => speaker?.trim() ?? ''));
  const names = ['User', 'Assistant', 'Tool', 'System', 'Other', ...speakers].filter(Boolean);
  // A sentence begins after the name of its speaker, and after one that was cut.
  const beginnings = new RegExp(
    `(?:^|(?<=\\s))(?:${names.map(escaped).join('|')}): |(?<=…) `,
    'gm',
  );
  return splitSentences(summary.replace(beginnings, '\n'))
    .flatMap((sentence) => sentence.split(/(?<=[.!?…]["')]?)\s+/))
    .map(bare)
    .filter((sentence) => !said.some((text) => ` ${text} `.includes(` ${sentence} `)));
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
