import { InvalidInput, NotFound } from '../../domain/core/errors.ts';
import { MOST_WINDOW_TURNS, WINDOW_TURNS, windowOf } from '../../domain/threads/window.ts';
import { userIdSchema } from '../../domain/turns/turn.ts';
import { configureUser } from '../../remember/operations/configure.ts';
import { builder } from '../core/builder.ts';
import { checkedCount } from '../core/checked-count.ts';
import { listWords } from '../core/list-words.ts';
import { loadersOf } from '../core/loaders.ts';
import { describeOwner } from '../core/owner-argument.ts';
import { MAX_PAGE } from '../core/page.ts';
import { nothing, userOf } from '../core/request-context.ts';
import { CaptureSettingsInput } from '../episodes/capture-settings.ts';
import { ProfileNode } from '../knowledge/profile.ts';
import { asTurns, TurnNode } from '../turns/turn.ts';

export const UserNode = builder.prismaNode('User', {
  description: 'A user, with everything that their memory holds.',
  id: {
    field: 'id',
    description:
      'Global id of the user, for `node` and `nodes` only. Arguments named `userId` take the value of the field `userId`.',
  },
  nullable: true,
  fields: (t) => ({
    userId: t.exposeString('id', { description: "The application's own name for the user." }),
    timeZone: t.exposeString('timeZone', {
      nullable: true,
      description: 'The user\'s time zone, an IANA name such as "Europe/Lisbon"; null means UTC.',
    }),
    inactivityTimeoutMinutes: t.exposeInt('inactivityTimeoutMinutes', {
      nullable: true,
      description:
        'Minutes of inactivity after which an implicit thread of the user becomes idle, on every channel: it takes precedence ' +
        "over a channel's timeout, but not over a thread's own. Null means that the channel's or the deployment's applies.",
    }),
    turnCount: t.exposeInt('turnCount', { description: 'How many turns the memory holds.' }),
    channelSettings: t.relation('channelSettings', {
      description: "The user's own rules for channels, in no particular order.",
    }),
    turns: t.relatedConnection('turns', {
      ...listWords({
        entries: 'turns of the whole memory',
        start: 'the first received',
        end: 'the last received',
        node: 'A turn of the memory, from whatever thread and channel.',
      }),
      cursor: 'userId_id',
      description:
        'All turns of the memory, in the order they were received; those of one call by `occurredAt`.',
      query: { orderBy: { id: 'asc' } },
    }),
    window: t.field({
      type: [TurnNode],
      description:
        `The session window: the short-term memory of the user, oldest turn first. It holds the newest ${WINDOW_TURNS} turns of ` +
        `all threads, and from the newest ${MOST_WINDOW_TURNS} also every turn that is in no closed segment.`,
      select: { id: true },
      resolve: async ({ id: userId }, _args, context, info) => {
        const newest = await context.prisma.turn.findMany({
          where: { userId },
          orderBy: [{ occurredAt: 'desc' }, { id: 'desc' }],
          take: MOST_WINDOW_TURNS,
          select: { id: true, number: true, thread: { select: { segmentedThrough: true } } },
        });
        const { oneTurn } = loadersOf(context);
        const loaded = windowOf(newest).map(({ id }) => oneTurn.load({ userId, id, info }));
        return asTurns((await Promise.all(loaded)).flatMap((turn) => turn ?? []));
      },
    }),
    skills: t.relation('skills', {
      description:
        'Skills of all threads and cross-thread episodes, latest `recordedAt` first. Of those with the same name, only the latest.',
      args: {
        first: t.arg.int({
          defaultValue: 50,
          description: `How many skills to return at most, 1-${MAX_PAGE}.`,
        }),
      },
      query: ({ first }) => ({
        distinct: ['name'],
        orderBy: { recordedAt: 'desc' },
        take: checkedCount('first', first ?? 50, MAX_PAGE),
      }),
    }),
    semanticMemories: t.relatedConnection('semanticMemories', {
      ...listWords({
        entries: 'semantic memories of the user',
        start: 'the one that ended last',
        end: 'the one that ended first',
        node: 'A semantic memory, with the episodes that it summarises.',
      }),
      cursor: 'userId_id',
      description: 'Semantic memories, by the event time of their last turn, latest first.',
      query: { orderBy: [{ endedAt: 'desc' }, { id: 'desc' }] },
    }),
    profile: t.field({
      type: ProfileNode,
      nullable: true,
      description:
        'How to work with this user: the current version of the profile; null if there is none yet, or none since a `forget`.',
      select: { profiles: { orderBy: { version: 'desc' }, take: 1 } },
      resolve: ({ profiles }) => profiles[0] ?? null,
    }),
    profileHistory: t.relatedConnection('profiles', {
      ...listWords({
        entries: 'versions of the profile',
        start: 'the current version',
        end: 'the oldest version',
        node: 'One version of the whole profile, with the facts and semantic memories behind it.',
      }),
      cursor: 'userId_version',
      description:
        'All versions of the profile, current version first; without those that a `forget` erased.',
      query: { orderBy: { version: 'desc' } },
    }),
    jobs: t.relatedConnection('jobs', {
      ...listWords({
        entries: 'background jobs',
        start: 'the earliest `runAt`',
        end: 'the latest `runAt`',
        node: 'A background job that has not finished; `state` says where it stands.',
      }),
      cursor: 'userId_step_subject',
      description:
        'All unfinished background jobs of this memory, including running and dead ones, by `runAt`, earliest first. If ' +
        'the job of a cursor has finished meanwhile, the page is empty: begin again without the cursor.',
      query: { orderBy: [{ runAt: 'asc' }, { step: 'asc' }, { subject: 'asc' }] },
    }),
  }),
});

