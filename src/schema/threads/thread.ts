import { MOST_WINDOW_TURNS, WINDOW_TURNS, windowStart } from '../../domain/threads/window.ts';
import { builder } from '../core/builder.ts';
import { listWords } from '../core/list-words.ts';
import { loadersOf } from '../core/loaders.ts';
import { describeOwner } from '../core/owner-argument.ts';
import { nothing, ownKey } from '../core/request-context.ts';
import { ThreadStateEnum } from '../core/scalars.ts';
import { EpisodeNode } from '../episodes/episode.ts';
import { asTurns, TurnNode } from '../turns/turn.ts';

export const ThreadNode = builder.prismaNode('Thread', {
  description: 'A conversation: a run of turns that belong together, over any number of channels.',
  id: {
    field: 'userId_id',
    description:
      'Global id of the thread. Pass it to `node` or `thread`, as `threadId` to `remember`, `context`, `compact` and others, or in ' +
      '`RecallInput` as `shownIn` or in `threadIds`.',
  },
  nullable: true,
  fields: (t) => ({
    title: t.exposeString('title', {
      nullable: true,
      description: 'The title that the application gave; null if it gave none or removed it.',
    }),
    state: t.expose('state', {
      type: ThreadStateEnum,
      description: 'Whether the thread is open, idle or closed.',
    }),
    explicit: t.exposeBoolean('explicit', {
      description:
        'True if the caller opened the thread, by `openThread`, `newThread` or an imported ' +
        '`conversation`; false if the server began it, by the rules of inactivity.',
    }),
    channels: t.exposeStringList('channels', {
      description:
        'The channels of its turns. If `openThread` opened it, also the channel given there, until some of its turns are forgotten.',
    }),
    turnCount: t.exposeInt('turnCount', { description: 'How many turns the thread has.' }),
    inactivityTimeoutMinutes: t.exposeInt('inactivityTimeoutMinutes', {
      nullable: true,
      description:
        'Its own timeout: minutes of inactivity after which it becomes idle. If null, an implicit thread (`explicit` is false) has ' +
        'the timeout of the user, else of the channel of its last turn, else of the deployment; an explicit one has ' +
        'EXPLICIT_IDLE_MINUTES.',
    }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      description:
        'Event time of its first turn, or when `openThread` opened it if that was earlier. After a `forget` of some of its turns, ' +
        'always the first of those that are left.',
    }),
    lastActivityAt: t.expose('lastActivityAt', {
      type: 'DateTime',
      description:
        'Event time of its last turn, or when `openThread` opened it if that was later. After a `forget` of some of its turns, ' +
        'always the last of those that are left.',
    }),
    idleAt: t.expose('idleAt', {
      type: 'DateTime',
      description:
        'When the thread, if open, becomes idle unless another turn comes first: `lastActivityAt` plus its timeout. A timeout that ' +
        'is changed for the user, channel or deployment counts from the next turn on.',
    }),
    recordedAt: t.expose('recordedAt', {
      type: 'DateTime',
      description: 'When the server stored the thread.',
    }),
    compactedThrough: t.exposeInt('compactedThrough', {
      description:
        'The number of the last turn that its summaries cover; 0 if there are none. A late turn before that one lowers it until the ' +
        'next compaction. All turns remain readable and searchable.',
    }),
    userId: t.exposeString('userId', {
      description: "The application's own name for the user whose memory the thread belongs to.",
    }),
    summary: t.string({
      nullable: true,
      description:
        'What the thread is about, mostly in 1-3 sentences: the `micro` of its PRIMARY episode. Null until the first compaction, after a ' +
        '`forget` of some of its turns until the next one, or if there is nothing to summarise.',
      resolve: ({ userId, id: threadId }, _args, context) =>
        loadersOf(context).summaries.load({ userId, threadId }),
    }),
    primaryEpisode: t.field({
      type: EpisodeNode,
      nullable: true,
      description:
        'The PRIMARY episode, which stands for the whole thread; null until the first segment of the thread has closed or the ' +
        'thread was compacted.',
      // Not as a relation: a thread can be loaded with its segments or with this one, not with both.
      resolve: ({ userId, id: threadId }, _args, context, info) =>
        loadersOf(context).primaries.load({ userId, threadId, info }),
    }),
    segments: t.relatedConnection('episodes', {
      ...listWords({
        entries: 'segments of the thread',
        start: 'the earliest',
        end: 'the latest',
        node: 'A closed segment of the thread; `capture` is the decision on it.',
      }),
      cursor: 'userId_id',
      description:
        'Closed segments of the thread, in the order of its turns, whatever their capture decision.',
      args: {
        fromTurn: t.arg.int({
          description: 'Return only segments whose last turn has this number or a higher one.',
        }),
        toTurn: t.arg.int({
          description: 'Return only segments whose first turn has this number or a lower one.',
        }),
      },
      query: ({ fromTurn, toTurn }) => ({
        where: {
          kind: 'SEGMENT',
          ...(fromTurn == null ? {} : { lastTurn: { gte: fromTurn } }),
          ...(toTurn == null ? {} : { firstTurn: { lte: toTurn } }),
        },
        orderBy: { ordinal: 'asc' },
      }),
    }),
    crossThreadEpisode: t.relation('crossThreadEpisode', {
      nullable: true,
      description:
        'The cross-thread episode that this thread is part of; null if no link joins it to another thread.',
    }),
    window: t.field({
      type: [TurnNode],
      description:
        `The session window of this thread, its short-term memory, oldest turn first: its newest ${WINDOW_TURNS} turns, and ` +
        `those of its newest ${MOST_WINDOW_TURNS} that are in no closed segment.`,
      resolve: async (thread, _args, context, info) => {
        const { userId, id: threadId, turnCount: to } = thread;
        const range = { userId, threadId, from: windowStart(thread), to, info };
        return asTurns(await loadersOf(context).stretches.load(range));
      },
    }),
    turns: t.relatedConnection('turns', {
      ...listWords({
        entries: 'turns of the thread',
        start: 'the first that was said',
        end: 'the last that was said',
        node: 'A turn of the thread, word for word.',
      }),
      cursor: 'userId_id',
      description: 'Turns of the thread in the order they were said.',
      args: {
        fromNumber: t.arg.int({
          description:
            'Return only turns with this number or a higher one, to begin in the middle of a long thread.',
        }),
      },
      query: ({ fromNumber }) => ({
        ...(fromNumber == null ? {} : { where: { number: { gte: fromNumber } } }),
        orderBy: { number: 'asc' },
      }),
    }),
  }),
});

builder.queryField('thread', (t) =>
  t.prismaField({
    type: 'Thread',
    nullable: true,
    description: 'One thread by its id; null if this memory has no such thread.',
    args: {
      id: t.arg.id({ required: true, description: 'The `id` of the thread to read.' }),
      userId: t.arg.string({
        description: describeOwner('The user whose thread is read'),
      }),
    },
    resolve: (query, _root, args, { viewer, prisma }) => {
      const key = ownKey(viewer, 'Thread', args);
      return key
        ? prisma.thread.findUnique({ ...query, where: { userId_id: key } })
        : nothing(query);
    },
  }),
);
