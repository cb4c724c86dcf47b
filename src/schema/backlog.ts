import { type Backlog, readBacklog } from '../recall/backlog.ts';
import { builder } from './builder.ts';

const BacklogType = builder.objectRef<Backlog>('Backlog').implement({
  description: 'What is still to be made of what was remembered; all 0 when nothing is.',
  fields: (t) => ({
    turnsToIndex: t.exposeInt('turnsToIndex', { description: 'Turns not found by words yet.' }),
    turnsToEmbed: t.exposeInt('turnsToEmbed', {
      description: 'Turns not found by meaning yet; 0 without an embedder.',
    }),
    turnsToSegment: t.exposeInt('turnsToSegment', {
      description:
        'Turns that are due to be cut into segments. The last ones of an open thread wait for more to come: they are not due.',
    }),
    turnsToCapture: t.exposeInt('turnsToCapture', {
      description: 'Turns of closed segments of which is not decided what becomes of them.',
    }),
    threadsToCompact: t.exposeInt('threadsToCompact', {
      description: 'Idle and closed threads with turns that are in no summary.',
    }),
  }),
});

builder.prismaObjectField('User', 'backlog', (t) =>
  t.field({
    type: BacklogType,
    description: 'How far the background work is behind, such as during an import.',
    resolve: ({ id }, _args, { app }) => readBacklog(app, id),
  }),
);
