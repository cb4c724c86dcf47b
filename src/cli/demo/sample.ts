import { z } from 'zod';
import { CommandFailed } from '../support/run-command.ts';

const sampleSchema = z.object({
  conversations: z
    .array(
      z.object({
        channel: z.string(),
        /** The title of a thread that the person picked; the same title is the same thread. */
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

/** Conversations of one person, in their order, and questions with words of their answers. */
export type Sample = z.output<typeof sampleSchema>;

/** @throws CommandFailed when the text is not such a file */
export function readSample(text: string, name: string): Sample {
  try {
    return sampleSchema.parse(JSON.parse(text));
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new CommandFailed(`${name} is not a conversation that the demo can use:\n${why}`, {
      cause: error,
    });
  }
}
