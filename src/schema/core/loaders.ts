import DataLoader from 'dataloader';
import type { Episode, Fact, Link, Turn as StoredTurn, Thread } from '../../db/generated/client.ts';
import type { RequestContext } from './request-context.ts';

type Prisma = RequestContext['prisma'];
/** A turn as the graph reads it: what may be long is loaded where it is asked for. */
type Turn = Omit<StoredTurn, 'text' | 'toolCalls'>;

/** Ids `first` to `last` of a user. */
type TurnRange = { userId: string; first: number; last: number };
/** Turns of a thread by number, both ends included. */
type Stretch = TurnRange & { threadId: number };
/** A thread or an episode. */
type Id = { userId: string; id: number };

/** Of an episode, which may have thousands of turns, so many are shown; all are at its thread. */
export const NEWEST = 100;

/** What events refer to, fetched for a whole page of them at once. */
type Loaders = {
  threads: DataLoader<Id, Thread | null, string>;
  episodes: DataLoader<Id, Episode | null, string>;
  links: DataLoader<Id, Link | null, string>;
  facts: DataLoader<Id, Fact | null, string>;
  histories: DataLoader<{ userId: string; key: string }, Fact[], string>;
  /** In how many threads a skill of that name was found. */
  skillUses: DataLoader<{ userId: string; name: string }, number, string>;
  turns: DataLoader<TurnRange, Turn[], string>;
  stretches: DataLoader<Stretch, Turn[], string>;
  /** By the ids of cross-thread episodes: their newest turns by the time they were said. */
  crossThreadTurns: DataLoader<Id, Turn[], string>;
};

const loaders = new WeakMap<RequestContext, Loaders>();

export function loadersOf(context: RequestContext): Loaders {
  const known = loaders.get(context);
  if (known) return known;
  const { prisma } = context;
  const made: Loaders = {
    threads: byId((where) => prisma.thread.findMany({ where })),
    episodes: byId((where) => prisma.episode.findMany({ where })),
    links: byId((where) => prisma.link.findMany({ where })),
    facts: byId((where) => prisma.fact.findMany({ where })),
    histories: new DataLoader(
      (keys) =>
        perUser(keys, async (userId, own) => {
          const found = await prisma.fact.findMany({
            where: { userId, key: { in: own.map(({ key }) => key) } },
            orderBy: [{ validFrom: 'asc' }, { id: 'asc' }],
          });
          return own.map(({ key }) => found.filter((fact) => fact.key === key));
        }),
      { cache: false },
    ),
    skillUses: new DataLoader(
      (keys) =>
        perUser(keys, async (userId, own) => {
          const found = await prisma.skill.groupBy({
            by: ['name'],
            // What shows over several threads was counted in those it was found in, if it was in any.
            where: {
              userId,
              name: { in: own.map(({ name }) => name) },
              episode: { kind: { not: 'CROSS_THREAD' } },
            },
            _count: true,
          });
          return own.map(({ name }) => found.find((group) => group.name === name)?._count ?? 1);
        }),
      { cache: false },
    ),
    turns: new DataLoader(
      (keys) =>
        perUser(keys, async (userId, own) => {
          const found = await prisma.turn.findMany({
            where: {
              userId,
              OR: own.map(({ first, last }) => ({ id: { gte: first, lte: last } })),
            },
            orderBy: { id: 'asc' },
          });
          return own.map(({ first, last }) =>
            found.filter((turn) => turn.id >= first && turn.id <= last),
          );
        }),
      { cache: false },
    ),
    stretches: new DataLoader(
      (keys) =>
        perUser(keys, async (userId, own) => {
          const found = await prisma.turn.findMany({
            where: {
              userId,
              OR: own.map(({ threadId, first, last }) => ({
                threadId,
                number: { gte: first, lte: last },
              })),
            },
            orderBy: { number: 'asc' },
          });
          return own.map(({ threadId, first, last }) =>
            found.filter(
              (turn) => turn.threadId === threadId && turn.number >= first && turn.number <= last,
            ),
          );
        }),
      { cache: false },
    ),
    crossThreadTurns: new DataLoader(
      (keys) => perUser(keys, (userId, own) => newestTurns(prisma, userId, own)),
      { cache: false },
    ),
  };
  loaders.set(context, made);
  return made;
}

/** The newest turns of cross-thread episodes, by two statements for all of them. */
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

/** Rows by their ids, all of a user's with one statement; null for one that is not there. */
const byId = <Row extends { id: number }>(
  find: (where: { userId: string; id: { in: number[] } }) => Promise<Row[]>,
): DataLoader<Id, Row | null, string> =>
  new DataLoader(
    (keys) =>
      perUser(keys, async (userId, own) => {
        const found = await find({ userId, id: { in: own.map(({ id }) => id) } });
        return own.map(({ id }) => found.find((row) => row.id === id) ?? null);
      }),
    { cache: false },
  );

/** One load for each user among the keys, which is one user but for API keys; results in the order of the keys. */
export async function perUser<K extends { userId: string }, V>(
  keys: readonly K[],
  load: (userId: string, own: K[]) => Promise<V[]>,
): Promise<V[]> {
  const results = new Map<K, V>();
  for (const userId of new Set(keys.map((key) => key.userId))) {
    const own = keys.filter((key) => key.userId === userId);
    const values = await load(userId, own);
    for (const [index, value] of values.entries()) {
      const key = own[index];
      if (key) results.set(key, value);
    }
  }
  return keys.map((key) => results.get(key) as V);
}
