import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { CommandFailed } from '../../../src/cli/support/run-command.ts';
import { type LocomoConversation, parseLocomo } from '../../eval/locomo.ts';

/** A conversation with labelled topics. A boundary is the index of an utterance that opens a topic. */
export type Talk = { utterances: string[]; boundaries: number[] };

const talkSchema = z.object({
  utterances: z.array(z.string()),
  boundaries: z.array(z.int().min(0)),
});

/**
 * Reads files of either shape: JSON lines of conversations with topic boundaries, or locomo10.json.
 * @throws CommandFailed with the name of a file that has neither shape
 */
export async function readTalks(
  files: readonly string[],
): Promise<{ talks: Talk[]; locomo: LocomoConversation[] }> {
  const talks: Talk[] = [];
  const locomo: LocomoConversation[] = [];
  for (const file of files) {
    const text = (await readFile(file, 'utf8')).trim();
    try {
      if (text.startsWith('[')) locomo.push(...parseLocomo(text));
      else talks.push(...text.split('\n').map((line) => talkSchema.parse(JSON.parse(line))));
    } catch (cause) {
      throw new CommandFailed(
        `${file} holds neither JSON lines with "utterances" and "boundaries" nor conversations in the shape of locomo10.json.`,
        { cause },
      );
    }
  }
  return { talks, locomo };
}
