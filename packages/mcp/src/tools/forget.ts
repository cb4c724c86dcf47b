import { z } from 'zod';
import { payloadOf } from '../ask.ts';
import type { ForgetInput } from '../generated/graphql.ts';
import { FORGET } from '../operations.ts';
import { fenced, plain } from '../text.ts';
import { defineTool } from '../tool.ts';

const KINDS = ['turn', 'fact', 'episode', 'thread'] as const;

/** Erases one thing for good. A whole memory cannot be named. */
export const forget = defineTool({
  name: 'forget',
  needs: 'ALL',
  description:
    'Erase for good, with all that was derived. Without `confirm` it only says what would go: show the user first.',
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
  run: async ({ kind, id, confirm }, { ask, userId }) => {
    const variables = { userId, input: inputOf(kind, id), preview: !confirm };
    const { __typename, items, ...counts } = payloadOf((await ask(FORGET, variables)).forget);
    const lines = items.map((item) => `${item.kind.toLowerCase()}: ${plain(item.line)}`);
    const what = Object.entries(counts)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ');
    const markdown = confirm
      ? `Erased for good: ${what}.`
      : `Nothing was erased. With confirm: true this goes for good: ${what}.\n${fenced(lines)}`;
    return { markdown, data: { erased: confirm, counts, items: lines } };
  },
});

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
