import { builder } from './builder.ts';

type Backlog = Awaited<
  ReturnType<(typeof builder.$inferSchemaTypes)['Context']['app']['store']['backlog']['read']>
>;

const BacklogType = builder.objectRef<Backlog>('Backlog').implement({
  description: 'What is still to be made of what was remembered; all 0 when nothing is.',
  fields: (t) => ({
    turnsToIndex: t.exposeInt('turnsToIndex', { description: 'Turns not found by words yet.' }),
    turnsToEmbed: t.exposeInt('turnsToEmbed', {
      description: 'Turns not found by meaning yet; 0 without an embedder.',
    }),
    turnsToSegment: t.exposeInt('turnsToSegment', {
      description:
        'Turns in no closed segment. Up to 40 of each open thread are no backlog: they are its open segment.',
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
    resolve: async ({ id }, _args, { app }) => {
      const { store, db, embedder } = app;
      const name = embedder?.name ?? null;
      return db.asUser(id, (tx) => store.backlog.read(tx, id, name));
    },
  }),
);
