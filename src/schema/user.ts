import { InvalidInput, NotFound } from '../domain/errors.ts';
import { userIdSchema } from '../domain/turn.ts';
import { MOST_WINDOW_TURNS, WINDOW_TURNS, windowOf } from '../domain/window.ts';
import { configureChannel, configureUser } from '../remember/configure.ts';
import { builder } from './builder.ts';
import { CaptureSettingsInput } from './capture-settings.ts';
import { ProfileNode } from './profile.ts';
import { nothing, userOf } from './request-context.ts';
import { CaptureStatusEnum, ChannelKindEnum, EpisodeKindEnum } from './scalars.ts';
import { TurnNode } from './turn.ts';

const ChannelSettingType = builder.prismaObject('ChannelSetting', {
  description: "A user's own rule for a channel.",
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The channel, such as "sms".' }),
    kind: t.expose('kind', { type: ChannelKindEnum, description: 'Who decides about threads.' }),
    inactivityTimeoutMinutes: t.exposeInt('inactivityTimeoutMinutes', {
      nullable: true,
      description: 'Minutes of silence after which a new thread begins; null = the default.',
    }),
  }),
});

builder.prismaNode('User', {
  description: 'Whose memory it is.',
  id: { field: 'id' },
  nullable: true,
  fields: (t) => ({
    userId: t.exposeString('id', { description: "The application's own name for the user." }),
    timeZone: t.exposeString('timeZone', {
      nullable: true,
      description: 'IANA name; UTC if null.',
    }),
    inactivityTimeoutMinutes: t.exposeInt('inactivityTimeoutMinutes', {
      nullable: true,
      description: 'Minutes of silence after which an implicit thread ends; null = the default.',
    }),
    turnCount: t.exposeInt('turnCount', { description: 'Turns remembered now.' }),
    channelSettings: t.relation('channelSettings', { description: 'Own rules for channels.' }),
    threads: t.relatedConnection('threads', {
      cursor: 'userId_id',
      description: 'Threads, the latest activity first.',
      query: { orderBy: [{ lastActivityAt: 'desc' }, { id: 'desc' }] },
    }),
    turns: t.relatedConnection('turns', {
      cursor: 'userId_id',
      description: 'All turns in the order they were received.',
      query: { orderBy: { id: 'asc' } },
    }),
    window: t.field({
      type: [TurnNode],
      description: `Short-term memory (seed 004): the newest ${WINDOW_TURNS} turns of all threads, and the newest ${MOST_WINDOW_TURNS} as far as they lie in no closed segment.`,
      select: { id: true },
      resolve: async ({ id }, _args, { prisma }) => {
        const newest = await prisma.turn.findMany({
          where: { userId: id },
          orderBy: [{ occurredAt: 'desc' }, { id: 'desc' }],
          take: MOST_WINDOW_TURNS,
          include: { thread: { select: { segmentedThrough: true } } },
        });
        return windowOf(newest) as never;
      },
    }),
    episodes: t.relatedConnection('episodes', {
      cursor: 'userId_id',
      description: 'Episodes, the latest first.',
      args: {
        kind: t.arg({ type: EpisodeKindEnum, description: 'Only of this kind.' }),
        capture: t.arg({
          type: [CaptureStatusEnum],
          description: 'Only segments of which this became.',
        }),
      },
      query: ({ kind, capture }) => ({
        where: { ...(kind ? { kind } : {}), ...(capture ? { capture: { in: capture } } : {}) },
        orderBy: [{ endedAt: 'desc' }, { id: 'desc' }],
      }),
    }),
    skills: t.relation('skills', {
      description: 'Patterns found in all threads, each name once, the latest first.',
      args: { first: t.arg.int({ defaultValue: 50, description: 'At most so many, 1-100.' }) },
      query: ({ first }) => ({
        distinct: ['name'],
        orderBy: { recordedAt: 'desc' },
        take: Math.min(Math.max(first ?? 50, 1), 100),
      }),
    }),
    semanticMemories: t.relatedConnection('semanticMemories', {
      cursor: 'userId_id',
      description: 'What episodes came to, the latest first.',
      query: { orderBy: [{ endedAt: 'desc' }, { id: 'desc' }] },
    }),
    profile: t.field({
      type: ProfileNode,
      nullable: true,
      description: 'How to work with this user; null until there is a profile.',
      select: { profiles: { orderBy: { version: 'desc' }, take: 1 } },
      resolve: ({ profiles }) => (profiles[0] ?? null) as never,
    }),
    profileHistory: t.relatedConnection('profiles', {
      cursor: 'userId_version',
      description: 'All versions of the profile, the current one first.',
      query: { orderBy: { version: 'desc' } },
    }),
    events: t.relatedConnection('events', {
      cursor: 'userId_number',
      description: 'The memory log, oldest first.',
      query: { orderBy: { number: 'asc' } },
    }),
    jobs: t.relatedConnection('jobs', {
      cursor: 'userId_step_subject',
      description: 'Background steps that are due, planned, running or have failed.',
      query: { orderBy: [{ runAt: 'asc' }, { step: 'asc' }, { subject: 'asc' }] },
    }),
  }),
});

builder.queryField('viewer', (t) =>
  t.prismaField({
    type: 'User',
    nullable: true,
    description: 'The user of this token; null under an API key, which acts for many.',
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
    description: "A user by the application's name; null when nothing was ever told of that user.",
    args: {
      userId: t.arg.string({
        required: true,
        description: 'The name, as the application gave it.',
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
      "Changes a user's settings. What is left out stays; null goes back to the default.",
    errors,
    args: {
      userId: t.arg.string({ description: 'Under an API key: whose memory.' }),
      timeZone: t.arg.string({ description: 'IANA name, such as "Europe/Lisbon".' }),
      inactivityTimeoutMinutes: t.arg.int({ description: '1-43200 minutes.' }),
      capture: t.arg({
        type: CaptureSettingsInput,
        description: 'How choosy the capture of episodes is.',
      }),
    },
    resolve: async (query, _root, { userId, ...settings }, { app, viewer, prisma }) => {
      const id = userOf(viewer, userId);
      await configureUser(app, id, settings);
      return prisma.user.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
);

builder.mutationField('configureChannel', (t) =>
  t.prismaField({
    type: ChannelSettingType,
    description: "Sets a user's own rule for a channel.",
    errors,
    args: {
      userId: t.arg.string({ description: 'Under an API key: whose memory.' }),
      name: t.arg.string({ required: true, description: 'The channel, such as "kiosk".' }),
      kind: t.arg({
        type: ChannelKindEnum,
        required: true,
        description: 'Who decides about threads.',
      }),
      inactivityTimeoutMinutes: t.arg.int({ description: '1-43200 minutes; null = the default.' }),
    },
    resolve: async (query, _root, { userId, ...rule }, { app, viewer, prisma }) => {
      const owner = userOf(viewer, userId);
      const name = await configureChannel(app, owner, rule);
      return prisma.channelSetting.findUniqueOrThrow({
        ...query,
        where: { userId_name: { userId: owner, name } },
      });
    },
  }),
);
