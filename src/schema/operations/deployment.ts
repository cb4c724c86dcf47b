import type { GraphContext } from '../../context.ts';
import type { DeploymentCounts } from '../../db/operations/deployment.ts';
import { REASONER_STEPS } from '../../domain/core/reasoning.ts';
import { countAll, databaseKindOf } from '../../recall/listed.ts';
import { builder } from '../core/builder.ts';

type Shape = DeploymentCounts & { app: GraphContext };

const DeploymentType = builder.objectRef<Shape>('Deployment').implement({
  description:
    'What this server runs on, how much it holds, and how much work is pending, over all users.',
  fields: (t) => ({
    version: t.string({
      description: 'The version of the server, such as "0.2.0".',
      resolve: ({ app }) => app.config.version,
    }),
    embedder: t.string({
      nullable: true,
      description:
        'The name of the embedder, which turns texts into vectors. Null if vectors are switched off, and with some models ' +
        'until the model is loaded or its server has first answered.',
      resolve: ({ app }) => app.embedder?.name ?? null,
    }),
    reasoner: t.stringList({
      description:
        'The language models that background steps ask, without repetition; without a model, the version of the built-in rules.',
      resolve: ({ app }) => [...new Set(REASONER_STEPS.map((step) => app.reasoner.modelOf(step)))],
    }),
    database: t.field({
      type: builder.enumType('DatabaseKind', {
        description: 'Where memories are stored.',
        values: {
          EMBEDDED: { description: 'In a database that runs inside the process of the server.' },
          POSTGRESQL: { description: 'In a PostgreSQL server.' },
        },
      }),
      description: 'The kind of database that this server uses.',
      resolve: ({ app }) => databaseKindOf(app),
    }),
    users: t.exposeInt('users', {
      description: 'How many users there are, forgotten ones included.',
    }),
    turns: t.exposeFloat('turns', {
      description:
        'How many turns all memories hold together: a whole number, as a Float because it may exceed an Int.',
    }),
    backlog: t.exposeInt('backlog', {
      description:
        'Background jobs of all users that are due, scheduled, running, to be retried or waiting for a model.',
    }),
    deadJobs: t.exposeInt('deadJobs', {
      description:
        'Background jobs of all users that were given up after five attempts: their state is DEAD.',
    }),
  }),
});

builder.queryField('deployment', (t) =>
  t.field({
    type: DeploymentType,
    description:
      'The version, models, database and counts of this deployment (this installation with all its users). Requires an API ' +
      'key that acts for all users, or the local user.',
    authScopes: { operator: true },
    resolve: async (_root, _args, { app }) => ({ ...(await countAll(app)), app }),
  }),
);
