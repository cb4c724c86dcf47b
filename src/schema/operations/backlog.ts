import { type Backlog, readBacklog } from '../../recall/backlog.ts';
import { builder } from '../core/builder.ts';

const BacklogType = builder.objectRef<Backlog>('Backlog').implement({
  description:
    'How much of the work on stored turns is still queued. Every count is 0 once that is done; facts, links, semantic memories and ' +
    'the profile are not counted.',
  fields: (t) => ({
    turnsToIndex: t.exposeInt('turnsToIndex', {
      description: 'Turns that keyword search does not find yet.',
    }),
    turnsToEmbed: t.exposeInt('turnsToEmbed', {
      description:
        "Turns that semantic search does not find yet. Also 0 if vectors are switched off, and until the embedding model's " +
        'server has first answered.',
    }),
    turnsToSegment: t.exposeInt('turnsToSegment', {
      description:
        'Turns that are due for segmentation, which cuts a thread into segments. The last turns of an open thread are mostly ' +
        'not due yet: they wait for more turns.',
    }),
    turnsToCapture: t.exposeInt('turnsToCapture', {
      description:
        'Turns in closed segments for which it is not decided yet whether they become an episode (`capture` is PENDING).',
    }),
    threadsToCompact: t.exposeInt('threadsToCompact', {
      description: 'Idle and closed threads with turns that no summary covers yet.',
    }),
  }),
});

builder.prismaObjectField('User', 'backlog', (t) =>
  t.field({
    type: BacklogType,
    description:
      'How many turns and threads of this memory still wait to be indexed, embedded, segmented, captured or compacted, for example ' +
      'during an import.',
    resolve: ({ id }, _args, { app }) => readBacklog(app, id),
  }),
);
