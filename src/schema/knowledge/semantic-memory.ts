import { InvalidInput, ModelUnavailable, NotFound } from '../../domain/core/errors.ts';
import type { Compression } from '../../domain/episodes/consolidation.ts';
import { consolidateFactsNow, type FactTally } from '../../remember/facts/consolidate-facts.ts';
import { type ConsolidationResult, consolidateNow } from '../../remember/knowledge/consolidate.ts';
import { builder } from '../core/builder.ts';
import { listWords } from '../core/list-words.ts';
import { describeOwner } from '../core/owner-argument.ts';
import { userOf } from '../core/request-context.ts';
import { GeneratedByEnum } from '../core/scalars.ts';

const CompressionType = builder.objectRef<Compression>('CompressionRatio').implement({
  description: 'How many episodes and turns a semantic memory stands for.',
  fields: (t) => ({
    turnsPerMemory: t.exposeFloat('turnsPerMemory', {
      description: 
        'Turns per semantic memory. Turns of segments that were merged into its episodes count too.',
    }),
    episodesPerMemory: t.exposeFloat('episodesPerMemory', {
      description:
        'Episodes per semantic memory; in the background one is written from 8, unless CONSOLIDATION_EPISODES says otherwise, ' +
        'or from fewer at the end of a session.',
    }),
  }),
});

export const SemanticMemoryNode = builder.prismaNode('SemanticMemory', {
  description: 'A narrative summary of several episodes, made to last when their details fade.',
  id: {
    field: 'userId_id',
    description:
      'Global id of the semantic memory, as in `Profile.sourceSemanticIds`. Pass it to `node` or `explainMiss`.',
  },
  nullable: true,
  fields: (t) => ({
    summary: t.exposeString('summary', {
      nullable: true,
      description:
        'The narrative: 2-5 sentences by a model, or up to 12 that the built-in rules quote, one line per day. ' +
        'Null while it is rewritten because something it was based on was forgotten.',
    }),
    episodes: t.relatedConnection('episodes', {
      ...listWords({
        entries: 'episodes of the semantic memory',
        start: 'the oldest',
        end: 'the newest',
        node: 'An episode that the semantic memory summarises, as it is now.',
      }),
      cursor: 'userId_id',
      description: 'The episodes that it summarises, oldest first.',
      query: { orderBy: [{ endedAt: 'asc' }, { id: 'asc' }] },
    }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      description: 'Event time of the first turn it summarises.',
    }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      description: 'Event time of the last turn it summarises.',
    }),
    episodeCount: t.exposeInt('episodeCount', { description: 'How many episodes it summarises.' }),
    turnCount: t.exposeInt('turnCount', {
      description: 'How many turns it summarises, including those of merged segments.',
    }),
    compressionRatio: t.field({
      type: CompressionType,
      description: 'How many episodes and turns this one memory stands for.',
      resolve: ({ turnCount, episodeCount }) => ({
        turnsPerMemory: turnCount,
        episodesPerMemory: episodeCount,
      }),
    }),
    stale: t.boolean({
      description:
        'Whether its episodes have changed since it was written. It is then rewritten in the background.',
      resolve: ({ staleAt }) => staleAt !== null,
    }),
    generatedBy: t.expose('generatedBy', {
      type: GeneratedByEnum,
      description: 'Whether the built-in rules or a model wrote the narrative.',
    }),
    model: t.exposeString('model', {
      description: 'The model that wrote the narrative, or the version of the built-in rules.',
    }),
    recordedAt: t.expose('recordedAt', {
      type: 'DateTime',
      description: 'When this narrative was written.',
    }),
  }),
});

const FactTallyType = builder.objectRef<FactTally>('FactTally').implement({
  description:
    'How many facts were found when episodes were read for them, and what became of them.',
  fields: (t) => ({
    episodes: t.exposeInt('episodes', { description: 'Episodes that were read for facts.' }),
    turns: t.exposeInt('turns', {
      description: 'Turns in these episodes and in the segments that were merged into them.',
    }),
    recorded: t.exposeInt('recorded', {
      description: 'Facts that were new, including the superseding ones.',
    }),
    superseding: t.exposeInt('superseding', {
      description: 'How many of the new facts replaced earlier ones.',
    }),
    reinforced: t.exposeInt('reinforced', {
      description: 'Candidates that confirmed a stored fact, or extended it to an earlier time.',
    }),
    refused: t.exposeInt('refused', {
      description: 'Candidate facts, which are statements read from turns, that were not stored.',
    }),
  }),
});

const Result = builder
  .objectRef<ConsolidationResult & { userId: string; facts: FactTally }>('ConsolidationPayload')
  .implement({
    description: 'The result of a consolidation.',
    fields: (t) => ({
      episodesProcessed: t.exposeInt('episodesProcessed', {
        description:
          'Episodes in the semantic memories that were written or rewritten; 0 if there were none to write.',
      }),
      semanticMemoriesCreated: t.exposeInt('semanticMemoriesCreated', {
        description:
          'New semantic memories: 0 if every episode is in one already, else 1, or several if there were more than 200 episodes.',
      }),
      semanticMemoriesRebuilt: t.exposeInt('semanticMemoriesRebuilt', {
        description: 'Outdated semantic memories that were rewritten.',
      }),
      semanticMemory: t.field({
        type: SemanticMemoryNode,
        nullable: true,
        description: 'The last semantic memory that was written or rewritten; null if none was.',
        resolve: ({ userId, semanticMemoryId: id }, _args, { prisma }) =>
          id === null
            ? null
            : prisma.semanticMemory.findUnique({ where: { userId_id: { userId, id } } }),
      }),
      facts: t.expose('facts', {
        type: FactTallyType,
        description:
          'Facts that were extracted from episodes not read for facts before. Few are new, since facts are ' +
          'also extracted from turns as they arrive.',
      }),
      compressionRatio: t.expose('compression', {
        type: CompressionType,
        nullable: true,
        description:
          'How many turns and episodes each written or rewritten memory stands for, on average; null if there are none.',
      }),
    }),
  });

builder.mutationField('consolidate', (t) =>
  t.field({
    type: Result,
    description:
      'Consolidates now, however few episodes there are: extracts facts from those that were not read for facts yet, writes ' +
      'one semantic memory (several if there are more than 200) from those that are in none, and rewrites the semantic memories ' +
      'that are outdated. The background waits ' +
      'for CONSOLIDATION_FACT_EPISODES and CONSOLIDATION_EPISODES, or the end of a session (30 minutes of silence).',
    errors: { types: [InvalidInput, NotFound, ModelUnavailable] },
    args: {
      userId: t.arg.string({
        description: describeOwner('The user whose episodes are consolidated'),
      }),
    },
    resolve: async (_root, { userId }, { app, viewer }) => {
      const owner = userOf(viewer, userId);
      const facts = await consolidateFactsNow(app, owner);
      return { ...(await consolidateNow(app, owner)), facts, userId: owner };
    },
  }),
);
