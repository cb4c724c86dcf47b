import { z } from 'zod';
import { CommandFailed } from '../support/run-command.ts';

const sampleSchema = z.object({
  conversations: z
    .array(
      z.object({
        channel: z.string(),
        /** The title of the thread that the person picked. Conversations with the same title go into the same thread. */
        thread: z.string().optional(),
        turns: z
          .array(
            z.object({
              role: z.enum(['USER', 'ASSISTANT', 'TOOL', 'SYSTEM', 'OTHER']),
              speaker: z.string().optional(),
              text: z.string(),
              occurredAt: z.string(),
              idempotencyKey: z.string().optional(),
            }),
          )
          .min(1),
      }),
    )
    .min(1),
  questions: z.array(z.object({ query: z.string(), expect: z.string() })),
});

/** Conversations of one person, in their order, and questions with the text that a correct answer contains. */
export type Sample = z.output<typeof sampleSchema>;

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
