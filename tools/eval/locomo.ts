import { z } from 'zod';
import type { PastTurn } from '../../src/cli/support/memory-client.ts';

/** A turn of LoCoMo. Its `id` is such as "D3:11", the 11th of session 3. */
export type LocomoTurn = PastTurn & { id: string };

type LocomoQuestion = { text: string; category: number; evidence: string[] };

export type LocomoConversation = {
  id: string;
  /** The speaker who is the user. */
  self: string;
  /** In the order they were said. */
  turns: LocomoTurn[];
  /** The questions of categories 1-4 whose evidence is in the conversation. */
  questions: LocomoQuestion[];
};

const turnSchema = z.object({
  speaker: z.string(),
  dia_id: z.string(),
  text: z.string(),
  blip_caption: z.string().nullish(),
});
const fileSchema = z.array(
  z.object({
    sample_id: z.string(),
    conversation: z.object({ speaker_a: z.string(), speaker_b: z.string() }).catchall(z.unknown()),
    qa: z.array(
      z.object({
        question: z.string(),
        category: z.number(),
        evidence: z.array(z.string()).default([]),
      }),
    ),
  }),
);

const SESSION = /^session_(\d+)$/;
const SPACING = 20_000;
const MONTHS =
  'January February March April May June July August September October November December';

/**
 * Reads conversations in the shape of the public locomo10.json (Maharana et al. 2024). A session has a single time, from
 * which its turns are spaced 20 s apart. The caption of an image is appended to the text.
 * @throws if the text does not have that shape
 */
export function parseLocomo(json: string): LocomoConversation[] {
  return fileSchema.parse(JSON.parse(json)).map(({ sample_id, conversation, qa }) => {
    const turns = Object.keys(conversation)
      .flatMap((name) => SESSION.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => a - b)
      .flatMap((session) => readSession(conversation, session));
    const knownIds = new Set(turns.map((turn) => turn.id));
    const questions = qa
      .filter(({ category }) => category >= 1 && category <= 4)
      .map(({ question, category, evidence }) => ({
        text: question,
        category,
        evidence: readEvidence(evidence).filter((id) => knownIds.has(id)),
      }))
      .filter(({ evidence }) => evidence.length > 0);
    return { id: sample_id, self: conversation.speaker_a, turns, questions };
  });
}

function readSession(conversation: Record<string, unknown>, session: number): LocomoTurn[] {
  const start = readTime(z.string().parse(conversation[`session_${session}_date_time`]));
  return z
    .array(turnSchema)
    .parse(conversation[`session_${session}`])
    .map(({ speaker, dia_id, text, blip_caption }, index) => ({
      id: readEvidence([dia_id])[0] ?? dia_id,
      speaker,
      text: blip_caption ? `${text} [${blip_caption}]`.trim() : text,
      occurredAt: new Date(start + index * SPACING).toISOString(),
    }));
}

/** Parses a time such as "1:56 pm on 8 May, 2023" as UTC. Returns milliseconds. */
function readTime(text: string): number {
  const [, hour, minute, half, day, month, year] =
    /^(\d+):(\d+) (am|pm) on (\d+) (\w+), (\d+)$/.exec(text.trim()) ?? [];
  const monthIndex = MONTHS.split(' ').indexOf(month ?? '');
  if (monthIndex < 0) throw new Error(`"${text}" is not a time of LoCoMo.`);
  const hours = (Number(hour) % 12) + (half === 'pm' ? 12 : 0);
  return Date.UTC(Number(year), monthIndex, Number(day), hours, Number(minute));
}

/** Returns the ids of turns in entries. Some entries name several, are mistyped ("D:11:26") or padded ("D30:05"). */
function readEvidence(entries: readonly string[]): string[] {
  const ids = entries.flatMap((entry) =>
    [...entry.matchAll(/D:?(\d+):(\d+)/g)].map(
      ([, session, turn]) => `D${Number(session)}:${Number(turn)}`,
    ),
  );
  return [...new Set(ids)];
}

/** Returns the session in a turn's id. */
export const sessionOf = (id: string): string => id.split(':')[0] ?? id;
