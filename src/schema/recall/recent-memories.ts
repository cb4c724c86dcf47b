import { InvalidInput, NotFound } from '../../domain/core/errors.ts';
import { KEY_MOMENT } from '../../domain/episodes/forgetting.ts';
import {
  type RecentMemories,
  type RecentMemory,
  recentMarkdown,
  recentMemories,
} from '../../recall/recent.ts';
import { builder } from '../core/builder.ts';
import { loadersOf, withSelected } from '../core/loaders.ts';
import { describeOwner } from '../core/owner-argument.ts';
import { userOf } from '../core/request-context.ts';
import { EpisodeNode } from '../episodes/episode.ts';
import { asTurns, TurnNode } from '../turns/turn.ts';
import { DetailEnum } from './recall-input.ts';

type Owned<T> = T & { userId: string };

const RecentMemoryType = builder.objectRef<Owned<RecentMemory>>('RecentMemory').implement({
  description:
    'An episode that ended in the period, with its turns as far as `detail` includes them.',
  fields: (t) => ({
    episode: t.field({
      type: EpisodeNode,
      nullable: true,
      description:
        'The episode itself; null if it was deleted in the meantime, by `forget` or because a CROSS_THREAD was dissolved or merged.',
      resolve: ({ userId, episode: { id } }, _args, context, info) =>
        loadersOf(context).episodes.load({ userId, id, info }),
    }),
    keyMoment: t.exposeBoolean('keyMoment', {
      description: `True if its surprise is at least ${KEY_MOMENT}.`,
    }),
    turns: t.field({
      type: [TurnNode],
      description:
        'Turns of this episode, word for word, as far as the argument `detail` includes them.',
      resolve: ({ turns }, _args, context, info) =>
        withSelected(asTurns(turns), loadersOf(context).oneTurn, { context, info }),
    }),
  }),
});

const Payload = builder.objectRef<Owned<RecentMemories>>('RecentMemoriesPayload').implement({
  description: 'The episodes of a period that ends at a given moment.',
  fields: (t) => ({
    memories: t.field({
      type: [RecentMemoryType],
      description: 'The episodes that ended in the period, the last to end first; at most `first`.',
      resolve: ({ memories, userId }) => memories.map((memory) => ({ ...memory, userId })),
    }),
    asOf: t.expose('asOf', {
      type: 'DateTime',
      description: 'The moment at which the period ends.',
    }),
    markdown: t.string({
      description: 'The same episodes as text for a tool result, fenced and labelled as data.',
      resolve: (recent) => recentMarkdown(recent),
    }),
  }),
});

builder.queryField('recentMemories', (t) =>
  t.field({
    type: Payload,
    description:
      'Lists the episodes that ended in the last `days` days, newest first; no query is needed. These are SEGMENTs whose ' +
      '`capture` is CREATED, and CROSS_THREADs, each only if it has a summary, but no PRIMARY.',
    errors: { types: [InvalidInput, NotFound] },
    args: {
      userId: t.arg.string({
        description: describeOwner('The user whose latest episodes are returned'),
      }),
      days: t.arg.float({
        defaultValue: 7,
        description: 'The length of the period in days, which may be a fraction: 0.01-36,500.',
      }),
      keyMomentsOnly: t.arg.boolean({
        defaultValue: false,
        description: `Return only key moments (surprise of at least ${KEY_MOMENT}).`,
      }),
      first: t.arg.int({
        defaultValue: 20,
        description: 'How many episodes to return at most, 1-100.',
      }),
      detail: t.arg({
        type: DetailEnum,
        defaultValue: 'AUTO',
        description: 'How many turns of each episode to return.',
      }),
      asOf: t.arg({
        type: 'DateTime',
        description:
          'The moment at which the period ends; what ended later is left out, and so is an episode into which a segment that ended ' +
          'later was merged. Defaults to now.',
      }),
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
