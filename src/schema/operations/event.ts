import { encodeCursor } from '../../domain/core/cursor.ts';
import { watchEvents } from '../../watch/watch-events.ts';
import { builder } from '../core/builder.ts';
import { loadersOf } from '../core/loaders.ts';
import { logPlaceArgs, logPlaceOf } from '../core/log-place.ts';
import { describeOwner } from '../core/owner-argument.ts';
import { userOf } from '../core/request-context.ts';
import { jsonOf } from '../core/rows.ts';
import { EventKindEnum } from '../core/scalars.ts';
import { EpisodeNode } from '../episodes/episode.ts';
import { FactNode } from '../facts/fact.ts';
import { LinkNode } from '../links/link.ts';
import { ThreadNode } from '../threads/thread.ts';
import { asTurns, TurnNode } from '../turns/turn.ts';

const MemoryEventNode = builder.prismaNode('MemoryEvent', {
  description:
    'One entry in the event log, the numbered record of what happened to a memory. Events contain no words that were said.',
  id: {
    field: 'userId_number',
    description:
      'Global id of the event, for `node` and `nodes`, as long as the log keeps it. To continue a subscription, pass `cursor`.',
  },
  nullable: true,
  fields: (t) => ({
    number: t.exposeInt('number', {
      description:
        'Position in the log of all kinds, from 1, strictly increasing. A number missing in the log is an event older than ' +
        'EVENT_RETENTION_DAYS, or one that was erased by a forget (see `eventsErased`).',
    }),
    eventsErased: t.int({
      description:
        'For MEMORY_FORGOTTEN: how many events were erased, those of forgotten threads or, with `everythingOf`, all. Their numbers ' +
        'are now missing from the log. 0 for other kinds.',
      resolve: ({ details }) => jsonOf<{ events?: number } | null>(details)?.events ?? 0,
    }),
    cursor: t.string({
      description: 'Pass this as `after` to `memoryEvents` to continue after this event.',
      resolve: (event) => encodeCursor(event.userId, event.number),
    }),
    kind: t.expose('kind', { type: EventKindEnum, description: 'Which kind of event this is.' }),
    at: t.expose('at', { type: 'DateTime', description: 'When the event was recorded.' }),
    decision: t.exposeString('decision', {
      description:
        'What was done and mostly why, in a short line for people, such as ' +
        '"episodic.skip (cooldown; turns 4-9, notability 0.31)".',
    }),
    thread: t.field({
      type: ThreadNode,
      nullable: true,
      description:
        'The thread that the event concerns: for a link, the later one; for an automatic review, the one in which the episode ' +
        'was shown. Null if there is none. With a forgotten thread, its events are erased, too.',
      resolve: ({ userId, threadId }, _args, context, info) =>
        threadId === null ? null : loadersOf(context).threads.load({ userId, id: threadId, info }),
    }),
    episode: t.field({
      type: EpisodeNode,
      nullable: true,
      description:
        'The episode that the event concerns; for EPISODE_MERGED, the segment that was added. Null if there is none, or if it ' +
        'was forgotten, dissolved or joined with another.',
      resolve: ({ userId, episodeId }, _args, context, info) =>
        episodeId === null
          ? null
          : loadersOf(context).episodes.load({ userId, id: episodeId, info }),
    }),
    fact: t.field({
      type: FactNode,
      nullable: true,
      description:
        'The fact that the event concerns: for FACT_SUPERSEDED, the one that ended; for FACT_REFUSED, the stored fact that was ' +
        'preferred to a new statement. Null if there is none or it was forgotten.',
      resolve: ({ userId, factId }, _args, context, info) =>
        factId === null ? null : loadersOf(context).facts.load({ userId, id: factId, info }),
    }),
    link: t.field({
      type: LinkNode,
      nullable: true,
      description:
        'The link decision that the event concerns; null if there is none or it was forgotten.',
      resolve: ({ userId, details }, _args, context, info) => {
        const id = jsonOf<{ link?: number } | null>(details)?.link;
        return id === undefined ? null : loadersOf(context).links.load({ userId, id, info });
      },
    }),
    turns: t.field({
      type: [TurnNode],
      description:
        'The turns that the event concerns, without forgotten ones, for TURNS_REMEMBERED, TURNS_EMBEDDED (with those that the ' +
        'embedder refused) and TURN_UNREAD. Empty for other kinds.',
      // Most events concern a few turns: counted with 500 each, a page of events would cost too much.
      complexity: { multiplier: 20 },
      resolve: async ({ userId, firstTurnId: first, lastTurnId: last }, _args, context, info) =>
        first === null || last === null
          ? []
          : asTurns(await loadersOf(context).turns.load({ userId, first, last, info })),
    }),
  }),
});

builder.subscriptionField('memoryEvents', (t) =>
  t.field({
    type: MemoryEventNode,
    description:
      'Streams the events of a memory in order of `number`: new ones and, with `after` or `fromStart`, stored ones first. A ' +
      'client that reconnects with its last `cursor` as `after` gets every later event that is still stored, none twice. ' +
      'Fails with CURSOR_INVALID or, if events after the cursor were removed by their age (EVENT_RETENTION_DAYS), CURSOR_EXPIRED.',
    args: {
      userId: t.arg.string({
        description: describeOwner('The user whose events are streamed'),
      }),
      kinds: t.arg({
        type: [EventKindEnum],
        description: 'Stream only events of these kinds; by default, all.',
      }),
      ...logPlaceArgs('event'),
    },
    subscribe: (_root, { userId, kinds, ...place }, { app, viewer }) => {
      const owner = userOf(viewer, userId);
      const options = { kinds: kinds ?? null, ...logPlaceOf(place) };
      return app.places.hold(owner, () => watchEvents(app, owner, options));
    },
    resolve: (event) => event,
  }),
);
