import { InvalidInput, NotFound } from '../domain/errors.ts';
import {
  type RecentMemories,
  type RecentMemory,
  recentMarkdown,
  recentMemories,
} from '../recall/recent.ts';
import { builder } from './builder.ts';
import { EpisodeNode } from './episode.ts';
import { loadersOf } from './loaders.ts';
import { DetailEnum } from './recall.ts';
import { userOf } from './request-context.ts';
import { TurnNode } from './turn.ts';

type Owned<T> = T & { userId: string };

const RecentMemoryType = builder.objectRef<Owned<RecentMemory>>('RecentMemory').implement({
  description: 'An episode of the last days.',
  fields: (t) => ({
    episode: t.field({
      type: EpisodeNode,
      nullable: true,
      description: 'The episode; null when it was forgotten since.',
      resolve: ({ userId, episode: { id } }, _args, context) =>
        loadersOf(context).episodes.load({ userId, id }) as never,
    }),
    keyMoment: t.exposeBoolean('keyMoment', {
      description: 'Whether it was surprising enough (seed 001: 0.7).',
    }),
    turns: t.field({
      type: [TurnNode],
      description: 'What was said in it, where the level of detail gives it.',
      resolve: ({ turns }) => turns as never,
    }),
  }),
});

const Payload = builder.objectRef<Owned<RecentMemories>>('RecentMemoriesPayload').implement({
  description: 'What happened of late.',
  fields: (t) => ({
    memories: t.field({
      type: [RecentMemoryType],
      description: 'The newest first.',
      resolve: ({ memories, userId }) => memories.map((memory) => ({ ...memory, userId })),
    }),
    asOf: t.expose('asOf', { type: 'DateTime', description: 'Counted back from then.' }),
    markdown: t.string({
      description: 'All of it for the result of a tool, fenced as data.',
      resolve: (recent) => recentMarkdown(recent),
    }),
  }),
});

builder.queryField('recentMemories', (t) =>
  t.field({
    type: Payload,
    description: 'The episodes of the last days, without a question.',
    errors: { types: [InvalidInput, NotFound] },
    args: {
      userId: t.arg.string({ description: 'Under an API key: whose memory.' }),
      days: t.arg.float({ defaultValue: 7, description: 'How far back, 0.01-36,500 days.' }),
      keyMomentsOnly: t.arg.boolean({ defaultValue: false, description: 'Only key moments.' }),
      first: t.arg.int({ defaultValue: 20, description: 'How many at most, 1-100.' }),
      detail: t.arg({
        type: DetailEnum,
        defaultValue: 'AUTO',
        description: 'How much of what was said in an episode comes with it.',
      }),
      asOf: t.arg({ type: 'DateTime', description: 'Counted back from then; now if left out.' }),
    },
    resolve: async (
      _root,
      { userId, days, keyMomentsOnly, first, detail, asOf },
      { app, viewer },
    ) => {
      const owner = userOf(viewer, userId);
      const recent = await recentMemories(app, owner, {
        days: days ?? 7,
        keyMomentsOnly: keyMomentsOnly ?? false,
        first: first ?? 20,
        detail: detail ?? 'AUTO',
        asOf,
      });
      return { ...recent, userId: owner };
    },
  }),
);
