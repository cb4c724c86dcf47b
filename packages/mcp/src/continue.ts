import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type Access, payloadOf } from './ask.ts';
import { CONTEXT } from './operations.ts';
import { DEFAULT_CHANNEL } from './settings.ts';

/** Sounds like a continuation, so that earlier threads are brought too. */
const MESSAGE = 'Let us continue where we left off.';

/** Registers the prompt that brings the context of the running thread, or of a named one. */
export function registerContinue(server: McpServer, { ask, userId }: Access): void {
  server.registerPrompt(
    'continue',
    {
      title: 'Continue',
      description: 'Continue the running conversation, or the thread with an id.',
      argsSchema: z.object({ thread: z.string().optional() }),
    },
    async ({ thread }) => {
      const place = thread === undefined ? { channel: DEFAULT_CHANNEL } : { threadId: thread };
      const input = { ...place, message: MESSAGE, userId };
      const { markdown } = payloadOf((await ask(CONTEXT, { input })).context);
      const text = `${MESSAGE} This is what memory holds of it:\n\n${markdown}`;
      return { messages: [{ role: 'user', content: { type: 'text', text } }] };
    },
  );
}
