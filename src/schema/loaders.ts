import DataLoader from 'dataloader';
import type { RequestContext } from './request-context.ts';

type Prisma = RequestContext['prisma'];
type Thread = NonNullable<Awaited<ReturnType<Prisma['thread']['findFirst']>>>;
type Episode = NonNullable<Awaited<ReturnType<Prisma['episode']['findFirst']>>>;
type Fact = NonNullable<Awaited<ReturnType<Prisma['fact']['findFirst']>>>;
type Turn = NonNullable<Awaited<ReturnType<Prisma['turn']['findFirst']>>>;

/** Ids `first` to `last` of a user. */
type TurnRange = { userId: string; first: number; last: number };
/** Turns of a thread by number, both ends included. */
type Stretch = TurnRange & { threadId: number };
/** A thread or an episode. */
type Id = { userId: string; id: number };

/** What events refer to, fetched for a whole page of them at once. */
type Loaders = {
  threads: DataLoader<Id, Thread | null, string>;
  episodes: DataLoader<Id, Episode | null, string>;
  facts: DataLoader<Id, Fact | null, string>;
  histories: DataLoader<{ userId: string; key: string }, Fact[], string>;
  /** In how many threads a skill of that name was found. */
  skillUses: DataLoader<{ userId: string; name: string }, number, string>;
  turns: DataLoader<TurnRange, Turn[], string>;
  stretches: DataLoader<Stretch, Turn[], string>;
};

const loaders = new WeakMap<RequestContext, Loaders>();

export function loadersOf(context: RequestContext): Loaders {
  const known = loaders.get(context);
  if (known) return known;
  const { prisma } = context;
  const made: Loaders = {
    threads: byId((where) => prisma.thread.findMany({ where })),
    episodes: byId((where) => prisma.episode.findMany({ where })),
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
            where: { userId, name: { in: own.map(({ name }) => name) } },
            _count: true,
          });
          return own.map(({ name }) => found.find((group) => group.name === name)?._count ?? 0);
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
  };
  loaders.set(context, made);
  return made;
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
async function perUser<K extends { userId: string }, V>(
  keys: readonly K[],
  load: (userId: string, own: K[]) => Promise<V[]>,
): Promise<V[]> {
  const results = new Map<K, V>();
  for (const userId of new Set(keys.map((key) => key.userId))) {
    const own = keys.filter((key) => key.userId === userId);
    const values = await load(userId, own);
    for (const [index, key] of own.entries()) results.set(key, values[index] as V);
  }
  return keys.map((key) => results.get(key) as V);
}
