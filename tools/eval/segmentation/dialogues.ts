import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { z } from 'zod';
import { showProgress } from '../../../src/cli/support/progress.ts';
import { CommandFailed } from '../../../src/cli/support/run-command.ts';
import type { Embedder } from '../../../src/embedder/core/embedder.ts';
import { parseLocomo } from '../locomo.ts';
import { spliceSessions } from './splice-sessions.ts';

/** A conversation cut into topics. Utterance `boundaries[i]` opens a topic. */
export type Dialogue = {
  id: string;
  /** What it was made from. Dialogues of the same source stay in the same fold. */
  source: string;
  utterances: string[];
  boundaries: number[];
};

/** The conversations of one file. All files have the same weight in a fit. */
export type DialogueSet = { name: string; sha256: string; dialogues: Dialogue[] };

/** A dialogue with a vector for each utterance. */
export type Embedded<T> = T & { vectors: Float32Array[] };

const lineSchema = z.object({
  id: z.string(),
  utterances: z.array(z.string()).min(1),
  boundaries: z.array(z.int().min(1)),
});

/** Reads dialogues from JSON lines. @throws CommandFailed if a line has another shape */
export async function readDialogues(file: string): Promise<DialogueSet> {
  const text = await readFile(file, 'utf8');
  try {
    const dialogues = text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => lineSchema.parse(JSON.parse(line)))
      .map((dialogue) => ({ ...dialogue, source: dialogue.id }));
    return { name: basename(file), sha256: hashOf(text), dialogues };
  } catch (cause) {
    const shape = '{"id","utterances":[…],"boundaries":[…]}';
    throw new CommandFailed(`${file} holds no JSON lines of ${shape}.`, { cause });
  }
}

/** Reads a file in the shape of locomo10.json, and splices its sessions into dialogues. */
export async function readSplices(file: string): Promise<DialogueSet> {
  const text = await readFile(file, 'utf8');
  try {
    const dialogues = parseLocomo(text).flatMap((conversation) => spliceSessions(conversation));
    return { name: 'splice', sha256: hashOf(text), dialogues };
  } catch (cause) {
    throw new CommandFailed(`${file} is not of the shape of locomo10.json.`, { cause });
  }
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** Counts the conversations, turns and boundaries of a set. */
export const countsOf = ({ name, sha256, dialogues }: DialogueSet) => ({
  name,
  sha256,
  conversations: dialogues.length,
  turns: dialogues.reduce((sum, { utterances }) => sum + utterances.length, 0),
  boundaries: dialogues.reduce((sum, { boundaries }) => sum + boundaries.length, 0),
});

const BATCH = 128;

/** Embeds all utterances, each distinct text once. */
export async function embedDialogues(
  embedder: Embedder,
  sets: readonly DialogueSet[],
): Promise<{ set: DialogueSet; dialogues: Embedded<Dialogue>[] }[]> {
  const texts = [
    ...new Set(sets.flatMap(({ dialogues }) => dialogues.flatMap(({ utterances }) => utterances))),
  ];
  using embedded = showProgress('utterances embedded', texts.length);
  const vectors = new Map<string, Float32Array>();
  for (let start = 0; start < texts.length; start += BATCH) {
    const batch = texts.slice(start, start + BATCH);
    const batchVectors = await embedder.embed(batch, { priority: 'batch' });
    for (const [place, text] of batch.entries())
      vectors.set(text, batchVectors[place] as Float32Array);
    embedded.add(batch.length);
  }
  return sets.map((set) => ({
    set,
    dialogues: set.dialogues.map((dialogue) => ({
      ...dialogue,
      vectors: dialogue.utterances.map((text) => vectors.get(text) as Float32Array),
    })),
  }));
}