builder.queryField('viewer', (t) =>
  t.prismaField({
    type: 'User',
    nullable: true,
    description:
      'The user whom the credentials belong to; null with an API key for all users, and before anything was stored for the user.',
    resolve: (query, _root, _args, { viewer, prisma }) =>
      viewer.kind === 'key'
        ? nothing(query)
        : prisma.user.findUnique({ ...query, where: { id: viewer.userId } }),
  }),
);

builder.queryField('user', (t) =>
  t.prismaField({
    type: 'User',
    nullable: true,
    description:
      "A user by the application's name; null if nothing was ever stored for that name, or if the credentials " +
      "are another user's.",
    args: {
      userId: t.arg.string({
        required: true,
        description: "The user's name, as the application gave it.",
      }),
    },
    resolve: (query, _root, { userId }, { prisma }) => {
      const id = userIdSchema.safeParse(userId);
      return id.success
        ? prisma.user.findUnique({ ...query, where: { id: id.data } })
        : nothing(query);
    },
  }),
);

const errors = { types: [InvalidInput, NotFound] };

builder.mutationField('configureUser', (t) =>
  t.prismaField({
    type: 'User',
    description:
      "Changes a user's settings, also before the first turn. Arguments that are left out change nothing; null resets a setting.",
    errors,
    args: {
      userId: t.arg.string({
        description: describeOwner('The user whose settings change'),
      }),
      timeZone: t.arg.string({
        description: 'The time zone, an IANA name such as "Europe/Lisbon"; null means UTC.',
      }),
      inactivityTimeoutMinutes: t.arg.int({
        description:
          'Minutes of inactivity after which an implicit thread of the user becomes idle, 1-43200; this takes precedence over the ' +
          'timeout of the channel. Null leaves it to the channel or the deployment.',
      }),
      capture: t.arg({
        type: CaptureSettingsInput,
        description:
          'How selective the capture of episodes is to be; null resets all of its settings to those of the deployment.',
      }),
    },
    resolve: async (query, _root, { userId, ...settings }, { app, viewer, prisma }) => {
      const id = userOf(viewer, userId);
      await configureUser(app, id, settings);
      return prisma.user.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
);
