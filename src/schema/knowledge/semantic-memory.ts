import { InvalidInput, ModelUnavailable, NotFound } from '../../domain/core/errors.ts';
import type { Compression } from '../../domain/episodes/consolidation.ts';
import { consolidateFactsNow, type FactTally } from '../../remember/facts/consolidate-facts.ts';
import { type ConsolidationResult, consolidateNow } from '../../remember/knowledge/consolidate.ts';
import { builder } from '../core/builder.ts';
import { listWords } from '../core/list-words.ts';
import { loadersOf } from '../core/loaders.ts';
import { describeOwner } from '../core/owner-argument.ts';
import { userOf } from '../core/request-context.ts';
import { GeneratedByEnum } from '../core/scalars.ts';

const CompressionType = builder.objectRef<Compression>('CompressionRatio').implement({
  description:
    'How many episodes and turns a semantic memory summarises; the mean if it is given for several memories.',
  fields: (t) => ({
    turnsPerMemory: t.exposeFloat('turnsPerMemory', {
      description:
        'Turns per semantic memory, including those of segments that were merged into its episodes.',
    }),
    episodesPerMemory: t.exposeFloat('episodesPerMemory', {
      description:
        'Episodes per semantic memory. By default, the background writes a memory from 8 episodes (CONSOLIDATION_EPISODES), or ' +
        'from at least 3 at the end of a session (CONSOLIDATION_SESSION_EPISODES).',
    }),
  }),
});

export const SemanticMemoryNode = builder.prismaNode('SemanticMemory', {
  description:
    'A narrative summary of one or more episodes of kind SEGMENT, made to last when the details of these episodes fade.',
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
        'The narrative: about 2-5 sentences by a model, or up to 12 that the built-in rules quote, one line per day. Null after ' +
        'turns that it was based on were forgotten, until it is written again.',
    }),
    episodes: t.relatedConnection('episodes', {
      ...listWords({
        entries: 'episodes of the semantic memory',
        start: 'the oldest',
        end: 'the newest',
        node: 'An episode that the semantic memory summarises, as it is now.',
      }),
      cursor: 'userId_id',
      description: 'The episodes that the memory summarises, oldest first.',
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
      description:
        'The same as `turnCount` and `episodeCount`, in the form in which `consolidate` gives the means of several memories.',
      resolve: ({ turnCount, episodeCount }) => ({
        turnsPerMemory: turnCount,
        episodesPerMemory: episodeCount,
      }),
    }),
    stale: t.boolean({
      description:
        'True if episodes of the memory have changed since it was written, or turns that it was based on were forgotten. The ' +
        'background rewrites a stale memory, or drops it if none of its episodes is left.',
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
  description: 'How many facts a consolidation extracted from episodes, and what became of them.',
  fields: (t) => ({
    episodes: t.exposeInt('episodes', { description: 'Episodes that were read for facts.' }),
    turns: t.exposeInt('turns', {
      description: 'Turns in these episodes and in the segments that were merged into them.',
    }),
    recorded: t.exposeInt('recorded', {
      description: 'New facts that were stored, including those that replaced earlier ones.',
    }),
    superseding: t.exposeInt('superseding', {
      description: 'How many of the new facts replaced earlier ones.',
    }),
    reinforced: t.exposeInt('reinforced', {
      description:
        'Candidate facts that confirmed a stored fact, or extended it to an earlier time.',
    }),
    refused: t.exposeInt('refused', {
      description:
        'Candidate facts (statements read from turns) that were refused, as `FactRefusal.reason` says. Those that were read from ' +
        'the same turn before, or were forgotten, are not counted.',
    }),
  }),
});

const Result = builder
  .objectRef<ConsolidationResult & { userId: string; facts: FactTally }>('ConsolidationPayload')
  .implement({
    description: 'The facts and semantic memories that a consolidation wrote.',
    fields: (t) => ({
      episodesProcessed: t.exposeInt('episodesProcessed', {
        description:
          'How many episodes are in the semantic memories that were written or rewritten; 0 if none was.',
      }),
      semanticMemoriesCreated: t.exposeInt('semanticMemoriesCreated', {
        description:
          'How many semantic memories are new: 0 if no episode was waiting to be summarised, otherwise 1, or several if more than ' +
          '200 episodes were waiting.',
      }),
      semanticMemoriesRebuilt: t.exposeInt('semanticMemoriesRebuilt', {
        description: 'How many outdated semantic memories were rewritten.',
      }),
      semanticMemory: t.field({
        type: SemanticMemoryNode,
        nullable: true,
        description: 'The last semantic memory that was written or rewritten; null if none was.',
        resolve: ({ userId, semanticMemoryId: id }, _args, context, info) =>
          id === null ? null : loadersOf(context).semanticMemories.load({ userId, id, info }),
      }),
      facts: t.expose('facts', {
        type: FactTallyType,
        description:
          'Facts that were extracted from new episodes, and from those that changed since they were last read for facts. Few of ' +
          'these facts are new, since facts are also extracted from turns as they arrive.',
      }),
      compressionRatio: t.expose('compression', {
        type: CompressionType,
        nullable: true,
        description:
          'How many turns and episodes each written or rewritten memory summarises, on average; null if none was written.',
      }),
    }),
  });

builder.mutationField('consolidate', (t) =>
  t.field({
    type: Result,
    description:
      'Consolidates at once the segments that became episodes (`capture` CREATED), however few there are. What was said last is ' +
      'often in an open segment, which is left out. Facts are extracted from new and changed episodes, in addition to those ' +
      'extracted from each turn as it arrives. Those that are in no semantic memory are summarised as one (several for ' +
      'more than 200), and outdated semantic memories are rewritten. In the background, facts wait for ' +
      'CONSOLIDATION_FACT_EPISODES episodes or a flashbulb, and summaries for CONSOLIDATION_EPISODES episodes or, at the end ' +
      'of a session (30 minutes of silence), for CONSOLIDATION_SESSION_EPISODES.',
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
