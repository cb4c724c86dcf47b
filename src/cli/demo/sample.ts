import { z } from 'zod';
import { WEEK } from '../../shared/duration.ts';
import { CommandFailed } from '../support/run-command.ts';

const turnSchema = z.object({
  role: z.enum(['USER', 'ASSISTANT', 'TOOL', 'SYSTEM', 'OTHER']),
  speaker: z.string().optional(),
  text: z.string(),
  occurredAt: z.iso.datetime(),
});

const sampleSchema = z.object({
  /** The time zone of the person. */
  timeZone: z.string().optional(),
  /** Whether the weeks are moved, so that the last of them has just passed. */
  endsNow: z.boolean().default(false),
  conversations: z
    .array(
      z.object({
        channel: z.string(),
        /** The title of the thread that the person picked. Conversations with the same title go into the same thread. */
        thread: z.string().optional(),
        turns: z.array(turnSchema).min(1),
      }),
    )
    .min(1),
  questions: z.array(z.object({ query: z.string(), expect: z.string() })),
});

/** Conversations of one person, in their order, and questions with the text that a correct answer contains. */
export type Sample = z.output<typeof sampleSchema>;
export type SampleConversation = Sample['conversations'][number];

/** Parses a sample file. @throws CommandFailed when the text is not JSON or has another form */
export function readSample(text: string, name: string): Sample {
  try {
    return sampleSchema.parse(JSON.parse(text));
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new CommandFailed(`${name} is not a conversation that the demo can use:\n${reason}`, {
      cause: error,
    });
  }
}

/** When the last turn of a conversation was said. */
export const endOf = ({ turns }: SampleConversation): Date =>
  new Date(Math.max(...turns.map(({ occurredAt }) => Date.parse(occurredAt))));

/** Moves a sample by whole weeks, if it wants that, so that it ends within the week before `now`. */
export function broughtUpTo(sample: Sample, now: Date): Sample {
  if (!sample.endsNow) return sample;
  const end = Math.max(...sample.conversations.map((talk) => endOf(talk).getTime()));
  const moved = Math.floor((now.getTime() - end) / WEEK) * WEEK;
  const moveTurn = (turn: z.output<typeof turnSchema>) => ({
    ...turn,
    occurredAt: new Date(Date.parse(turn.occurredAt) + moved).toISOString(),
  });
  const conversations = sample.conversations.map((talk) => ({
    ...talk,
    turns: talk.turns.map(moveTurn),
  }));
  return { ...sample, conversations };
}
