import { encodeCursor } from '../domain/cursor.ts';
import type { EventKind } from '../domain/event.ts';
import { watchEvents } from '../recall/watch-events.ts';
import { builder } from './builder.ts';
import { EpisodeNode } from './episode.ts';
import { FactNode } from './fact.ts';
import { LinkNode } from './link.ts';
import { loadersOf } from './loaders.ts';
import { userOf } from './request-context.ts';
import { EventKindEnum } from './scalars.ts';
import { ThreadNode } from './thread.ts';
import { TurnNode } from './turn.ts';

const MemoryEventNode = builder.prismaNode('MemoryEvent', {
  description:
    'An entry of the durable log of everything that happened to a memory. It holds no words.',
  id: { field: 'userId_number' },
  nullable: true,
  fields: (t) => ({
    number: t.exposeInt('number', {
      description:
        'Its place in the log, rising, without repeats. Only what a forgotten thread did is missing among them: as many as `eventsErased` of later events say.',
    }),
    eventsErased: t.int({
      description:
        'Of MEMORY_FORGOTTEN: how many earlier events went with it, whose numbers are missing since. 0 of any other.',
      resolve: ({ details }) => (details as { events?: number } | null)?.events ?? 0,
    }),
    cursor: t.string({
      description: 'Give this as `after` of `memoryEvents` to go on behind this event.',
      resolve: (event) => encodeCursor(event.userId, event.number),
    }),
    kind: t.expose('kind', { type: EventKindEnum, description: 'What happened.' }),
    at: t.expose('at', { type: 'DateTime', description: 'When it was recorded.' }),
    decision: t.exposeString('decision', { description: 'What was done and why, in short.' }),
    thread: t.field({
      type: ThreadNode,
      nullable: true,
      description: 'The thread it is about, unless forgotten since.',
      resolve: ({ userId, threadId }, _args, context) =>
        threadId === null
          ? null
          : (loadersOf(context).threads.load({ userId, id: threadId }) as never),
    }),
    episode: t.field({
      type: EpisodeNode,
      nullable: true,
      description: 'The episode it is about, unless forgotten since.',
      resolve: ({ userId, episodeId }, _args, context) =>
        episodeId === null
          ? null
          : (loadersOf(context).episodes.load({ userId, id: episodeId }) as never),
    }),
    fact: t.field({
      type: FactNode,
      nullable: true,
      description: 'The fact it is about, unless forgotten since.',
      resolve: ({ userId, factId }, _args, context) =>
        factId === null ? null : (loadersOf(context).facts.load({ userId, id: factId }) as never),
    }),
    link: t.field({
      type: LinkNode,
      nullable: true,
      description: 'The decision about two threads that it is about, unless forgotten since.',
      resolve: ({ userId, details }, _args, context) => {
        const id = (details as { link?: number } | null)?.link;
        return id === undefined ? null : (loadersOf(context).links.load({ userId, id }) as never);
      },
    }),
    turns: t.field({
      type: [TurnNode],
      description: 'The turns it is about, but for those forgotten since; at most 500.',
      complexity: { multiplier: 20 },
      resolve: ({ userId, firstTurnId, lastTurnId }, _args, context) =>
        firstTurnId === null || lastTurnId === null
          ? []
          : (loadersOf(context).turns.load({
              userId,
              first: firstTurnId,
              last: lastTurnId,
            }) as never),
    }),
  }),
});

builder.subscriptionField('memoryEvents', (t) =>
  t.field({
    type: MemoryEventNode,
    description:
      'Every event of a memory from now on, or from behind `after`: after a reconnect with the last cursor nothing is missed or doubled. Fails with CURSOR_INVALID or CURSOR_EXPIRED.',
    args: {
      userId: t.arg.string({ description: 'Under an API key: whose memory.' }),
      kinds: t.arg({ type: [EventKindEnum], description: 'Only these; all if left out.' }),
      after: t.arg.string({ description: 'The cursor of the last event seen.' }),
    },
    subscribe: (_root, { userId, kinds, after }, { app, viewer }) => {
      const owner = userOf(viewer, userId);
      const asked = {
        kinds: (kinds as EventKind[] | null | undefined) ?? null,
        after: after ?? null,
      };
      return app.places.hold(owner, () => watchEvents(app, owner, asked));
    },
    resolve: (event) => event as never,
  }),
);
