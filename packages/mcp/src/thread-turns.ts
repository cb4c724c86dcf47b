import { type Access, ownerOf } from './ask.ts';
import type { TurnFragment } from './generated/graphql.ts';
import { THREAD_TURNS } from './operations.ts';
import { zoneIn } from './zone.ts';

/** How many turns of a thread are its newest. */
const NEWEST = 100;

type Place = TurnFragment & { thread: { id: string } };

/** A turn with those around it, oldest first. */
export async function turnsAround(
  { number, thread: { id } }: Place,
  neighbours: number,
  access: Access,
): Promise<TurnFragment[]> {
  const fromNumber = Math.max(1, number - neighbours);
  const page = { fromNumber, first: number + neighbours - fromNumber + 1 };
  const owned = { userId: access.userId, ...ownerOf(access) };
  const { thread } = await access.ask(THREAD_TURNS, { id, ...owned, ...page });
  return thread?.turns.edges.flatMap((edge) => edge?.node ?? []) ?? [];
}

/** The newest turns of a thread, its title, and the zone in which its user lives; null if the user has no such thread. */
export async function newestTurns(id: string, access: Access) {
  const owned = { userId: access.userId, ...ownerOf(access) };
  const answer = await access.ask(THREAD_TURNS, { id, ...owned, last: NEWEST });
  if (!answer.thread) return null;
  const { title, turns } = answer.thread;
  return { title, turns: turns.edges.flatMap((edge) => edge?.node ?? []), zone: zoneIn(answer) };
}
