import { z } from 'zod';
import { type Access, payloadOf } from '../ask.ts';
import type { ForgetInput } from '../generated/graphql.ts';
import { turnLine } from '../lines.ts';
import { FORGET } from '../operations.ts';
import { fenced, plain } from '../text.ts';
import { defineTool } from '../tool.ts';
import { opened } from './open.ts';

const KINDS = ['turn', 'fact', 'episode', 'thread'] as const;

/** Erases one thing for good. A whole memory cannot be named. */
export const forget = defineTool({
  name: 'forget',
  needs: 'ALL',
  description:
    'Erase for good, with all that was derived. Without `confirm` it only says what would go: show that to the user first.',
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  input: z.object({
    kind: z.enum(KINDS),
    id: z.string(),
    confirm: z.boolean().default(false),
  }),
  output: z.object({
    erased: z.boolean(),
    counts: z.record(z.string(), z.number()),
    items: z.array(z.string()),
  }),
  run: ({ kind, id, confirm }, access) =>
    confirm ? erased(kind, id, access) : preview(id, access),
});

async function erased(kind: (typeof KINDS)[number], id: string, { ask, userId }: Access) {
  const input = inputOf(kind, id);
  const { __typename, ...counts } = payloadOf((await ask(FORGET, { userId, input })).forget);
  const text = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
  return {
    markdown: `Erased for good: ${text.join(', ')}.`,
    data: { erased: true, counts, items: [] },
  };
}

function inputOf(kind: (typeof KINDS)[number], id: string): ForgetInput {
  switch (kind) {
    case 'turn':
      return { turnId: id };
    case 'fact':
      return { factId: id };
    case 'episode':
      return { episodeId: id };
    case 'thread':
      return { threadId: id };
  }
}

/** What is named. */
async function preview(id: string, access: Access) {
  const { kind, title, lines, turns } = await opened(id, 0, access);
  const items = [`${kind}: ${plain(title)}`, ...lines, ...turns.map(turnLine)];
  return {
    markdown: `Nothing was erased. With confirm: true this goes for good, with all that was derived from it:\n${fenced(items)}`,
    data: { erased: false, counts: {}, items },
  };
}
