import { splitSentences } from '../text/sentences.ts';

const SPEAKER = /^(\p{Lu}[^:.!?]{0,60}): /u;

/** A sentence of a summary that quotes, and who said it: whoever was named last. */
export type QuotedSentence = { text: string; speaker: string | null };

/** The sentences of a summary such as "User: The lease ends in May. Assistant: Give notice by January.", without the names. */
export function quotedSentences(summary: string): QuotedSentence[] {
  let speaker: string | null = null;
  return splitSentences(summary).map((sentence) => {
    const [lead = '', name = null] = SPEAKER.exec(sentence) ?? [];
    speaker = name ?? speaker;
    return { text: sentence.slice(lead.length) || sentence, speaker };
  });
}
