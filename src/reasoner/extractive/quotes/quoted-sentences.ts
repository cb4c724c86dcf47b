import { SPEAKER } from '../../../domain/turns/restated.ts';
import { splitSentences } from '../text/sentences.ts';

/** A quoted sentence of a summary and its speaker, the one named last before it. */
export type QuotedSentence = { text: string; speaker: string | null };

/** Splits a summary such as "User: The lease ends in May. Assistant: Give notice by January." into its sentences without the names. */
export function quotedSentences(summary: string): QuotedSentence[] {
  let speaker: string | null = null;
  return splitSentences(summary).map((sentence) => {
    const [lead = '', name = null] = SPEAKER.exec(sentence) ?? [];
    speaker = name ?? speaker;
    return { text: sentence.slice(lead.length) || sentence, speaker };
  });
}
