import DataLoader from 'dataloader';
import type { ToolCall } from '../../domain/core/role.ts';
/** What of a turn may be long. */
import { nextTurnContents, type TurnContent } from '../../recall/turn-contents.ts';
import { perUser } from '../core/loaders.ts';
import type { RequestContext } from '../core/request-context.ts';

/** Names a turn. */
type Id = { userId: string; id: number };
type Loaders = Record<TurnContent, DataLoader<Id, string | null>>;

/** What is read at a time: nothing is read far beyond the largest answer, and nobody waits for long. */
const PIECE = 300_000;

const loaders = new WeakMap<RequestContext, Loaders>();

/** The words of a turn; none of one that was forgotten since it was found. */
export const loadText = async (context: RequestContext, { userId, id }: Id): Promise<string> =>
  (await loadersOf(context).text.load({ userId, id })) ?? '';

/** The tool calls of a turn. */
export async function loadToolCalls(
  context: RequestContext,
  { userId, id }: Id,
): Promise<ToolCall[]> {
  const json = await loadersOf(context).toolCalls.load({ userId, id });
  return json === null ? [] : JSON.parse(json);
}

function loadersOf(context: RequestContext): Loaders {
  const known = loaders.get(context);
  if (known) return known;
  const loaderOf = (content: TurnContent) =>
    new DataLoader<Id, string | null>(
      (keys) =>
        perUser(keys, async (userId, own) => {
          const found = await readAll(context, userId, content, [
            ...new Set(own.map(({ id }) => id)),
          ]);
          return own.map(({ id }) => found.get(id) ?? null);
        }),
      { cache: false },
    );
  const made: Loaders = { text: loaderOf('text'), toolCalls: loaderOf('toolCalls') };
  loaders.set(context, made);
  return made;
}

/** Reads piece by piece until all is there, or more than an answer may hold. */
async function readAll(
  { app, answer }: RequestContext,
  userId: string,
  content: TurnContent,
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
