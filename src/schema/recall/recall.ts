import type { GraphQLResolveInfo } from 'graphql';
import { InvalidInput, NotFound } from '../../domain/core/errors.ts';
import { mayRecord, type Viewer } from '../../domain/core/viewer.ts';
import type { Hit } from '../../recall/assemble.ts';
import { countTokens, type LeftOut } from '../../recall/budget.ts';
import { explainStages } from '../../recall/explain/explain-stages.ts';
import { markdownOf } from '../../recall/prompt/markdown.ts';
import { type RecallRequest, recall } from '../../recall/recall.ts';
import type { Recall } from '../../recall/recalled.ts';
import type { RecallRange } from '../../recall/time-range.ts';
import type { Trace } from '../../recall/trace.ts';
import { builder } from '../core/builder.ts';
import { loadersOf, withSelected } from '../core/loaders.ts';
import { localId, type RequestContext, userOf } from '../core/request-context.ts';
import { asNode } from '../core/rows.ts';
import { FactNode } from '../facts/fact.ts';
import { type TurnShape, withRelations } from '../turns/turn.ts';
import { type HitShape, RecallHit } from './recall-hit.ts';
import { IntentEnum, RecallInput, VectorUseEnum } from './recall-input.ts';
import { RecallStageType } from './recall-stages.ts';

export const TimeRangeType = builder.objectRef<RecallRange>('TimeRange').implement({
  description: 'A span of time that a query is about.',
  fields: (t) => ({
    from: t.expose('from', {
      type: 'DateTime',
      nullable: true,
      description: 'The start, inclusive; null if open.',
    }),
    to: t.expose('to', {
      type: 'DateTime',
      nullable: true,
      description: 'The end, exclusive; null if open.',
    }),
    text: t.exposeString('text', {
      nullable: true,
      description:
        'The phrase of the query that named the span, such as "last week"; null if it was given as an argument.',
    }),
    filters: t.exposeBoolean('filters', {
      description:
        'True if only this span was searched. False if all times were searched, and the span at most raises the rank of what ' +
        'lies in it: because the query names somebody or something and does not say "I", "we", "you" or the like, or because ' +
        'nothing was found in the span.',
    }),
  }),
});

const LeftOutType = builder.objectRef<LeftOut>('LeftOut').implement({
  description: 'How much was found but left out of the answer.',
  fields: (t) => ({
    facts: t.exposeInt('facts', {
      description:
        'How many known facts are missing from `facts`, because of the token budget or because there are more than 100. Those ' +
        'that would stand last are left out first.',
    }),
    hits: t.exposeInt('hits', {
      description:
        'How many hits did not fit the token budget: the lowest-ranked, and those that are too long.',
    }),
    details: t.exposeInt('details', {
      description:
        'How many hits are returned without the turns of their episode, or those around their turn, because these did not fit the ' +
        'token budget.',
    }),
  }),
});

type PayloadShape = Omit<Recall, 'hits'> & {
  userId: string;
  hits: HitShape[];
  trace: Trace;
  markdown: () => Promise<string>;
};

const RecallPayload = builder.objectRef<PayloadShape>('RecallPayload').implement({
  description: 'The answer to a query: known facts, and hits that were searched for.',
  fields: (t) => ({
    facts: t.field({
      type: [FactNode],
      description:
        'The known facts, true at `asOf`, at most 100: first those whose key the query asks for, then pinned ones. With ' +
        '`factsOnly`, others of importance 0.5 or more follow, by importance; without it, other relevant facts are among the hits.',
      resolve: ({ facts }, _args, context, info) =>
        withSelected(
          facts.map((fact) => asNode(FactNode, fact)),
          loadersOf(context).facts,
          { context, info },
        ),
    }),
    hits: t.expose('hits', {
      type: [RecallHit],
      description: 'What was found for the query, best first.',
    }),
    range: t.expose('range', {
      type: TimeRangeType,
      nullable: true,
      description:
        'The time span named by the query or given by `from` and `to`; null if there is none, or if the query could not be read ' +
        'within ten seconds.',
    }),
    intent: t.expose('intent', {
      type: IntentEnum,
      description: 'Whether the query asks for an answer or for earlier conversation.',
    }),
    vectors: t.expose('vectors', {
      type: VectorUseEnum,
      description: 'Whether semantic search was used for the query, and if not, why.',
    }),
    asOf: t.expose('asOf', {
      type: 'DateTime',
      description: 'The moment at which the query was asked: `RecallInput.asOf`, or now.',
    }),
    leftOut: t.expose('leftOut', {
      type: LeftOutType,
      description: 'How much was left out of the answer.',
    }),
    stages: t.field({
      type: [RecallStageType],
      description:
        'The stages through which the answer came about, in order, with the duration of each, and the candidates of each from CANDIDATES on.',
      resolve: ({ trace, userId }) => explainStages(trace).map((stage) => ({ ...stage, userId })),
    }),
    markdown: t.string({
      description:
        'The whole answer as text for a tool result, fenced and labelled as data. Its order: facts and semantic memories, ' +
        'episodes, turns, skills.',
      resolve: ({ markdown }) => markdown(),
    }),
    tokens: t.int({
      description: 'The length of `markdown` in tokens, counted by the tokenizer o200k_base.',
      resolve: async ({ markdown }) => countTokens(await markdown()),
    }),
  }),
});

builder.queryField('recall', (t) =>
  t.field({
    type: RecallPayload,
    description:
      'Searches a memory for what answers a query best: facts, turns, episodes, semantic memories and skills.',
    errors: { types: [InvalidInput, NotFound] },
    args: {
      input: t.arg({ type: RecallInput, required: true, description: 'The query to answer.' }),
    },
    resolve: async (_root, { input }, context, info) => {
      const owner = userOf(context.viewer, input.userId, 'input.userId');
      const recalled = await recall(context.app, owner, requestOf(context.viewer, input));
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

/** Returns the request of a recall. A caller who may only read makes a dry run. @throws NotFound if it names a thread that is not the user's */
export function requestOf(
  viewer: Viewer,
  { userId, threadIds, shownIn, dryRun, ...question }: typeof RecallInput.$inferInput,
): RecallRequest {
  const owner = userOf(viewer, userId, 'input.userId');
  return {
    input: question,
    threadIds: threadIds?.map((id) => localId('Thread', owner, id)) ?? null,
    shownIn: shownIn ? localId('Thread', owner, shownIn) : null,
    isMessage: false,
    isDry: dryRun === true || !mayRecord(viewer),
  };
}

/** Returns the hits with the relations that the query selects of their turns. Omits turns that were forgotten in the meantime. */
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
    const found = turn.get(hit.turn.id);
    if (!found) return [];
    const around = { before: all(before, hit.before), after: all(after, hit.after) };
    return [{ ...hit, userId, turn: found, ...around }];
  });
}
