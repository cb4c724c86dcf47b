import type { Intent } from '../../domain/ranking/memory-ranking.ts';
import type { VectorUse } from '../../recall/query-vector.ts';
import type { Detail } from '../../recall/read-question.ts';
import { builder } from '../core/builder.ts';
import { FactCategoryEnum } from '../facts/fact-enums.ts';
import { MemoryKindEnum } from './recall-hit.ts';

export const VectorInput = builder.inputType('QueryVectorInput', {
  description: 'An embedding of the query that the caller has computed with the embedder in use.',
  fields: (t) => ({
    embedder: t.string({
      required: true,
      description: 'The name of the embedder that made it; it must be `Embedding.name`.',
    }),
    values: t.field({
      type: ['Float'],
      required: true,
      description: 'The components of the vector, normalised to length 1.',
    }),
  }),
});

export const DetailEnum = builder.enumType('RecallDetail', {
  description:
    "How many of an episode's turns are returned with it. A CROSS_THREAD gets none: its threads list them.",
  values: {
    AUTO: {
      description:
        'All turns of the first two episodes if they are key moments; of other episodes at most two of the ' +
        'turns that answer best and are not hits themselves. `recentMemories` has no query, so there the other episodes get ' +
        'no turns.',
    },
    NONE: { description: 'No turns.' },
    LOW: { description: 'All turns of the first episode, if it is a key moment.' },
    HIGH: { description: 'All turns of every episode.' },
  } satisfies Record<Detail, { description: string }>,
});

export const RecallInput = builder.inputType('RecallInput', {
  description: 'A query to a memory, with its filters and limits.',
  fields: (t) => ({
    userId: t.string({
      description:
        "The user whose memory it is. Required with an API key; with a user token it can only be the token's own user.",
    }),
    query: t.string({
      required: true,
      description: 'The query in natural language, 1-10,000 characters.',
    }),
    first: t.int({
      description: 'The most hits to return, 1-100. Defaults to the setting MEMORY_CONTEXT_TOPN.',
    }),
    kinds: t.field({
      type: [MemoryKindEnum],
      description: 'Search only these kinds of memory; all kinds by default.',
    }),
    categories: t.field({
      type: [FactCategoryEnum],
      description: 'Of facts, return only those of these categories.',
    }),
    factsOnly: t.boolean({
      defaultValue: false,
      description:
        'Return only facts that are known without a search, for a prompt prepared in advance. No vectors are ' +
        'used, and no episode is reviewed because of it.',
    }),
    recallIntent: t.boolean({
      description:
        'Whether the query asks for earlier conversation. Inferred from its words by default.',
    }),
    detail: t.field({
      type: DetailEnum,
      defaultValue: 'AUTO',
      description: 'How many turns of each episode hit to return.',
    }),
    maxTokens: t.int({
      description:
        'Token budget for `markdown` (o200k_base), 50-1,000,000. What is least useful is left out first.',
    }),
    neighbours: t.int({
      defaultValue: 0,
      description: 'How many turns before and after each turn hit to return, 0-5.',
    }),
    asOf: t.field({
      type: 'DateTime',
      description:
        'The moment at which the query is asked: anything later is ignored, and relative times refer to it. Defaults to now.',
    }),
    from: t.field({
      type: 'DateTime',
      description: 'Search only what was said at or after this time.',
    }),
    to: t.field({ type: 'DateTime', description: 'Search only what was said before this time.' }),
    channels: t.stringList({ description: 'Search only what was said on these channels.' }),
    threadIds: t.idList({
      description: 'Search only what was said in the threads with these `id`s.',
    }),
    shownIn: t.id({
      description:
        'The thread in which the answer will be shown. Episodes in the answer are reviewed by how the conversation there continues.',
    }),
    dryRun: t.boolean({
      defaultValue: false,
      description:
        'True for a trial: no impression is recorded (whatever `shownIn` says), and no fact counts as accessed. ' +
        'With an API key that may only read, every recall is a dry run.',
    }),
    speakers: t.stringList({
      description: 'Search only what these speakers said or took part in, by name.',
    }),
    vector: t.field({
      type: VectorInput,
      description:
        'The embedding of the query, if the caller has already computed it. Spares the server one embedding call.',
    }),
  }),
});

export const VectorUseEnum = builder.enumType('VectorUse', {
  description: 'Whether a recall used semantic search, and if not, why.',
  values: {
    USED: { description: 'Keyword and semantic search.' },
    PARTIAL: {
      description:
        'Keyword and semantic search, but some turns have no vector yet and are found by keywords only. `User.vectorIndex` says how many.',
    },
    NOT_READY: {
      description:
        "Keyword search only: the query's vector was not ready within QUERY_VECTOR_DEADLINE_MS, or the embedder failed.",
    },
    NOT_NEEDED: {
      description:
        'Semantic search was not needed: a known fact answers the query, or only facts were requested.',
    },
    OFF: { description: 'Keyword search only: vectors are switched off.' },
  } satisfies Record<VectorUse, { description: string }>,
});

export const IntentEnum = builder.enumType('RecallIntent', {
  description: 'What a query asks for.',
  values: {
    ORDINARY: { description: 'An answer: facts and summaries lead, with 2-3 episodes.' },
    RECALL: { description: 'Earlier conversation: more episodes, and recent ones rank higher.' },
  } satisfies Record<Intent, { description: string }>,
});
