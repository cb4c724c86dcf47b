import { z } from 'zod';
import { payloadOf } from '../ask.ts';
import { CONTEXT } from '../operations.ts';
import { DEFAULT_CHANNEL } from '../settings.ts';
import { defineTool } from '../tool.ts';

/** What a model needs to answer a message. */
export const context = defineTool({
  name: 'context',
  needs: 'READ',
  description:
    "Memory to answer a message: profile, facts, related and recent turns. Call first, with the user's message.",
  hints: { readOnlyHint: true },
  input: z.object({
    message: z.string(),
    channel: z.string().optional(),
    thread: z.string().optional(),
    max_tokens: z.number().default(2000),
  }),
  output: z.object({
    memory: z.string(),
    thread: z.string().nullable(),
    tokens: z.number(),
    left_out: z.number(),
  }),
  async run({ message, channel, thread, max_tokens }, { ask, userId }) {
    // A thread that is named says itself how it is continued.
    const place = thread === undefined ? (channel ?? DEFAULT_CHANNEL) : channel;
    const input = { message, channel: place, threadId: thread, maxTokens: max_tokens, userId };
    const found = payloadOf((await ask(CONTEXT, { input })).context);
    const { window, facts, hits, summaries, exchanges } = found.leftOut;
    return {
      markdown: found.markdown,
      data: {
        memory: found.markdown,
        thread: found.thread?.id ?? null,
        tokens: found.tokens,
        left_out: window + facts + hits + summaries + exchanges,
      },
    };
  },
});
