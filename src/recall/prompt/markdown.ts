import type { Context } from '../../context.ts';
import { toMarkdown } from '../format.ts';
import type { Recall } from '../recalled.ts';

/** What was recalled as one markdown text for a tool result, with from how many conversations each fact comes. */
export async function markdownOf(ctx: Context, userId: string, recalled: Recall): Promise<string> {
  const { facts, hits } = recalled;
  const ids = [...facts, ...hits.flatMap((hit) => (hit.kind === 'FACT' ? [hit.fact] : []))].map(
    ({ id }) => id,
  );
  const conversations = await ctx
    .memory(userId)
    .read((memory) => memory.recalled.conversationsOf(ids));
  return toMarkdown(recalled, conversations);
}
