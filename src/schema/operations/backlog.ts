import { type Backlog, readBacklog } from '../../recall/backlog.ts';
import { builder } from '../core/builder.ts';

const BacklogType = builder.objectRef<Backlog>('Backlog').implement({
  description:
    'How much of the work on stored turns is still to be done. Every count is 0 once this work is done. Other work, such as ' +
    'on facts, links, semantic memories and the profile, is not counted.',
  fields: (t) => ({
    turnsToIndex: t.exposeInt('turnsToIndex', {
      description: 'Turns that keyword search does not find yet.',
    }),
    turnsToEmbed: t.exposeInt('turnsToEmbed', {
      description:
        'Turns that semantic search does not find yet, because they wait to be embedded. Also 0 if vectors are switched off, ' +
        'and while `VectorIndex.embedder` is null.',
    }),
    turnsToSegment: t.exposeInt('turnsToSegment', {
      description:
        'Turns that are due for segmentation, which cuts a thread into segments. The last turns of an open thread are mostly ' +
        'not due yet: they wait for more turns, or for time to pass.',
    }),
    turnsToCapture: t.exposeInt('turnsToCapture', {
      description:
        'Turns in closed segments whose `capture` is PENDING: it is not decided yet whether the segment becomes an episode, ' +
        'or a late or forgotten turn has changed it.',
    }),
    threadsToCompact: t.exposeInt('threadsToCompact', {
      description:
        'Closed and idle threads, and open ones past their `idleAt`, whose summaries do not cover all their turns yet: ' +
        '`compactedThrough` is below `turnCount`.',
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
