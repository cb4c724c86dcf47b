import type { Intent } from '../../domain/ranking/memory-ranking.ts';
import type { VectorUse } from '../../recall/query-vector.ts';
import type { Detail } from '../../recall/read-question.ts';
import { builder } from '../core/builder.ts';
import { describeOwner } from '../core/owner-argument.ts';
import { FactCategoryEnum } from '../facts/fact-enums.ts';
import { MemoryKindEnum } from './recall-hit.ts';

export const VectorInput = builder.inputType('QueryVectorInput', {
  description: 
    'An embedding of the query that the caller has computed with the embedder of the server (`VectorIndex.embedder`). Another name ' +
    'or length is refused as invalid input.',
  fields: (t) => ({
    embedder: t.string({
      required: true,
      description: 'The name of the embedder that made it: it must be that of the server, as in `VectorIndex.embedder`.',
    }),
    values: t.field({
      type: ['Float'],
      required: true,
      description:
        'The components of the vector, as many as `Embedding.dimension`, normalised to length 1.',
    }),
  }),
});

export const DetailEnum = builder.enumType('RecallDetail', {
  description:
    "How many of an episode's own turns are returned with it. A CROSS_THREAD gets none: its threads list them.",
  values: {
    AUTO: {
      description:
        'All turns of the first two episodes if they are key moments; of other episodes at most two of the ' +
        'turns that answer best and are not hits themselves. `recentMemories` has no query, so there the other episodes get ' +
        'no turns.',
    },
    NONE: { description: 'No turns.' },
    LOW: { description: 'All turns of the first episode, if it is a key moment.' },
    HIGH: { description: 'All turns of every episode, up to `asOf`.' },
  } satisfies Record<Detail, { description: string }>,
});

export const RecallInput = builder.inputType('RecallInput', {
  description: 'A query to a memory, with its filters and limits.',
  fields: (t) => ({
    userId: t.string({
      description: describeOwner('The user whose memory is searched'),
    }),
    query: t.string({
      required: true,
      description: 'The query in natural language, such as a question: 1-10,000 characters.',
    }),
    first: t.int({
      description:
        'How many hits to return at most, 1-100. Defaults to the setting MEMORY_CONTEXT_TOPN.',
    }),
    kinds: t.field({
      type: [MemoryKindEnum],
      description: 'Search only these kinds of memory; all kinds by default.',
    }),
    categories: t.field({
      type: [FactCategoryEnum],
      description:
        
        'Return only facts of these categories, among the hits and in `facts`, pinned ones too. Other kinds of memory are not ' +
        'filtered.',
    }),
    factsOnly: t.boolean({
      defaultValue: false,
      description:
        'Return only known facts, which need no search, in `facts` and no hits: for a prompt prepared in advance. No vectors ' +
        'are used, and no episode is reviewed because of it.',
    }),
    recallIntent: t.boolean({
      description:
        'True if the query asks for earlier conversation, false if for an answer. Inferred from its words by default.',
    }),
    detail: t.field({
      type: DetailEnum,
      defaultValue: 'AUTO',
      description: 'How many turns of each episode hit to return.',
    }),
    maxTokens: t.int({
      description:
        'Token budget for `markdown` (counted by the tokenizer o200k_base), 50-1,000,000; unlimited by default. What is least ' +
        'useful is left out first, of `facts` and `hits` too.',
    }),
    neighbours: t.int({
      defaultValue: 0,
      description: 'How many turns to return before, and after, each turn that is a hit: 0-5.',
    }),
    asOf: t.field({
      type: 'DateTime',
      description:
        'The moment at which the query is asked: anything later is ignored, and relative times refer to it. Defaults to now.',
    }),
    from: t.field({
      type: 'DateTime',
      description:
        'Search only turns that were said, facts that became true and other memories that ended at or after this time: with `to`, ' +
        'what overlaps the span is found. The known facts in `RecallPayload.facts` are always given, whatever the times, channels, ' +
        'threads and speakers.',
    }),
    to: t.field({
      type: 'DateTime',
      description:
        'Search only turns that were said, facts that became true and other memories that began before this time.',
    }),
    channels: t.stringList({
      description:
        'Search only what was said on these channels, and what was derived from it; at most 50.',
    }),
    threadIds: t.idList({
      description:
        'Search only what was said in the threads with these `id`s, and what was derived from it.',
    }),
    shownIn: t.id({
      description:
        'The `id` of the thread in which the answer will be shown. Episodes in the answer are reviewed by how the conversation ' +
        'there continues; without it they are not.',
    }),
    dryRun: t.boolean({
      defaultValue: false,
      description:
        'True for a trial, which records neither which episodes were shown, even with `shownIn`, nor which facts were used ' +
        '(`Fact.lastAccessedAt`). With an API key that may only read, every recall is a dry run.',
    }),
    speakers: t.stringList({
      description:
        'Search only what these speakers said, by the exact `Turn.speaker`, and episodes and facts with a turn of theirs; at most 50.',
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
    USED: { description: 'Keyword and semantic search were used.' },
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
    ORDINARY: {
      description: 'An answer: facts and turns weigh most, and there are at most 3 episodes.',
    },
    RECALL: {
      description:
        'Earlier conversation: episodes weigh as much as turns, recent ones more, and there are up to 12.',
    },
  } satisfies Record<Intent, { description: string }>,
});
