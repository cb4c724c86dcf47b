import { type Access, ownerOf } from './ask.ts';
import type { TurnFragment } from './generated/graphql.ts';
import { THREAD_TURNS } from './operations.ts';
import { zoneIn } from './zone.ts';

const PAGE = 100;

type Place = TurnFragment & { thread: { id: string; turnCount: number } };

/** A turn with those around it. Reads the thread's turns from the end that is nearer. */
export async function turnsAround(
  { number, thread: { id, turnCount } }: Place,
  neighbours: number,
  access: Access,
): Promise<TurnFragment[]> {
  const isNearStart = number <= turnCount / 2;
  const wanted: TurnFragment[] = [];
  let cursor: string | null | undefined;
  do {
    const page = isNearStart ? { first: PAGE, after: cursor } : { last: PAGE, before: cursor };
    const owned = { userId: access.userId, ...ownerOf(access) };
    const { thread } = await access.ask(THREAD_TURNS, { id, ...owned, ...page });
    if (!thread) break;
    const { edges, pageInfo } = thread.turns;
    const turns = edges.flatMap((edge) => edge?.node ?? []);
    wanted.push(...turns.filter((turn) => Math.abs(turn.number - number) <= neighbours));
    const isPast = turns.some((turn) =>
      isNearStart ? turn.number > number + neighbours : turn.number < number - neighbours,
    );
    const more = isNearStart ? pageInfo.hasNextPage : pageInfo.hasPreviousPage;
    cursor = more && !isPast ? (isNearStart ? pageInfo.endCursor : pageInfo.startCursor) : null;
  } while (cursor);
  return wanted.sort((a, b) => a.number - b.number);
}

/** The newest turns of a thread, its title, and the zone in which its user lives; null if the user has no such thread. */
export async function newestTurns(id: string, access: Access) {
  const owned = { userId: access.userId, ...ownerOf(access) };
  const answer = await access.ask(THREAD_TURNS, { id, ...owned, last: PAGE });
  if (!answer.thread) return null;
  const { title, turns } = answer.thread;
  return { title, turns: turns.edges.flatMap((edge) => edge?.node ?? []), zone: zoneIn(answer) };
}
