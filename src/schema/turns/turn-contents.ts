import DataLoader from 'dataloader';
import { nextTurnContents, type StoredContent } from '../../recall/turn-contents.ts';
import type { ToolCall } from '../../shared/role.ts';
import { perUser } from '../core/in-groups.ts';
import type { RequestContext } from '../core/request-context.ts';

/** The key of a turn. */
type Id = { userId: string; id: number };
type Loaders = Record<StoredContent, DataLoader<Id, string | null>>;

/** Bytes to read per statement, so that a read stops soon after the largest answer is exceeded, and no other caller waits for long. */
const PIECE = 300_000;

const loaders = new WeakMap<RequestContext, Loaders>();

/** Loads the text of a turn; an empty string if the turn was forgotten in the meantime. */
export const loadText = async (context: RequestContext, { userId, id }: Id): Promise<string> =>
  (await loadersOf(context).text.load({ userId, id })) ?? '';

/** Loads the tool calls of a turn. */
export async function loadToolCalls(
  context: RequestContext,
  { userId, id }: Id,
): Promise<ToolCall[]> {
  const json = await loadersOf(context).toolCalls.load({ userId, id });
  return json === null ? [] : JSON.parse(json);
}

function loadersOf(context: RequestContext): Loaders {
  const existing = loaders.get(context);
  if (existing) return existing;
  const loaderOf = (content: StoredContent) =>
    new DataLoader<Id, string | null>(
      (keys) =>
        perUser(keys, async (userId, userKeys) => {
          const found = await readAll(context, userId, content, [
            ...new Set(userKeys.map(({ id }) => id)),
          ]);
          return userKeys.map(({ id }) => found.get(id) ?? null);
        }),
      { cache: false },
    );
  const made: Loaders = { text: loaderOf('text'), toolCalls: loaderOf('toolCalls') };
  loaders.set(context, made);
  return made;
}

/** Reads the contents of turns piece by piece. `answer.take` throws once they exceed the largest answer. */
async function readAll(
  { app, answer }: RequestContext,
  userId: string,
  content: StoredContent,
  ids: number[],
): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  for (let after = 0; found.size < ids.length; ) {
    const piece = { ids, after, bytes: PIECE };
    const rows = await answer.read(() => nextTurnContents(app, userId, { content, piece }));
    const last = rows.at(-1);
    if (!last) break;
    after = last.id;
    for (const { id, value } of rows) found.set(id, value);
    await answer.take(rows.reduce((sum, { value }) => sum + value.length, 0));
  }
  return found;
}
