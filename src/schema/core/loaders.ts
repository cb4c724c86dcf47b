import { queryFromInfo } from '@pothos/plugin-prisma';
import DataLoader from 'dataloader';
import type { GraphQLResolveInfo } from 'graphql';
import type {
  Episode,
  Fact,
  Link,
  SemanticMemory,
  Skill,
  Thread,
} from '../../db/generated/client.ts';
import { isIn, type Stretch } from '../../domain/turns/stretch.ts';
import {
  countUses,
  newestTurns,
  type SkillName,
  segmentsOf,
  summariesOf,
  type ThreadKey,
  type Turn,
} from './batches.ts';
import { inGroups, perUser } from './in-groups.ts';
import type { RequestContext } from './request-context.ts';

/** The user whose objects a field returns, and the field: what the query selects of them is loaded with them. */
type Asked = { userId: string; info: GraphQLResolveInfo };
/** A thread, an episode or another row. */
type Id = Asked & { id: number };
/** The turns of a user with the ids `first` to `last`. */
type TurnRange = Asked & { first: number; last: number };
/** A range of a user's turns in a thread. */
type UserStretch = Asked & Stretch;
/** A skill by its number in its episode. */
type SkillAsked = Asked & { episodeId: number; number: number };
/** A turn by its number in its thread. */
type Place = Asked & { threadId: number; number: number };

const loaders = new WeakMap<RequestContext, ReturnType<typeof createLoaders>>();

/**
 * Returns rows that were read already with the relations that the query selects of them: they are loaded with one statement
 * for all rows of the field, and rows that were forgotten in the meantime are left out. Without relations nothing is loaded.
 */
export async function withSelected<Row extends { userId: string; id: number }>(
  rows: readonly Row[],
  loader: DataLoader<Id, object | null>,
  { context, info }: { context: RequestContext; info: GraphQLResolveInfo },
): Promise<Row[]> {
  if (Object.keys(queryFromInfo({ context, info })).length === 0) return [...rows];
  const loaded = rows.map(({ userId, id }) => loader.load({ userId, id, info }));
  return (await Promise.all(loaded)).flatMap((found, place) => {
    const row = rows[place];
    return row && found ? [{ ...row, ...found }] : [];
  });
}

/** Returns the loaders of a request, and creates them on first use. */
export function loadersOf(context: RequestContext) {
  const existing = loaders.get(context);
  if (existing) return existing;
  const made = createLoaders(context);
  loaders.set(context, made);
  return made;
}

/**
 * Creates loaders for objects that are not loaded with those above them. Each fetches the objects of a field, for all rows of
 * a page, with one statement and one for each of their relations that the query selects.
 */
