import DataLoader from 'dataloader';
import type { Episode, Fact, Link, Turn as StoredTurn, Thread } from '../../db/generated/client.ts';
import type { Stretch } from '../../db/turns/turns.ts';
import type { RequestContext } from './request-context.ts';

type Prisma = RequestContext['prisma'];
/** A turn without its long columns, which are loaded only if a query selects them. */
type Turn = Omit<StoredTurn, 'text' | 'toolCalls'>;

/** The turns of a user with the ids `first` to `last`. */
type TurnRange = { userId: string; first: number; last: number };
/** A range of a user's turns in a thread. */
type UserStretch = Stretch & { userId: string };
/** A turn by its number in its thread, with what is to be loaded with what it is in. */
type Place = { userId: string; threadId: number; number: number; query: object };
/** A thread or an episode. */
type Id = { userId: string; id: number };

/** The most turns that an episode returns. It may have thousands; its thread lists them all. */
export const NEWEST = 100;

/** Loaders for the objects that events refer to. Each fetches those of a whole page with one statement. */
type Loaders = {
  threads: DataLoader<Id, Thread | null, string>;
  episodes: DataLoader<Id, Episode | null, string>;
  links: DataLoader<Id, Link | null, string>;
  facts: DataLoader<Id, Fact | null, string>;
  histories: DataLoader<{ userId: string; key: string }, Fact[], string>;
  /** In how many threads a skill of a name was found. */
  skillUses: DataLoader<{ userId: string; name: string }, number, string>;
  turns: DataLoader<TurnRange, Turn[], string>;
  stretches: DataLoader<UserStretch, Turn[], string>;
  /** The closed segments that turns are in. */
  segments: DataLoader<Place, Episode | null, string>;
  /** The newest turns of cross-thread episodes, in the order they were said. */
  crossThreadTurns: DataLoader<Id, Turn[], string>;
};

const loaders = new WeakMap<RequestContext, Loaders>();

/** Returns the loaders of a request, and creates them on first use. */
export function loadersOf(context: RequestContext): Loaders {
  const existing = loaders.get(context);
  if (existing) return existing;
  const { prisma } = context;
  const made: Loaders = {
    threads: byId((where) => prisma.thread.findMany({ where })),
    episodes: byId((where) => prisma.episode.findMany({ where })),
    links: byId((where) => prisma.link.findMany({ where })),
    facts: byId((where) => prisma.fact.findMany({ where })),
    histories: new DataLoader(
      (keys) =>
        perUser(keys, async (userId, userKeys) => {
          const found = await prisma.fact.findMany({
            where: { userId, key: { in: userKeys.map(({ key }) => key) } },
            orderBy: [{ validFrom: 'asc' }, { id: 'asc' }],
          });
          return userKeys.map(({ key }) => found.filter((fact) => fact.key === key));
        }),
      { cache: false },
    ),
    skillUses: new DataLoader(
      (keys) =>
        perUser(keys, async (userId, userKeys) => {
          const found = await prisma.skill.groupBy({
            by: ['name'],
            // Skills of cross-thread episodes were already counted in the threads they were found in.
            where: {
              userId,
              name: { in: userKeys.map(({ name }) => name) },
              episode: { kind: { not: 'CROSS_THREAD' } },
            },
            _count: true,
          });
          return userKeys.map(
            ({ name }) => found.find((group) => group.name === name)?._count ?? 1,
          );
        }),
      { cache: false },
    ),
    turns: new DataLoader(
      (keys) =>
        perUser(keys, async (userId, userKeys) => {
          const found = await prisma.turn.findMany({
            where: {
              userId,
              OR: userKeys.map(({ first, last }) => ({ id: { gte: first, lte: last } })),
            },
            orderBy: { id: 'asc' },
          });
          return userKeys.map(({ first, last }) =>
            found.filter((turn) => turn.id >= first && turn.id <= last),
          );
        }),
      { cache: false },
    ),
    stretches: new DataLoader(
      (keys) =>
        perUser(keys, async (userId, userKeys) => {
          const found = await prisma.turn.findMany({
            where: {
              userId,
              OR: userKeys.map(({ threadId, from, to }) => ({
                threadId,
                number: { gte: from, lte: to },
              })),
            },
            orderBy: { number: 'asc' },
          });
          return userKeys.map(({ threadId, from, to }) =>
            found.filter(
              (turn) => turn.threadId === threadId && turn.number >= from && turn.number <= to,
            ),
          );
        }),
      { cache: false },
    ),
    segments: new DataLoader(
      (keys) => perUser(keys, (userId, places) => segmentsOf(prisma, userId, places)),
      { cache: false },
    ),
    crossThreadTurns: new DataLoader(
      (keys) => perUser(keys, (userId, userKeys) => newestTurns(prisma, userId, userKeys)),
      { cache: false },
    ),
  };
  loaders.set(context, made);
  return made;
}

/** Loads the closed segments of several turns with one statement for each selection of their relations. */
async function segmentsOf(
  prisma: Prisma,
  userId: string,
  places: readonly Place[],
): Promise<(Episode | null)[]> {
  const queries = new Map(places.map(({ query }) => [JSON.stringify(query), query]));
  const found = new Map<Place, Episode | null>();
  for (const [name, query] of queries) {
    const same = places.filter((place) => JSON.stringify(place.query) === name);
    const segments = await segmentsWith(prisma, userId, { places: same, query });
    for (const [index, place] of same.entries()) found.set(place, segments[index] ?? null);
  }
  return places.map((place) => found.get(place) ?? null);
}

async function segmentsWith(
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
async function newestTurns(
  prisma: Prisma,
  userId: string,
  episodes: readonly Id[],
): Promise<Turn[][]> {
  const threads = await prisma.thread.findMany({
    where: { userId, crossThreadEpisodeId: { in: episodes.map(({ id }) => id) } },
    select: { id: true, turnCount: true, crossThreadEpisodeId: true },
  });
  const turns = await prisma.turn.findMany({
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

/** Loads rows by id with one statement per user; null for a missing row. */
const byId = <Row extends { id: number }>(
  find: (where: { userId: string; id: { in: number[] } }) => Promise<Row[]>,
): DataLoader<Id, Row | null, string> =>
  new DataLoader(
    (keys) =>
      perUser(keys, async (userId, userKeys) => {
        const found = await find({ userId, id: { in: userKeys.map(({ id }) => id) } });
        return userKeys.map(({ id }) => found.find((row) => row.id === id) ?? null);
      }),
    { cache: false },
  );

/** Calls `load` once per user among the keys (several only with an API key). Returns the results in the order of the keys. */
export async function perUser<K extends { userId: string }, V>(
  keys: readonly K[],
  load: (userId: string, userKeys: K[]) => Promise<V[]>,
): Promise<V[]> {
  const results = new Map<K, V>();
  for (const userId of new Set(keys.map((key) => key.userId))) {
    const userKeys = keys.filter((key) => key.userId === userId);
    const values = await load(userId, userKeys);
    for (const [index, value] of values.entries()) {
      const key = userKeys[index];
      if (key) results.set(key, value);
    }
  }
  return keys.map((key) => results.get(key) as V);
}
