import { z } from 'zod';
import { payloadOf, Refusal } from '../ask.ts';
import { REMEMBER } from '../operations.ts';
import { DEFAULT_CHANNEL } from '../settings.ts';
import { defineTool, listOf, moment } from '../tool.ts';
import { momentOf } from '../zone.ts';

const said = z.object({ said_by: z.enum(['user', 'assistant']), text: z.string() });

/** Stores what was said, word for word. */
export const remember = defineTool({
  name: 'remember',
  needs: 'WRITE',
  description:
    'Store what was said, word for word: one text or turns. The same `key` stores nothing twice.',
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  input: z.object({
    said_by: said.shape.said_by.default('user'),
    text: z.string().optional(),
    turns: listOf(said).optional(),
    channel: z.string().default(DEFAULT_CHANNEL),
    thread: z.string().optional(),
    when: moment.optional(),
    key: z.string().optional(),
  }),
  output: z.object({
    ids: z.array(z.string()),
    thread: z.string().nullable(),
    status: z.array(z.string()),
  }),
  async run({ said_by, text, turns, channel, thread, when, key }, access) {
    if ((text === undefined) === (turns === undefined)) {
      throw new Refusal('INVALID_INPUT', 'Give either text (with said_by) or turns.');
    }
    const all = turns ?? [{ said_by, text: text ?? '' }];
    // Without keys, a repetition after a broken connection would store the turns twice.
    const base = key ?? crypto.randomUUID();
    const occurredAt = await momentOf(when, access);
    const input = {
      userId: access.userId,
      channel,
      threadId: thread,
      turns: all.map((turn, index) => ({
        role: turn.said_by === 'user' ? ('USER' as const) : ('ASSISTANT' as const),
        text: turn.text,
        occurredAt,
        idempotencyKey: all.length === 1 ? base : `${base}:${index}`,
      })),
    };
    const stored = payloadOf((await access.ask(REMEMBER, { input })).remember).turns;
    const ids = stored.flatMap(({ turn }) => turn?.id ?? []);
    const threadId = stored.find(({ turn }) => turn)?.turn?.thread.id ?? null;
    const status = stored.map((turn) => turn.status);
    return {
      markdown: `${status.join(', ')}: ${ids.join(', ')}${threadId ? ` in the thread ${threadId}` : ''}`,
      data: { ids, thread: threadId, status },
    };
  },
});
