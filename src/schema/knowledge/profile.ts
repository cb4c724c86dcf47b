import {
  InvalidInput,
  ModelUnavailable,
  NotFound,
  NothingToSynthesize,
} from '../../domain/core/errors.ts';
import { synthesizeProfileNow } from '../../remember/knowledge/synthesize-profile.ts';
import { builder } from '../core/builder.ts';
import { loadersOf } from '../core/loaders.ts';
import { describeOwner } from '../core/owner-argument.ts';
import { userOf } from '../core/request-context.ts';
import { GeneratedByEnum } from '../core/scalars.ts';
import { FactNode } from '../facts/fact.ts';
import { SemanticMemoryNode } from './semantic-memory.ts';

/** The most sources that are returned as objects; `sourceSemanticIds` has the ids of all. */
const MOST_SOURCES = 100;

export const ProfileNode = builder.prismaNode('Profile', {
  description:
    'How to work with a user, written from the current facts that matter most, up to 80, and all semantic memories. A section ' +
    'is empty if nothing is known for it.',
  id: {
    field: 'userId_version',
    description:
      'Global id of this version of the profile, for `node` and `nodes`. The next version has another.',
  },
  nullable: true,
  fields: (t) => ({
    version: t.exposeInt('version', {
      description: 'Version number, rising from 1; the highest is the current profile.',
    }),
    communication: t.exposeString('communication', {
      description: 'How the user likes to communicate: tone, detail, format.',
    }),
    technical: t.exposeString('technical', {
      description: 'Tools, languages and standards that the user prefers.',
    }),
    workPattern: t.exposeString('workPattern', { description: 'How and when the user works.' }),
    personalContext: t.exposeString('personalContext', {
      description: "What is useful to know about the user's life: role, goals, constraints.",
    }),
    prose: t.exposeString('prose', { description: 'The whole profile as one coherent text.' }),
    sourceSemanticIds: t.globalIDList({
      description: 'The `id`s of the semantic memories that this version was written from.',
      resolve: ({ userId, sourceSemanticIds }) =>
        sourceSemanticIds.map((id) => ({
          type: SemanticMemoryNode,
          id: JSON.stringify([userId, String(id)]),
        })),
    }),
    sources: t.field({
      type: [SemanticMemoryNode],
      description:
        'The semantic memories that this version was written from, as they are now; the first 100, without forgotten ones.',
      resolve: ({ userId, sourceSemanticIds }, _args, { prisma }) =>
        prisma.semanticMemory.findMany({
          where: { userId, id: { in: sourceSemanticIds } },
          orderBy: { id: 'asc' },
          take: MOST_SOURCES,
        }),
    }),
    sourceFacts: t.field({
      type: [FactNode],
      description:
        'The facts that this version was written from, as they are now, without forgotten ones.',
      resolve: async ({ userId, sourceFactIds }, _args, context) => {
        const loaded = sourceFactIds.map((id) => loadersOf(context).facts.load({ userId, id }));
        return (await Promise.all(loaded)).flatMap((fact) => fact ?? []);
      },
    }),
    stale: t.boolean({
      description:
        'Whether one of its semantic memories has changed since this version was written, or nothing is left to write another ' +
        'from. Changes of facts do not count: a profile from a fact that has ended is rewritten at once.',
      resolve: ({ staleAt }) => staleAt !== null,
    }),
    generatedBy: t.expose('generatedBy', {
      type: GeneratedByEnum,
      description: 'Whether the built-in rules or a model wrote the profile.',
    }),
    model: t.exposeString('model', {
      description: 'The model that wrote the profile, or the version of the built-in rules.',
    }),
    recordedAt: t.expose('recordedAt', {
      type: 'DateTime',
      description: 'When this version was written.',
    }),
  }),
});

builder.mutationField('synthesizeProfile', (t) =>
  t.prismaField({
    type: ProfileNode,
    description:
      'Writes a new version of the profile now, from current facts and all semantic memories. If it would say the same, the ' +
      'current version is returned. In the background this happens at the end of a session (after 30 minutes of silence) that ' +
      'changed them, and at once when a fact ends or is recorded by hand.',
    errors: { types: [InvalidInput, NotFound, NothingToSynthesize, ModelUnavailable] },
    args: {
      userId: t.arg.string({
        description: describeOwner('The user for whom the profile is written'),
      }),
    },
    resolve: async (query, _root, { userId }, { app, viewer, prisma }) => {
      const owner = userOf(viewer, userId);
      const version = await synthesizeProfileNow(app, owner);
      const key = { userId_version: { userId: owner, version } };
      return prisma.profile.findUniqueOrThrow({ ...query, where: key });
    },
  }),
);
