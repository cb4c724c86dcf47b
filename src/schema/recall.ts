import type { GraphQLResolveInfo } from 'graphql';
import { InvalidInput, NotFound } from '../domain/errors.ts';
import type { Intent } from '../domain/memory-ranking.ts';
import type { Hit } from '../recall/assemble.ts';
import { countTokens, type LeftOut } from '../recall/budget.ts';
import { markdownOf } from '../recall/markdown.ts';
import type { VectorUse } from '../recall/query-vector.ts';
import type { Detail } from '../recall/read-question.ts';
import { type Recall, recall } from '../recall/recall.ts';
import type { TimeRange } from '../recall/time-range.ts';
import { builder } from './builder.ts';
import { FactNode } from './fact.ts';
import { FactCategoryEnum } from './fact-enums.ts';
import { type HitShape, MemoryKindEnum, RecallHit } from './recall-hit.ts';
import { localId, type RequestContext, userOf } from './request-context.ts';
import { type TurnShape, withRelations } from './turn.ts';

export const VectorInput = builder.inputType('QueryVectorInput', {
  description: 'A vector that the caller made of the query, with the embedder in use.',
  fields: (t) => ({
    embedder: t.string({ required: true, description: 'Which embedder made it.' }),
    values: t.field({ type: ['Float'], required: true, description: 'The numbers; length 1.' }),
  }),
});

export const DetailEnum = builder.enumType('RecallDetail', {
  description: 'How much of what was said in an episode comes with it (seed 001).',
  values: {
    AUTO: {
      description:
        'All messages of the first two episodes, if they are key moments; of the others the two that answer best and are no hits themselves.',
    },
    NONE: { description: 'None.' },
    LOW: { description: 'The messages of the first episode, if it is a key moment.' },
    HIGH: { description: 'The messages of all episodes.' },
  } satisfies Record<Detail, { description: string }>,
});

const RecallInput = builder.inputType('RecallInput', {
  description: 'A question to a memory.',
  fields: (t) => ({
    userId: t.string({ description: 'Under an API key: whose memory.' }),
    query: t.string({ required: true, description: 'The question, 1-10,000 characters.' }),
    first: t.int({ description: 'How many hits at most, 1-100; MEMORY_CONTEXT_TOPN if left out.' }),
    kinds: t.field({
      type: [MemoryKindEnum],
      description: 'Only of these kinds; all if left out.',
    }),
    categories: t.field({ type: [FactCategoryEnum], description: 'Only facts of these kinds.' }),
    factsOnly: t.boolean({
      defaultValue: false,
      description:
        'Only what is known without a search, for a prompt made in advance: no vectors, and nothing is noted.',
    }),
    recallIntent: t.boolean({
      description: 'Whether the query asks for earlier talk; read from its words if left out.',
    }),
    detail: t.field({
      type: DetailEnum,
      defaultValue: 'AUTO',
      description: 'How much of what was said in an episode comes with it.',
    }),
    maxTokens: t.int({
      description:
        'The least useful is left out until the markdown has at most so many tokens (o200k_base), 50-1,000,000.',
    }),
    neighbours: t.int({ defaultValue: 0, description: 'Turns before and after each turn, 0-5.' }),
    asOf: t.field({
      type: 'DateTime',
      description: 'The present of the question: what came later is left out. Now if left out.',
    }),
    from: t.field({ type: 'DateTime', description: 'Only what was said then or later.' }),
    to: t.field({ type: 'DateTime', description: 'Only what was said before.' }),
    channels: t.stringList({ description: 'Only what comes from these channels.' }),
    threadIds: t.idList({ description: 'Only what comes from these threads.' }),
    shownIn: t.id({
      description:
        'The thread in which the answer is shown: the talk that follows there reviews its episodes (seed 001).',
    }),
    speakers: t.stringList({ description: 'Only what these speakers said, or took part in.' }),
    vector: t.field({ type: VectorInput, description: "Saves the server the query's embedding." }),
  }),
});

export const VectorUseEnum = builder.enumType('VectorUse', {
  description: 'Whether a recall searched by meaning.',
  values: {
    USED: { description: 'By words and by meaning.' },
    PARTIAL: {
      description:
        'By words and by meaning, but some turns have no vector by the embedder in use yet: `User.vectorIndex` tells how many. They are found by words.',
    },
    NOT_READY: {
      description:
        "By words alone: the query's vector was not ready in time, see QUERY_VECTOR_DEADLINE_MS.",
    },
    NOT_NEEDED: {
      description:
        'By words alone, or not at all: a fact that is known answers, or facts only were asked for.',
    },
    OFF: { description: 'By words alone: vectors are switched off.' },
  } satisfies Record<VectorUse, { description: string }>,
});

export const IntentEnum = builder.enumType('RecallIntent', {
  description: 'What a query wants (seed 002).',
  values: {
    ORDINARY: { description: 'An answer: facts and summaries lead, with 2 to 3 episodes.' },
    RECALL: { description: 'Earlier talk: more episodes, the recent ones first.' },
  } satisfies Record<Intent, { description: string }>,
});

