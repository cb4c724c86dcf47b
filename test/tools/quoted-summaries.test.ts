import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { compact } from '../../src/reasoner/extractive/compact.ts';
import { describeSegment } from '../../src/reasoner/extractive/describe-segment.ts';
import type { Utterance } from '../../src/reasoner/reasoner.ts';
import type { Role } from '../../src/shared/role.ts';
import { parseCaptures } from '../../tools/eval/capture-scores.ts';
import { readChat } from '../../tools/eval/chats/chat-file.ts';
import { parseLocomo } from '../../tools/eval/locomo.ts';
import { readDialogues } from '../../tools/eval/segmentation/dialogues.ts';
import { notSaid } from '../support/quotes.ts';

/** The data sets of the evaluations, which are not part of the project. */
const DATA = join(import.meta.dirname, '../../../shared/data');
const AT = new Date('2025-03-03T09:00:00Z');
/** About as many turns as a segment has. */
const SEGMENT = 12;
/** About as many turns as a long thread has. */
const THREAD = 100;

type Said = { text: string; role?: Role; speaker?: string | null | undefined };

const READERS: Record<string, (path: string) => Promise<Said[][]>> = {
  chats: async (path) => (await readChat(path)).conversations.map(({ turns }) => turns),
  locomo: async (path) => parseLocomo(await readFile(path, 'utf8')).map(({ turns }) => turns),
  segmentation: async (path) =>
    (await readDialogues(path)).dialogues.map(({ utterances }) =>
      utterances.map((text, at) => ({ text, role: at % 2 === 0 ? 'USER' : 'ASSISTANT' })),
    ),
  capture: async (path) => parseCaptures(await readFile(path, 'utf8')).map(({ turns }) => turns),
};

const asUtterance = ({ text, role = 'OTHER', speaker = null }: Said): Utterance => ({
  text,
  role,
  speaker,
  occurredAt: AT,
});

const inPieces = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
    all.slice(at * size, (at + 1) * size),
  );

it.skipIf(!existsSync(DATA)).each(Object.entries(READERS))(
  'each sentence of a built-in summary was said word for word, in all data sets of %s',
  async (folder, read) => {
    const files = (await readdir(join(DATA, folder))).filter((name) => /\.jsonl?$/.test(name));
    const wrong: string[] = [];
    let summaries = 0;
    const check = (summary: string | null, turns: readonly Utterance[]) => {
      if (summary) summaries += 1;
      wrong.push(...notSaid(summary ?? '', turns));
    };
    for (const file of files) {
      for (const said of await read(join(DATA, folder, file))) {
        const turns = said.map(asUtterance);
        for (const part of inPieces(turns, SEGMENT)) {
          check(describeSegment({ turns: part }).summary, part);
        }
        for (const part of inPieces(turns, THREAD)) {
          const { micro, meso } = compact({ turns: part });
          check(micro, part);
          check(meso, part);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(summaries).toBeGreaterThan(files.length);
  },
);
