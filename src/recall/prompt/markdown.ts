import type { MemoryContext } from '../../context.ts';
import { toMarkdown } from '../format.ts';
import type { Recall } from '../recalled.ts';

/** Formats a recall as markdown for a tool result, with the number of conversations that state each fact. */
export async function markdownOf(
  ctx: MemoryContext,
  userId: string,
  recalled: Recall,
): Promise<string> {
  const { facts, hits } = recalled;
  const ids = [...facts, ...hits.flatMap((hit) => (hit.kind === 'FACT' ? [hit.fact] : []))].map(
    ({ id }) => id,
  );
  const conversations = await ctx
    .memory(userId)
    .read((memory) => memory.recalled.conversationsOf(ids));
  return toMarkdown(recalled, conversations);
}
