import type { Intent } from '../../domain/ranking/memory-ranking.ts';
import type { VectorUse } from '../../recall/query-vector.ts';
import type { Detail } from '../../recall/read-question.ts';
import { builder } from '../core/builder.ts';
import { describeOwner } from '../core/owner-argument.ts';
import { FactCategoryEnum } from '../facts/fact-enums.ts';
import { MemoryKindEnum } from './recall-hit.ts';

export const VectorInput = builder.inputType('QueryVectorInput', {
  description:
    'An embedding of the query or message that the caller has computed with the embedder of the server. One of another ' +
    'embedder or with another number of components is refused as invalid input, and so is any if vectors are switched off; ' +
    'neither is checked where `VectorUse` is NOT_NEEDED.',
  fields: (t) => ({
    embedder: t.string({
      required: true,
      description:
        'The name of the embedder that computed the vector. It must equal `VectorIndex.embedder`, the one of the server.',
    }),
    values: t.field({
      type: ['Float'],
      required: true,
      description:
        'The components of the vector, as many as `Embedding.dimension`. The Euclidean norm of the vector must be 1, within 0.01.',
    }),
  }),
});

export const DetailEnum = builder.enumType('RecallDetail', {
  description:
    'How many of the turns of an episode are returned with it; those of segments that were merged into it never are. A ' +
    'CROSS_THREAD gets none: its threads list them.',
  values: {
    AUTO: {
      description:
        'All turns of the first and of the second episode, if that episode is a key moment. Any other episode gets at most two ' +
        'turns: those that answer best and are not hits themselves; none if `kinds` leaves out TURN, and none in ' +
        '`recentMemories`, which has no query.',
    },
    NONE: { description: 'No turns.' },
    LOW: {
      description:
        'The first episode is returned with all its turns if it is a key moment; every other episode without turns.',
    },
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
        'How many hits to return at most, 1-100. Defaults to the setting MEMORY_CONTEXT_TOPN (10 unless configured).',
    }),
    kinds: t.field({
      type: [MemoryKindEnum],
      description:
        'Search only these kinds of memory; all kinds by default. Without FACT, `RecallPayload.facts` is empty, too.',
    }),
    categories: t.field({
      type: [FactCategoryEnum],
      description:
        'Return only facts of these categories, among the hits and in `facts`; pinned facts of other categories are left out, ' +
        'too. All categories by default. Other kinds of memory are not filtered.',
    }),
    factsOnly: t.boolean({
      defaultValue: false,
      description:
        'Return no hits, only known facts (`RecallPayload.facts`), which need no search: for a prompt prepared in advance. They ' +
        'then include facts of importance 0.5 or more, up to 100 in all. Vectors are not used, no episode is reviewed, and ' +
        '`Fact.lastAccessedAt` is not updated.',
    }),
    recallIntent: t.boolean({
      description:
        'True if the query asks for earlier conversation, false if it asks for an answer. By default this is inferred from ' +
        'its words.',
    }),
    detail: t.field({
      type: DetailEnum,
      defaultValue: 'AUTO',
      description: 'How many turns of each episode hit to return.',
    }),
    maxTokens: t.int({
      description:
        'Token budget for `markdown`, 50-1,000,000, counted by the tokenizer o200k_base; unlimited by default. The least useful is ' +
        'left out first, and is then also missing from `facts` and `hits`. A turn that is too long is shortened in `markdown`, but whole ' +
        'in `hits`; a hit that does not fit leaves its place to those after it.',
    }),
    neighbours: t.int({
      defaultValue: 0,
      description: 'How many turns to return at most on each side of a hit that is a turn, 0-5.',
    }),
    asOf: t.field({
      type: 'DateTime',
      description:
        'The moment at which the query is asked: nothing that was said later is returned, facts are those true then, and relative ' +
        'times refer to it. Words of the two turns after a turn count for its score even if they were said later. Defaults to now.',
    }),
    from: t.field({
      type: 'DateTime',
      description:
        'Search only what lies at this time or later: turns by when they were said, facts by when they became true, other memories ' +
        'by when they ended. Known facts (`RecallPayload.facts`) are given whatever `from`, `to`, `channels`, `threadIds` and `speakers` say.',
    }),
    to: t.field({
      type: 'DateTime',
      description:
        'Search only what lies before this time (exclusive): turns by when they were said, facts by when they became true, other ' +
        'memories by when they began. Must be later than `from`. If `from` or `to` is given, a time span that the query names does not restrict the search.',
    }),
    channels: t.stringList({
      description:
        'Search only what was said on these channels, and memories derived from at least one such turn; at most 50 channels. ' +
        'Known facts (`RecallPayload.facts`) are returned whatever their channel.',
    }),
    threadIds: t.idList({
      description:
        'Search only what was said in the threads with these `id`s, and memories derived from it. With `channels`, `threadIds` ' +
        'or `speakers`, no CROSS_THREAD is found.',
    }),
    shownIn: t.id({
      description:
        'The `id` of the thread in which the answer will be shown. Episodes in the answer are reviewed by how the conversation ' +
        'there continues. Without `shownIn` they are not reviewed.',
    }),
    dryRun: t.boolean({
      defaultValue: false,
      description:
        'True for a trial, which leaves the memory unchanged: neither are episodes recorded as shown (even with ' +
        '`shownIn`), nor facts as used (`Fact.lastAccessedAt`). With an API key that may only read, every recall is a dry run.',
    }),
    speakers: t.stringList({
      description:
        'Search only turns whose `Turn.speaker` is exactly one of these, and memories derived from at least one turn of theirs; ' +
        'at most 50 speakers.',
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
        'Semantic search was not needed: a known fact answers the query, or `factsOnly` was true.',
    },
    OFF: { description: 'Keyword search only: vectors are switched off.' },
  } satisfies Record<VectorUse, { description: string }>,
});

export const IntentEnum = builder.enumType('RecallIntent', {
  description:
    'What a query or message asks for. It decides how the kinds of memory are weighted, and how many hits each may have.',
  values: {
    ORDINARY: {
      description: 'An answer: facts and turns weigh most, and there are at most 3 episodes.',
    },
    RECALL: {
      description:
        'Earlier conversation: episodes weigh as much as turns, recency counts more by default, and there are at most 12 episodes.',
    },
  } satisfies Record<Intent, { description: string }>,
});
