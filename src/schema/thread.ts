import { InvalidInput, NotFound } from '../domain/errors.ts';
import { windowStart } from '../domain/window.ts';
import { closeThread, openThread, updateThread } from '../remember/steer-thread.ts';
import { builder } from './builder.ts';
import { EpisodeNode } from './episode.ts';
import { loadersOf } from './loaders.ts';
import { localId, nothing, ownKey, userOf } from './request-context.ts';
import { ThreadStateEnum } from './scalars.ts';
import { TurnNode } from './turn.ts';

const PRIMARY = { where: { ordinal: 0 }, take: 1 } as const;

export const ThreadNode = builder.prismaNode('Thread', {
  description: 'A run of turns, across channels.',
  id: { field: 'userId_id' },
  nullable: true,
  fields: (t) => ({
    title: t.exposeString('title', {
      nullable: true,
      description: 'Its title, if it was given one.',
    }),
    state: t.expose('state', { type: ThreadStateEnum, description: 'Whether it goes on.' }),
    explicit: t.exposeBoolean('explicit', {
      description: 'Whether the caller picked it; else inactivity decided.',
    }),
    channels: t.exposeStringList('channels', { description: 'The channels its turns came from.' }),
    turnCount: t.exposeInt('turnCount', { description: 'How many turns it has.' }),
    inactivityTimeoutMinutes: t.exposeInt('inactivityTimeoutMinutes', {
      nullable: true,
      description: 'Its own timeout in minutes; null = the setting of user, channel or deployment.',
    }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      description: 'When its first turn was said.',
    }),
    lastActivityAt: t.expose('lastActivityAt', {
      type: 'DateTime',
      description: 'When its last turn was said.',
    }),
    idleAt: t.expose('idleAt', {
      type: 'DateTime',
      description: 'When it turns idle unless another turn comes.',
    }),
    recordedAt: t.expose('recordedAt', { type: 'DateTime', description: 'When it was made here.' }),
    compactedThrough: t.exposeInt('compactedThrough', {
      description:
        'Its turns up to this number are archived: the summaries tell them, and they stay readable and searchable.',
    }),
    userId: t.exposeString('userId', { description: 'Whose memory it belongs to.' }),
    summary: t.string({
      nullable: true,
      description: 'What it was about, in 1 to 3 sentences; null until it was compacted.',
      select: { episodes: PRIMARY },
      resolve: ({ episodes }) => episodes[0]?.micro ?? null,
    }),
    primaryEpisode: t.field({
      type: EpisodeNode,
      nullable: true,
      description: 'The whole of it as an episode; null until its first segment has closed.',
      select: (_args, _context, nested) => ({ episodes: nested(PRIMARY) }),
      resolve: ({ episodes }) => (episodes[0] ?? null) as never,
    }),
    segments: t.relatedConnection('episodes', {
      cursor: 'userId_id',
      description: 'Its closed segments in order.',
      query: { where: { kind: 'SEGMENT' }, orderBy: { ordinal: 'asc' } },
    }),
    crossThreadEpisode: t.relation('crossThreadEpisode', {
      nullable: true,
      description:
        'What it and other threads come to that are about the same thing; null while there are none.',
    }),
    window: t.field({
      type: [TurnNode],
      description:
        'Short-term memory (seed 004): its newest 10 turns, and the newest 40 as far as they lie in no closed segment.',
      resolve: async (thread, _args, context) => {
        const { userId, id: threadId, turnCount: last } = thread;
        const range = { userId, threadId, first: windowStart(thread), last };
        return (await loadersOf(context).stretches.load(range)) as never;
      },
    }),
    turns: t.relatedConnection('turns', {
      cursor: 'userId_id',
      description: 'Its turns by the time they were said.',
      query: { orderBy: { number: 'asc' } },
    }),
  }),
});

builder.queryField('thread', (t) =>
  t.prismaField({
    type: 'Thread',
    nullable: true,
    description: 'A thread by its id; null when this memory has none of that id.',
    args: {
      id: t.arg.id({ required: true, description: 'Its `id`.' }),
      userId: t.arg.string({ description: 'Under an API key: whose memory.' }),
    },
    resolve: (query, _root, args, { viewer, prisma }) => {
      const key = ownKey(viewer, 'Thread', args);
      return key
        ? prisma.thread.findUnique({ ...query, where: { userId_id: key } })
        : nothing(query);
    },
  }),
);

const errors = { types: [InvalidInput, NotFound] };

builder.mutationField('openThread', (t) =>
  t.field({
    type: ThreadNode,
    description: 'Opens a thread for an explicit channel, before its first turn.',
    errors,
    args: {
      userId: t.arg.string({ description: 'Under an API key: whose memory.' }),
      channel: t.arg.string({ required: true, description: 'Where it is opened, such as "web".' }),
      title: t.arg.string({ description: 'Its title, at most 200 characters.' }),
      inactivityTimeoutMinutes: t.arg.int({ description: 'Its own timeout, 1-43200 minutes.' }),
    },
    resolve: async (_root, { userId, ...input }, { app, viewer }) =>
      (await openThread(app, userOf(viewer, userId), input)) as never,
  }),
);

builder.mutationField('updateThread', (t) =>
  t.field({
    type: ThreadNode,
    description: "Changes a thread's title or timeout. What is left out stays.",
    errors,
    args: {
      userId: t.arg.string({ description: 'Under an API key: whose memory.' }),
      threadId: t.arg.id({ required: true, description: 'The `id` of the thread.' }),
      title: t.arg.string({ description: 'Its title; null takes it away.' }),
      inactivityTimeoutMinutes: t.arg.int({
        description:
          'Its own timeout, 1-43200 minutes; null = the setting of user, channel or deployment.',
      }),
    },
    resolve: async (_root, { userId, threadId, ...input }, { app, viewer }) => {
      const owner = userOf(viewer, userId);
      return (await updateThread(app, owner, localId('Thread', owner, threadId), input)) as never;
    },
  }),
);

builder.mutationField('closeThread', (t) =>
  t.field({
    type: ThreadNode,
    description: 'Closes a thread for good: it takes no further turns.',
    errors,
    args: {
      userId: t.arg.string({ description: 'Under an API key: whose memory.' }),
      threadId: t.arg.id({ required: true, description: 'The `id` of the thread.' }),
    },
    resolve: async (_root, { userId, threadId }, { app, viewer }) => {
      const owner = userOf(viewer, userId);
      return (await closeThread(app, owner, localId('Thread', owner, threadId))) as never;
    },
  }),
);
