import { InvalidInput, NotFound } from '../domain/errors.ts';
import type { PromptLeftOut } from '../recall/prompt-budget.ts';
import { type PromptContext, promptContext } from '../recall/prompt-context.ts';
import { builder } from './builder.ts';
import { FactNode } from './fact.ts';
import { loadersOf } from './loaders.ts';
import { ProfileNode } from './profile.ts';
import { IntentEnum, shapesOf, TimeRangeType, VectorInput, VectorUseEnum } from './recall.ts';
import { type HitShape, RecallHit } from './recall-hit.ts';
import { localId, userOf } from './request-context.ts';
import { ChannelKindEnum } from './scalars.ts';
import { ThreadNode } from './thread.ts';
import { TurnNode } from './turn.ts';

const ContextInput = builder.inputType('ContextInput', {
  description: 'A message, before a model answers it.',
  fields: (t) => ({
    userId: t.string({ description: 'Under an API key: whose memory.' }),
    channel: t.string({
      description:
        'Where the message came from, such as "sms". Without `threadId` an implicit channel goes on in its latest thread.',
    }),
    threadId: t.id({
      description:
        'The thread it comes to; what is shown there is reviewed by the talk that follows.',
    }),
    message: t.string({ required: true, description: 'The message, 1-10,000 characters.' }),
    maxTokens: t.int({
      defaultValue: 4_000,
      description:
        'The least useful is left out until the block has at most so many tokens (o200k_base), 200-1,000,000.',
    }),
    asOf: t.field({
      type: 'DateTime',
      description: 'The present of the message. Now if left out.',
    }),
    vector: t.field({
      type: VectorInput,
      description: "Saves the server the message's embedding.",
    }),
  }),
});

type Related = PromptContext['related'][number] & { userId: string };

const Exchange = builder.objectRef<Related['exchanges'][number]>('Exchange').implement({
  description: 'A question of the user, and its answer.',
  fields: (t) => ({
    question: t.exposeString('question', { description: 'What was asked.' }),
    answer: t.exposeString('answer', { nullable: true, description: 'What was answered.' }),
  }),
});

const RelatedThread = builder.objectRef<Related>('RelatedThread').implement({
  description: 'An earlier thread that the message may go on from.',
  fields: (t) => ({
    thread: t.field({
      type: ThreadNode,
      nullable: true,
      description: 'The thread, unless forgotten since.',
      resolve: ({ userId, id }, _args, context) =>
        loadersOf(context).threads.load({ userId, id }) as never,
    }),
    linked: t.exposeBoolean('linked', {
      description: 'Whether it was found to be about the same thing; else it is only recent.',
    }),
    exchanges: t.expose('exchanges', {
      type: [Exchange],
      description: 'Its last questions, the earliest first.',
    }),
  }),
});

const Continuity = builder
  .objectRef<NonNullable<PromptContext['continuity']>>('Continuity')
  .implement({
    description: 'How the message goes on from an earlier thread (seed 000 §3).',
    fields: (t) => ({
      line: t.exposeString('line', {
        nullable: true,
        description: '"You were asking about …"; null where nobody has told what it was about.',
      }),
      pause: t.exposeString('pause', {
        nullable: true,
        description: '"Continuing from previous thread after 30 min break"; null under a minute.',
      }),
    }),
  });

const LeftOut = builder.objectRef<PromptLeftOut>('ContextLeftOut').implement({
  description: 'What was there and is not given, for want of tokens.',
  fields: (t) => ({
    exchanges: t.exposeInt('exchanges', { description: 'Questions of earlier threads.' }),
    summaries: t.exposeInt('summaries', { description: 'Summaries of earlier threads.' }),
    facts: t.exposeInt('facts', { description: 'Known facts, the least important.' }),
    profile: t.boolean({
      description: 'Whether the profile is left out.',
      resolve: ({ profile }) => profile > 0,
    }),
    hits: t.exposeInt('hits', { description: 'Hits, the last ones.' }),
    window: t.exposeInt('window', { description: 'Turns of the session window, the oldest.' }),
  }),
});

const Payload = builder
  .objectRef<Omit<PromptContext, 'hits'> & { userId: string; hits: HitShape[] }>('ContextPayload')
  .implement({
    description: 'All that is worth putting before a model with a message.',
    fields: (t) => ({
      markdown: t.exposeString('markdown', {
        description:
          'All of it as one block for the prompt, fenced as data. What changes least stands first, and the order is always the same, so that prompt caches hit.',
      }),
      tokens: t.exposeInt('tokens', {
        description: 'How many tokens the block has, by o200k_base.',
      }),
      mode: t.expose('mode', {
        type: ChannelKindEnum,
        description: 'EXPLICIT: of that thread alone. IMPLICIT: of what belongs to it, too.',
      }),
      thread: t.field({
        type: ThreadNode,
        nullable: true,
        description: 'The thread that the message goes on; null: it opens a new one.',
        resolve: ({ userId, threadId: id }, _args, context) =>
          id === null ? null : (loadersOf(context).threads.load({ userId, id }) as never),
      }),
      continuity: t.expose('continuity', {
        type: Continuity,
        nullable: true,
        description: 'How it goes on from an earlier thread; null where it does not.',
      }),
      related: t.field({
        type: [RelatedThread],
        description:
          'Earlier threads that belong to it or are recent, the latest first; at most 3.',
        resolve: ({ related, userId }) => related.map((one) => ({ ...one, userId })),
      }),
      facts: t.field({
        type: [FactNode],
        description:
          'What matters to every answer: who the person is, standing instructions, what is pinned, and what the message asks for by name. Other facts are found where they matter to the message, as hits.',
        resolve: ({ facts }) => facts as never,
      }),
      profile: t.field({
        type: ProfileNode,
        nullable: true,
        description: 'How to work with the person; null where it was left out, too.',
        resolve: ({ userId, profile }, _args, { prisma }) =>
          profile &&
          (prisma.profile.findUnique({
            where: { userId_version: { userId, version: profile.version } },
          }) as never),
      }),
      hits: t.expose('hits', {
        type: [RecallHit],
        description: 'What was found for the message, the best first.',
      }),
      window: t.field({
        type: [TurnNode],
        description: 'The session window of the thread, without the message itself.',
        resolve: ({ window }) => window as never,
      }),
      range: t.expose('range', {
        type: TimeRangeType,
        nullable: true,
        description:
          'The span of time that a message which asks for earlier talk names: only what was said in it was found.',
      }),
      intent: t.expose('intent', { type: IntentEnum, description: 'What the message wants.' }),
      vectors: t.expose('vectors', {
        type: VectorUseEnum,
        description: 'Whether meaning was searched.',
      }),
      asOf: t.expose('asOf', { type: 'DateTime', description: 'The present of the message.' }),
      leftOut: t.expose('leftOut', { type: LeftOut, description: 'What is not given.' }),
    }),
  });

builder.queryField('context', (t) =>
  t.field({
    type: Payload,
    description:
      'What to put before a model with a message (seeds 000 §3, 004): the session window, what is known of the person and how to work with them, and what was said before.',
    errors: { types: [InvalidInput, NotFound] },
    args: { input: t.arg({ type: ContextInput, required: true, description: 'The message.' }) },
    resolve: async (_root, { input }, context, info) => {
      const { userId, threadId, ...asked } = input;
      const owner = userOf(context.viewer, userId);
      const thread = threadId ? localId('Thread', owner, threadId) : null;
      const found = await promptContext(context.app, owner, asked, thread);
      const hits = await shapesOf(found.hits, owner, context, info);
      return { ...found, hits, userId: owner };
    },
  }),
);
