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
    'A description of how to work with a user, written from all semantic memories and from the 80 most important current facts; ' +
    'uncertain and long facts are left out. A section is empty if nothing is known for it.',
  id: {
    field: 'userId_version',
    description:
      'Global id of this version of the profile, for `node` and `nodes`. Each version has an id of its own.',
  },
  nullable: true,
  fields: (t) => ({
    version: t.exposeInt('version', {
      description: 'Version number, rising from 1; the highest is the current profile.',
    }),
    communication: t.exposeString('communication', {
      description:
        'How the user likes to communicate: tone, detail, format. The built-in rules give the most important instructions (at ' +
        'most six) and preferences (at most six), also those about other things.',
    }),
    technical: t.exposeString('technical', {
      description:
        'Tools, languages and standards that the user prefers or rejects. The built-in rules give the most important facts about ' +
        'work, education and experience, at most six.',
    }),
    workPattern: t.exposeString('workPattern', {
      description:
        'How and when the user works, decides and plans. The built-in rules give the most important facts of the category ' +
        'PERSONALITY instead, at most six.',
    }),
    personalContext: t.exposeString('personalContext', {
      description:
        "What is useful to know about the user's life: people, health and limits, goals. The built-in rules also give identity " +
        'and interests.',
    }),
    prose: t.exposeString('prose', {
      description:
        'The whole profile as one coherent text. The built-in rules give the sections headings and add the latest decisions of ' +
        'the user, at most three.',
    }),
    sourceSemanticIds: t.globalIDList({
      description:
        'The `id`s of the semantic memories that this version was written from, or from which the same text was last written ' +
        'again, in the order in which they were first written. `node` returns null for one that was dropped since.',
      resolve: ({ userId, sourceSemanticIds }) =>
        sourceSemanticIds.map((id) => ({
          type: SemanticMemoryNode,
          id: JSON.stringify([userId, String(id)]),
        })),
    }),
    sources: t.field({
      type: [SemanticMemoryNode],
      description:
        'The semantic memories that this version was written from, as they are now, in the order in which they were first ' +
        'written. Only the first 100 are returned, without those dropped since.',
      resolve: async ({ userId, sourceSemanticIds }, _args, context, info) => {
        const loaded = [...sourceSemanticIds]
          .sort((a, b) => a - b)
          .map((id) => loadersOf(context).semanticMemories.load({ userId, id, info }));
        return (await Promise.all(loaded)).flatMap((found) => found ?? []).slice(0, MOST_SOURCES);
      },
    }),
    sourceFacts: t.field({
      type: [FactNode],
      description:
        'The facts that this version was written from, as they are now. When one of them is forgotten, so is this version.',
      resolve: async ({ userId, sourceFactIds }, _args, context, info) => {
        const loaded = sourceFactIds.map((id) =>
          loadersOf(context).facts.load({ userId, id, info }),
        );
        return (await Promise.all(loaded)).flatMap((fact) => fact ?? []);
      },
    }),
    stale: t.boolean({
      description:
        'True if a semantic memory that this version was written from has changed or become stale since, or if nothing is left to ' +
        'write a new version from. Otherwise facts do not make it stale: when one that it was written from is replaced or ' +
        'retracted, a new version is written at once.',
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
      'Writes a new version of the profile now, from current facts and all semantic memories. If its text would be the same, ' +
      'the current version is returned. The background does this at the end of a session (30 minutes of silence) if there are ' +
      'new facts or new or changed semantic memories, and at once when a fact of the profile is replaced, retracted or ' +
      'forgotten, or a new one is recorded by hand.',
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
