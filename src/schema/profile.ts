import { InvalidInput, ModelUnavailable, NotFound, NothingToSynthesize } from '../domain/errors.ts';
import { synthesizeProfileNow } from '../remember/synthesize-profile.ts';
import { builder } from './builder.ts';
import { FactNode } from './fact.ts';
import { loadersOf } from './loaders.ts';
import { userOf } from './request-context.ts';
import { GeneratedByEnum } from './scalars.ts';
import { SemanticMemoryNode } from './semantic-memory.ts';

/** More are named by their ids only. */
const MOST_SOURCES = 100;

export const ProfileNode = builder.prismaNode('Profile', {
  description:
    'How to work with a user, from the facts that hold and all semantic memories (seed 003). What nothing speaks of is empty.',
  id: { field: 'userId_version' },
  nullable: true,
  fields: (t) => ({
    version: t.exposeInt('version', { description: 'Rising; the highest is the current one.' }),
    communication: t.exposeString('communication', {
      description: 'How they like to be talked to.',
    }),
    technical: t.exposeString('technical', { description: 'Tools, languages, standards.' }),
    workPattern: t.exposeString('workPattern', { description: 'How and when they work.' }),
    personalContext: t.exposeString('personalContext', {
      description: 'What is good to know about their life.',
    }),
    prose: t.exposeString('prose', { description: 'All of it as one coherent text.' }),
    sourceSemanticIds: t.globalIDList({
      description: 'The `id`s of the semantic memories that it was made from.',
      resolve: ({ userId, sourceSemanticIds }) =>
        sourceSemanticIds.map((id) => ({
          type: SemanticMemoryNode,
          id: JSON.stringify([userId, String(id)]),
        })),
    }),
    sources: t.field({
      type: [SemanticMemoryNode],
      description: 'The semantic memories that it was made from, as they are now; at most 100.',
      resolve: ({ userId, sourceSemanticIds }, _args, { prisma }) =>
        prisma.semanticMemory.findMany({
          where: { userId, id: { in: sourceSemanticIds } },
          orderBy: { id: 'asc' },
          take: MOST_SOURCES,
        }) as never,
    }),
    sourceFacts: t.field({
      type: [FactNode],
      description: 'The facts that it was made from, as they are now.',
      resolve: async ({ userId, sourceFactIds }, _args, context) => {
        const ids = sourceFactIds.map((id) => ({ userId, id }));
        const facts = await loadersOf(context).facts.loadMany(ids);
        return facts.filter((fact) => fact !== null) as never;
      },
    }),
    stale: t.boolean({
      description: 'Whether a source tells something else by now.',
      resolve: ({ staleAt }) => staleAt !== null,
    }),
    generatedBy: t.expose('generatedBy', { type: GeneratedByEnum, description: 'Who wrote it.' }),
    model: t.exposeString('model', {
      description: 'The language model, or the version of the built-in rules.',
    }),
    recordedAt: t.expose('recordedAt', {
      type: 'DateTime',
      description: 'When this version was made.',
    }),
  }),
});

builder.mutationField('synthesizeProfile', (t) =>
  t.prismaField({
    type: ProfileNode,
    description:
      'Makes a new version of the profile from the facts that hold and all semantic memories, now; where it would say the same, the current one is given. In the background the same happens at the end of a session that changed them, and at once where a fact does not hold any more or was recorded by hand.',
    errors: { types: [InvalidInput, NotFound, NothingToSynthesize, ModelUnavailable] },
    args: { userId: t.arg.string({ description: 'Under an API key: whose memory.' }) },
    resolve: async (query, _root, { userId }, { app, viewer, prisma }) => {
      const owner = userOf(viewer, userId);
      const version = await synthesizeProfileNow(app, owner);
      const key = { userId_version: { userId: owner, version } };
      return prisma.profile.findUniqueOrThrow({ ...query, where: key });
    },
  }),
);
