import type { Episode, Turn as StoredTurn } from '../../db/generated/client.ts';
import type { RequestContext } from './request-context.ts';

type Prisma = RequestContext['prisma'];
/** A turn without its long columns, which are loaded only if a query selects them. */
export type Turn = Omit<StoredTurn, 'text' | 'toolCalls'>;

/** The most turns that an episode returns. It may have thousands; its thread lists them all. */
export const NEWEST = 100;

export type ThreadKey = { userId: string; threadId: number };
export type SkillName = { userId: string; name: string };
type EpisodeKey = { id: number };
/** A turn by its number in its thread. */
type Place = { threadId: number; number: number };

/** Counts in how many threads the skills of some names were found. */
export async function countUses(
  prisma: Prisma,
  userId: string,
  skills: readonly SkillName[],
): Promise<number[]> {
  const found = await prisma.skill.groupBy({
    by: ['name'],
    // Skills of cross-thread episodes were already counted in the threads they were found in.
    where: {
      userId,
      name: { in: skills.map(({ name }) => name) },
      episode: { kind: { not: 'CROSS_THREAD' } },
    },
    _count: true,
  });
  return skills.map(({ name }) => found.find((group) => group.name === name)?._count ?? 1);
}

/** Loads what threads are about: the short summaries of their PRIMARY episodes. */
export async function summariesOf(
  prisma: Prisma,
  userId: string,
  threads: readonly ThreadKey[],
): Promise<(string | null)[]> {
  const found = await prisma.episode.findMany({
    where: { userId, ordinal: 0, threadId: { in: threads.map(({ threadId }) => threadId) } },
    select: { threadId: true, micro: true },
  });
  const microOf = new Map(found.map(({ threadId, micro }) => [threadId, micro]));
  return threads.map(({ threadId }) => microOf.get(threadId) ?? null);
}

/** Loads the closed segments of several turns with one statement. */
export async function segmentsOf(
  prisma: Prisma,
  userId: string,
  { places, query }: { places: readonly Place[]; query: object },
): Promise<(Episode | null)[]> {
  const threadIds = [...new Set(places.map(({ threadId }) => threadId))];
  const found: Episode[] = await prisma.episode.findMany({
    ...query,
    where: {
      userId,
      kind: 'SEGMENT',
      OR: threadIds.map((threadId) => {
        const numbers = places.flatMap((one) => (one.threadId === threadId ? one.number : []));
        const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
        return { threadId, firstTurn: { lte: last }, lastTurn: { gte: first } };
      }),
    },
  });
  return places.map(
    ({ threadId, number }) =>
      found.find(
        (one) => one.threadId === threadId && one.firstTurn <= number && one.lastTurn >= number,
      ) ?? null,
  );
}

/** Loads the newest turns of several cross-thread episodes with two statements. */
export async function newestTurns(
  prisma: Prisma,
  userId: string,
  { episodes, query }: { episodes: readonly EpisodeKey[]; query: object },
): Promise<Turn[][]> {
  const threads = await prisma.thread.findMany({
    where: { userId, crossThreadEpisodeId: { in: episodes.map(({ id }) => id) } },
    select: { id: true, turnCount: true, crossThreadEpisodeId: true },
  });
  const turns: Turn[] = await prisma.turn.findMany({
    ...query,
    where: {
      userId,
      OR: threads.map(({ id, turnCount }) => ({
        threadId: id,
        number: { gt: turnCount - NEWEST },
      })),
    },
    orderBy: [{ occurredAt: 'asc' }, { id: 'asc' }],
  });
  const episodeOf = new Map(threads.map((thread) => [thread.id, thread.crossThreadEpisodeId]));
  return episodes.map(({ id }) =>
    turns.filter(({ threadId }) => episodeOf.get(threadId) === id).slice(-NEWEST),
  );
}