function createLoaders(context: RequestContext) {
  const { prisma } = context;
  /** Calls `load` once for each user and field, with what the query selects. */
  const loader = <Key extends Asked, Value>(
    load: (userId: string, keys: Key[], query: object) => Promise<Value[]>,
  ): DataLoader<Key, Value> =>
    new DataLoader(
      (keys) =>
        perUser(keys, (userId, userKeys) =>
          inGroups(
            userKeys,
            ({ info }) => info.fieldNodes,
            (group) => load(userId, group, selectionOf(context, group)),
          ),
        ),
      { cache: false },
    );
  /** Loads rows by id; null for a missing row. */
  const byId = <Row extends { id: number }>(
    find: (query: { where: { userId: string; id: { in: number[] } } }) => Promise<Row[]>,
  ) =>
    loader<Id, Row | null>(async (userId, keys, query) => {
      const where = { userId, id: { in: keys.map(({ id }) => id) } };
      const found = new Map((await find({ ...query, where })).map((row) => [row.id, row]));
      return keys.map(({ id }) => found.get(id) ?? null);
    });
  return {
    threads: byId<Thread>((query) => prisma.thread.findMany(query)),
    episodes: byId<Episode>((query) => prisma.episode.findMany(query)),
    links: byId<Link>((query) => prisma.link.findMany(query)),
    facts: byId<Fact>((query) => prisma.fact.findMany(query)),
    semanticMemories: byId<SemanticMemory>((query) => prisma.semanticMemory.findMany(query)),
    skills: loader<SkillAsked, Skill | null>(async (userId, keys, query) => {
      const found: Skill[] = await prisma.skill.findMany({
        ...query,
        where: { userId, OR: keys.map(({ episodeId, number }) => ({ episodeId, number })) },
      });
      return keys.map(
        ({ episodeId, number }) =>
          found.find((skill) => skill.episodeId === episodeId && skill.number === number) ?? null,
      );
    }),
    /** All facts under a key. */
    histories: loader<Asked & { key: string }, Fact[]>(async (userId, keys, query) => {
      const found: Fact[] = await prisma.fact.findMany({
        ...query,
        where: { userId, key: { in: keys.map(({ key }) => key) } },
        orderBy: [{ validFrom: 'asc' }, { id: 'asc' }],
      });
      return keys.map(({ key }) => found.filter((fact) => fact.key === key));
    }),
    /** In how many threads a skill of a name was found. */
    skillUses: new DataLoader<SkillName, number>(
      (keys) => perUser(keys, (userId, userKeys) => countUses(prisma, userId, userKeys)),
      { cache: false },
    ),
    oneTurn: byId<Turn>((query) => prisma.turn.findMany(query)),
    turns: loader<TurnRange, Turn[]>(async (userId, keys, query) => {
      const found: Turn[] = await prisma.turn.findMany({
        ...query,
        where: { userId, OR: keys.map(({ first, last }) => ({ id: { gte: first, lte: last } })) },
        orderBy: { id: 'asc' },
      });
      return keys.map(({ first, last }) =>
        found.filter((turn) => turn.id >= first && turn.id <= last),
      );
    }),
    stretches: loader<UserStretch, Turn[]>(async (userId, keys, query) => {
      const found: Turn[] = await prisma.turn.findMany({
        ...query,
        where: {
          userId,
          OR: keys.map(({ threadId, from, to }) => ({ threadId, number: { gte: from, lte: to } })),
        },
        orderBy: { number: 'asc' },
      });
      return keys.map((stretch) => found.filter((turn) => isIn(stretch, turn)));
    }),
    /** The PRIMARY episodes of threads. */
    primaries: loader<Asked & { threadId: number }, Episode | null>(async (userId, keys, query) => {
      const where = { userId, ordinal: 0, threadId: { in: keys.map(({ threadId }) => threadId) } };
      const found: Episode[] = await prisma.episode.findMany({ ...query, where });
      return keys.map((key) => found.find(({ threadId }) => threadId === key.threadId) ?? null);
    }),
    /** What threads are about: the short summaries of their PRIMARY episodes. */
    summaries: new DataLoader<ThreadKey, string | null>(
      (keys) => perUser(keys, (userId, userKeys) => summariesOf(prisma, userId, userKeys)),
      { cache: false },
    ),
    /** The closed segments that turns are in. */
    segments: loader<Place, Episode | null>((userId, places, query) =>
      segmentsOf(prisma, userId, { places, query }),
    ),
    /** The newest turns of cross-thread episodes, in the order they were said. */
    crossThreadTurns: loader<Id, Turn[]>((userId, episodes, query) =>
      newestTurns(prisma, userId, { episodes, query }),
    ),
  };
}

/**
 * Returns what the query selects of the objects of a field. The plugin must be asked for each run of its resolver: it
 * notes that what is selected there gets loaded, and would load it again, row by row, where there is no note.
 */
const selectionOf = (context: RequestContext, group: [Asked, ...Asked[]]): object =>
  // The rows of one list have one `info`.
  [...new Set(group.map(({ info }) => info))].map((info): object =>
    queryFromInfo({ context, info }),
  )[0] ?? {};