export const TimeRangeType = builder.objectRef<TimeRange>('TimeRange').implement({
  description: 'A span of time.',
  fields: (t) => ({
    from: t.expose('from', {
      type: 'DateTime',
      nullable: true,
      description: 'From then on; null = ever.',
    }),
    to: t.expose('to', {
      type: 'DateTime',
      nullable: true,
      description: 'Until before then; null = ever.',
    }),
    text: t.exposeString('text', {
      nullable: true,
      description: 'The phrase of the query that named it; null when it was given.',
    }),
    filters: t.exposeBoolean('filters', {
      description:
        'Whether nothing else was searched: it was given, or the query says "we" or "I" or names nobody. Otherwise what was said in it is raised: of others one tells later. Where nothing was said in it, all is searched after all, unless the query asks what was said.',
    }),
  }),
});

const LeftOutType = builder.objectRef<LeftOut>('LeftOut').implement({
  description: 'What was there and is not given.',
  fields: (t) => ({
    facts: t.exposeInt('facts', { description: 'Known facts, the least important.' }),
    hits: t.exposeInt('hits', { description: 'Hits, the last ones, for want of tokens.' }),
    details: t.exposeInt('details', {
      description: 'Episodes that came without what was said in them, for want of tokens.',
    }),
  }),
});

type PayloadShape = Omit<Recall, 'hits'> & {
  userId: string;
  hits: HitShape[];
  markdown: () => Promise<string>;
};

const RecallPayload = builder.objectRef<PayloadShape>('RecallPayload').implement({
  description: 'What the memory has to say.',
  fields: (t) => ({
    facts: t.field({
      type: [FactNode],
      description:
        'What is known of the person without a search: what the query asks for by name, then what is pinned. With `factsOnly` also all of importance 0.5 and more. Other facts are found where they matter to the query, as hits.',
      resolve: ({ facts }) => facts as never,
    }),
    hits: t.expose('hits', { type: [RecallHit], description: 'What was found, the best first.' }),
    range: t.expose('range', {
      type: TimeRangeType,
      nullable: true,
      description: 'The span of time that was searched; null = all.',
    }),
    intent: t.expose('intent', { type: IntentEnum, description: 'What the query wants.' }),
    vectors: t.expose('vectors', {
      type: VectorUseEnum,
      description: 'Whether meaning was searched.',
    }),
    asOf: t.expose('asOf', { type: 'DateTime', description: 'The present of the question.' }),
    leftOut: t.expose('leftOut', { type: LeftOutType, description: 'What is not given.' }),
    markdown: t.string({
      description:
        'All of it for the result of a tool, fenced as data: facts and summaries, episodes, messages, skills.',
      resolve: ({ markdown }) => markdown(),
    }),
    tokens: t.int({
      description: 'How many tokens the markdown has, by o200k_base.',
      resolve: async ({ markdown }) => countTokens(await markdown()),
    }),
  }),
});

builder.queryField('recall', (t) =>
  t.field({
    type: RecallPayload,
    description: 'What answers a question best, out of a whole memory.',
    errors: { types: [InvalidInput, NotFound] },
    args: { input: t.arg({ type: RecallInput, required: true, description: 'The question.' }) },
    resolve: async (_root, { input }, context, info) => {
      const { userId, threadIds, shownIn, ...question } = input;
      const owner = userOf(context.viewer, userId);
      const threads = threadIds?.map((id) => localId('Thread', owner, id)) ?? null;
      const shown = shownIn ? localId('Thread', owner, shownIn) : null;
      const scope = { threadIds: threads, shownIn: shown, isMessage: false };
      const recalled = await recall(context.app, owner, question, scope);
      const hits = await shapesOf(recalled.hits, owner, context, info);
      let markdown: Promise<string> | undefined;
      return {
        ...recalled,
        hits,
        userId: owner,
        markdown: () => (markdown ??= markdownOf(context.app, owner, recalled)),
      };
    },
  }),
);

/** The hits with whatever relations the query asks of their turns; without those that were forgotten since. */
export async function shapesOf(
  hits: readonly Hit[],
  userId: string,
  context: RequestContext,
  info: GraphQLResolveInfo,
): Promise<HitShape[]> {
  const turns = hits.filter((hit) => hit.kind === 'TURN');
  const load = (field: 'turn' | 'before' | 'after') =>
    withRelations(
      context,
      info,
      ['hits', field],
      userId,
      turns.flatMap((hit) => hit[field]),
    );
  const [turn, before, after] = [await load('turn'), await load('before'), await load('after')];
  const all = (shapes: Map<number, TurnShape>, ids: readonly { id: number }[]) =>
    ids.flatMap(({ id }) => shapes.get(id) ?? []);
  return hits.flatMap((hit): HitShape[] => {
    if (hit.kind !== 'TURN') return [{ ...hit, userId }];
    const own = turn.get(hit.turn.id);
    if (!own) return [];
    const around = { before: all(before, hit.before), after: all(after, hit.after) };
    return [{ ...hit, userId, turn: own, ...around }];
  });
}
