import { type Compression, compressionOf } from '../domain/consolidation.ts';
import { InvalidInput, ModelUnavailable, NotFound } from '../domain/errors.ts';
import { type ConsolidationResult, consolidateNow } from '../remember/consolidate.ts';
import { consolidateFactsNow, type FactTally } from '../remember/consolidate-facts.ts';
import { builder } from './builder.ts';
import { userOf } from './request-context.ts';
import { GeneratedByEnum } from './scalars.ts';

const CompressionType = builder.objectRef<Compression>('CompressionRatio').implement({
  description: 'How much a semantic memory stands for (seed 003: the goal is 8 to 1).',
  fields: (t) => ({
    turnsPerMemory: t.exposeFloat('turnsPerMemory', {
      description: 'Turns of its episodes, and of what was merged into them.',
    }),
    episodesPerMemory: t.exposeFloat('episodesPerMemory', { description: 'Its episodes.' }),
  }),
});

export const SemanticMemoryNode = builder.prismaNode('SemanticMemory', {
  description: 'What several episodes come to: one narrative (seed 003).',
  id: { field: 'userId_id' },
  nullable: true,
  fields: (t) => ({
    summary: t.exposeString('summary', {
      nullable: true,
      description:
        '2 to 5 sentences; null while it is told anew because something of it was forgotten.',
    }),
    episodes: t.relatedConnection('episodes', {
      cursor: 'userId_id',
      description: 'The episodes that it was told from, in order of time.',
      query: { orderBy: [{ endedAt: 'asc' }, { id: 'asc' }] },
    }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      description: 'When the first turn of its episodes was said.',
    }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      description: 'When the last turn of its episodes was said.',
    }),
    episodeCount: t.exposeInt('episodeCount', { description: 'How many episodes it tells.' }),
    turnCount: t.exposeInt('turnCount', {
      description: 'How many turns they have, with those of what was merged into them.',
    }),
    compressionRatio: t.field({
      type: CompressionType,
      description: 'How much it stands for.',
      resolve: (memory) => compressionOf([memory]) as Compression,
    }),
    stale: t.boolean({
      description: 'Whether its episodes tell something else by now: it is told anew.',
      resolve: ({ staleAt }) => staleAt !== null,
    }),
    generatedBy: t.expose('generatedBy', { type: GeneratedByEnum, description: 'Who told it.' }),
    model: t.exposeString('model', {
      description: 'The language model, or the version of the built-in rules.',
    }),
    recordedAt: t.expose('recordedAt', {
      type: 'DateTime',
      description: 'When this summary was made.',
    }),
  }),
});

const FactTallyType = builder.objectRef<FactTally>('FactTally').implement({
  description: 'What the facts of some episodes came to.',
  fields: (t) => ({
    episodes: t.exposeInt('episodes', { description: 'Episodes that were read.' }),
    turns: t.exposeInt('turns', { description: 'Their turns.' }),
    recorded: t.exposeInt('recorded', { description: 'Facts that were not known.' }),
    superseding: t.exposeInt('superseding', {
      description: 'Those of them that took the place of others.',
    }),
    reinforced: t.exposeInt('reinforced', { description: 'Known facts that were said again.' }),
    refused: t.exposeInt('refused', { description: 'Candidates that were not stored.' }),
  }),
});

const Result = builder
  .objectRef<ConsolidationResult & { userId: string; facts: FactTally }>('ConsolidationPayload')
  .implement({
    description: 'What a consolidation came to.',
    fields: (t) => ({
      episodesProcessed: t.exposeInt('episodesProcessed', {
        description: 'Episodes that were told; 0 when there was nothing to do.',
      }),
      semanticMemoriesCreated: t.exposeInt('semanticMemoriesCreated', {
        description: 'New memories: one, or several when there were more than 200 episodes.',
      }),
      semanticMemoriesRebuilt: t.exposeInt('semanticMemoriesRebuilt', {
        description: 'Memories that were stale and told anew.',
      }),
      semanticMemory: t.field({
        type: SemanticMemoryNode,
        nullable: true,
        description: 'The last memory that was told; null when none was.',
        resolve: ({ userId, semanticMemoryId: id }, _args, { prisma }) =>
          id === null
            ? null
            : (prisma.semanticMemory.findUnique({ where: { userId_id: { userId, id } } }) as never),
      }),
      facts: t.expose('facts', {
        type: FactTallyType,
        description:
          'What facts were taken from episodes that none had been taken from. Most are known by then: facts are learned from turns as they come.',
      }),
      compressionRatio: t.expose('compression', {
        type: CompressionType,
        nullable: true,
        description: 'How much these memories stand for, on the mean; null without any.',
      }),
    }),
  });

builder.mutationField('consolidate', (t) =>
  t.field({
    type: Result,
    description:
      'Takes facts from all episodes that none were taken from, and makes one semantic memory of all that are in none, now, however few they are; and tells anew what is stale. In the background the same happens at CONSOLIDATION_FACT_EPISODES and CONSOLIDATION_EPISODES, and at the end of a session.',
    errors: { types: [InvalidInput, NotFound, ModelUnavailable] },
    args: { userId: t.arg.string({ description: 'Under an API key: whose memory.' }) },
    resolve: async (_root, { userId }, { app, viewer }) => {
      const owner = userOf(viewer, userId);
      const facts = await consolidateFactsNow(app, owner);
      return { ...(await consolidateNow(app, owner)), facts, userId: owner };
    },
  }),
);
