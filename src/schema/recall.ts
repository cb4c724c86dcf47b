import { InvalidInput, NotFound } from '../domain/errors.ts';
import type { Hit } from '../recall/assemble.ts';
import { type Recall, recall } from '../recall/recall.ts';
import { builder } from './builder.ts';
import { localId, userOf } from './request-context.ts';
import { TurnNode, type TurnShape, withRelations } from './turn.ts';

const VectorInput = builder.inputType('QueryVectorInput', {
  description: 'A vector that the caller made of the query, with the embedder in use.',
  fields: (t) => ({
    embedder: t.string({ required: true, description: 'Which embedder made it.' }),
    values: t.field({ type: ['Float'], required: true, description: 'The numbers; length 1.' }),
  }),
});

const RecallInput = builder.inputType('RecallInput', {
  description: 'A question to a memory.',
  fields: (t) => ({
    userId: t.string({ description: 'Under an API key: whose memory.' }),
    query: t.string({ required: true, description: 'The question, 1-10,000 characters.' }),
    first: t.int({ defaultValue: 10, description: 'How many hits at most, 1-100.' }),
    neighbours: t.int({ defaultValue: 0, description: 'Turns before and after each hit, 0-5.' }),
    asOf: t.field({
      type: 'DateTime',
      description: 'The present of the question: what was said later is left out. Now if left out.',
    }),
    from: t.field({ type: 'DateTime', description: 'Only turns said then or later.' }),
    to: t.field({ type: 'DateTime', description: 'Only turns said before.' }),
    channels: t.stringList({ description: 'Only turns from these channels.' }),
    threadIds: t.idList({ description: 'Only turns of these threads.' }),
    speakers: t.stringList({ description: 'Only turns of these speakers.' }),
    vector: t.field({ type: VectorInput, description: "Saves the server the query's embedding." }),
  }),
});

type Parts = Hit['ranked']['parts'];
const part = (name: keyof Parts, description: string) => ({ name, description });
const PARTS = [
  part('bm25', 'Words of the query in the turn and around it, 0-1.'),
  part('vector', 'Nearness in meaning of the turn and its neighbours, weighted.'),
  part('speaker', 'The query names the speaker.'),
  part('question', 'Below 0 when the turn itself asks.'),
  part('time', 'The query asks for a time and the turn tells one.'),
  part('length', 'Longer turns say more.'),
  part('date', 'The turn was said on the date that the query names.'),
  part('thread', "The thread as a whole is about the query's words."),
];

const Explanation = builder.objectRef<Hit['ranked']>('RecallExplanation').implement({
  description: 'Why a hit stands where it stands. The score is the sum of the parts.',
  fields: (t) => ({
    parts: t.field({
      type: [
        builder.objectRef<{ name: string; value: number }>('ScorePart').implement({
          description: 'One part of a score.',
          fields: (p) => ({
            name: p.exposeString('name', {
              description: PARTS.map(({ name, description }) => `${name}: ${description}`).join(
                ' ',
              ),
            }),
            value: p.exposeFloat('value', { description: 'What it adds to the score.' }),
          }),
        }),
      ],
      description: 'The parts of the score, weighted.',
      resolve: ({ parts }) => PARTS.map(({ name }) => ({ name, value: parts[name] })),
    }),
    bm25: t.exposeFloat('bm25', { description: 'BM25 over the turn and its neighbours.' }),
    bm25Rank: t.exposeInt('bm25Rank', {
      nullable: true,
      description: 'Its place by words, from 1; null without any word of the query.',
    }),
    similarity: t.exposeFloat('similarity', {
      nullable: true,
      description: 'Cosine of the turn and the query, -1 to 1; null without a vector.',
    }),
    vectorRank: t.exposeInt('vectorRank', {
      nullable: true,
      description: 'Its place by meaning, from 1; null without a vector.',
    }),
  }),
});

type HitShape = Omit<Hit, 'turn' | 'before' | 'after'> & {
  turn: TurnShape;
  before: TurnShape[];
  after: TurnShape[];
};

const RecallHit = builder.objectRef<HitShape>('RecallHit').implement({
  description: 'A turn that may answer the question.',
  fields: (t) => ({
    rank: t.exposeInt('rank', { description: 'Its place, from 1.' }),
    score: t.exposeFloat('score', { description: 'Comparable within one recall only.' }),
    turn: t.expose('turn', { type: TurnNode, description: 'The turn, word for word.' }),
    before: t.expose('before', { type: [TurnNode], description: 'Turns before it, oldest first.' }),
    after: t.expose('after', { type: [TurnNode], description: 'Turns after it, oldest first.' }),
    explain: t.field({
      type: Explanation,
      description: 'Why it stands here.',
      resolve: ({ ranked }) => ranked,
    }),
  }),
});

const VectorUseEnum = builder.enumType('VectorUse', {
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
    OFF: { description: 'By words alone: vectors are switched off.' },
  },
});

const RecallPayload = builder
  .objectRef<Omit<Recall, 'hits'> & { hits: HitShape[] }>('RecallPayload')
  .implement({
    description: 'What the memory has to say.',
    fields: (t) => ({
      hits: t.expose('hits', { type: [RecallHit], description: 'The best turns first.' }),
      vectors: t.expose('vectors', {
        type: VectorUseEnum,
        description: 'Whether meaning was searched.',
      }),
      asOf: t.expose('asOf', { type: 'DateTime', description: 'The present of the question.' }),
    }),
  });

builder.queryField('recall', (t) =>
  t.field({
    type: RecallPayload,
    description: 'The turns that answer a question best, out of a whole memory.',
    errors: { types: [InvalidInput, NotFound] },
    args: { input: t.arg({ type: RecallInput, required: true, description: 'The question.' }) },
    resolve: async (_root, { input }, context, info) => {
      const { userId, threadIds, ...question } = input;
      const owner = userOf(context.viewer, userId);
      const threads = threadIds?.map((id) => localId('Thread', owner, id)) ?? null;
      const result = await recall(context.app, owner, question, threads);
      const shape = (field: 'turn' | 'before' | 'after') =>
        withRelations(
          context,
          info,
          ['hits', field],
          owner,
          result.hits.flatMap((hit) => hit[field]),
        );
      const [turn, before, after] = [
        await shape('turn'),
        await shape('before'),
        await shape('after'),
      ];
      const all = (map: Map<number, TurnShape>, turns: Hit['before']) =>
        turns.flatMap(({ id }) => map.get(id) ?? []);
      return {
        ...result,
        hits: result.hits.flatMap((hit) => {
          const own = turn.get(hit.turn.id);
          return own
            ? [{ ...hit, turn: own, before: all(before, hit.before), after: all(after, hit.after) }]
            : [];
        }),
      };
    },
  }),
);
