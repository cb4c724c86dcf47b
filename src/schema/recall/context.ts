import { InvalidInput, NotFound } from '../../domain/core/errors.ts';
import { mayRecord } from '../../domain/core/viewer.ts';
import type { PromptLeftOut } from '../../recall/prompt/prompt-budget.ts';
import { type PromptContext, promptContext } from '../../recall/prompt/prompt-context.ts';
import { builder } from '../core/builder.ts';
import { loadersOf } from '../core/loaders.ts';
import { describeOwner } from '../core/owner-argument.ts';
import { localId, userOf } from '../core/request-context.ts';
import { asNode } from '../core/rows.ts';
import { ChannelKindEnum } from '../core/scalars.ts';
import { FactNode } from '../facts/fact.ts';
import { ProfileNode } from '../knowledge/profile.ts';
import { ThreadNode } from '../threads/thread.ts';
import { asTurns, TurnNode } from '../turns/turn.ts';
import { ContextSectionType } from './context-section.ts';
import { shapesOf, TimeRangeType } from './recall.ts';
import { type HitShape, RecallHit } from './recall-hit.ts';
import { IntentEnum, VectorInput, VectorUseEnum } from './recall-input.ts';
import { Continuity, RelatedThread } from './related-thread.ts';

const ContextInput = builder.inputType('ContextInput', {
  description: "A user's message for which a model will need context.",
  fields: (t) => ({
    userId: t.string({
      description: describeOwner(
        'The user who sent the message, and whose memory is searched for it',
      ),
    }),
    channel: t.string({
      description:
        'The channel the message came from, such as "sms". Without `threadId` it defaults to "default", as for `remember`, and ' +
        'decides about the thread: a message on an implicit channel continues the latest one, unless that was inactive for its ' +
        'timeout; one on an explicit channel has none.',
    }),
    threadId: t.id({
      description:
        'The `id` of the thread the message belongs to, if it is known. The episodes in the context are reviewed by how the ' +
        'conversation continues in the thread of the message.',
    }),
    message: t.string({
      required: true,
      description:
        'The text of the message, 1-10,000 characters. It is not stored: that is for `remember`.',
    }),
    maxTokens: t.int({
      defaultValue: 4_000,
      description:
        'Token budget for `markdown` (counted by the tokenizer o200k_base), 200-1,000,000. What is least useful is left out ' +
        'first, of `facts`, `hits`, `window` and `profile` too.',
    }),
    asOf: t.field({
      type: 'DateTime',
      description:
        'The moment at which the message is answered: what was said later is ignored, and relative times refer to it. Defaults to now.',
    }),
    dryRun: t.boolean({
      defaultValue: false,
      description:
        'True for a trial: it is recorded neither that episodes were shown, for their review, nor that facts were used ' +
        '(`Fact.lastAccessedAt`). With an API key that may only read, every context is a dry run.',
    }),
    vector: t.field({
      type: VectorInput,
      description:
        'The embedding of the message, if the caller has already computed it. Spares the server one embedding call.',
    }),
  }),
});

const LeftOut = builder.objectRef<PromptLeftOut>('ContextLeftOut').implement({
  description: 'How much was left out because of the token budget.',
  fields: (t) => ({
    exchanges: t.exposeInt('exchanges', {
      description:
        'How many questions of earlier threads, with their answers, were left out; the oldest go first.',
    }),
    summaries: t.exposeInt('summaries', {
      description: 'How many summaries of earlier threads were left out.',
    }),
    facts: t.exposeInt('facts', {
      description:
        'How many known facts are missing from `facts` and `markdown`; the least important go first.',
    }),
    profile: t.boolean({
      description: 'Whether the profile was left out.',
      resolve: ({ profile }) => profile > 0,
    }),
    hits: t.exposeInt('hits', {
      description:
        'How many hits that are about the message did not fit. The lowest-ranked go first, but a long hit may go before a shorter one of lower rank.',
    }),
    window: t.exposeInt('window', {
      description: 'How many turns of the session window were left out; the oldest go first.',
    }),
  }),
});

const Payload = builder
  .objectRef<Omit<PromptContext, 'hits'> & { userId: string; hits: HitShape[] }>('ContextPayload')
  .implement({
    description:
      'Everything worth giving to a model together with a message, as data and as one block of text, within a token budget.',
    fields: (t) => ({
      markdown: t.exposeString('markdown', {
        description:
          'All of it as one block for a prompt, fenced and labelled as data. Sections that change least ' +
          'come first and the order is fixed, so that prompt caches hit.',
      }),
      tokens: t.exposeInt('tokens', {
        description: 'How many tokens `markdown` has, counted by the tokenizer o200k_base.',
      }),
      sections: t.field({
        type: [ContextSectionType],
        description:
          'The sections of `markdown` with their tokens, in order. They add up to `tokens`; empty sections are left out.',
        resolve: ({ sections }) => sections(),
      }),
      mode: t.expose('mode', {
        type: ChannelKindEnum,
        description:
          'EXPLICIT: hits come from `thread` alone, or from the whole memory while there is no thread yet; known facts and the ' +
          'profile are always given. IMPLICIT: hits come from the whole memory, and linked and recent threads are given ' +
          'too.',
      }),
      thread: t.field({
        type: ThreadNode,
        nullable: true,
        description:
          'The thread that the message continues; null if it would open a new one, or came on an explicit channel without a `threadId`.',
        resolve: ({ userId, threadId: id }, _args, context) =>
          id === null ? null : loadersOf(context).threads.load({ userId, id }),
      }),
      continuity: t.expose('continuity', {
        type: Continuity,
        nullable: true,
        description:
          'How the message continues an earlier thread; null if its words continue nothing, or there is no such thread.',
      }),
      related: t.field({
        type: [RelatedThread],
        description:
          'Earlier threads that are linked to this one; also, if the words of the message continue something and this thread ' +
          'has at most four turns, the thread of the last 24 hours that they name, or else the latest. Linked ones first; at ' +
          'most 3.',
        resolve: ({ related, userId }) => related.map((one) => ({ ...one, userId })),
      }),
      facts: t.field({
        type: [FactNode],
        description:
          'Facts that matter to every answer: name, pronouns, time zone, standing instructions, pinned facts, and ' +
          'facts whose key the message asks for. Other relevant facts are among the hits.',
        resolve: ({ facts }) => facts.map((fact) => asNode(FactNode, fact)),
      }),
      profile: t.field({
        type: ProfileNode,
        nullable: true,
        description:
          'How to work with the person; null if there is no profile yet, if something in it is no longer true, if ' +
          'the facts already say all of it, or if it was left out.',
        resolve: ({ userId, profile }, _args, { prisma }) =>
          profile &&
          prisma.profile.findUnique({
            where: { userId_version: { userId, version: profile.version } },
          }),
      }),
      hits: t.expose('hits', {
        type: [RecallHit],
        description:
          'What was found for the message, best first, without turns that `window` or `related` give already.',
      }),
      window: t.field({
        type: [TurnNode],
        description:
          'The session window of the thread, oldest turn first: its newest turns up to `asOf`, without the message itself if that is stored already.',
        resolve: ({ window }) => asTurns(window),
      }),
      range: t.expose('range', {
        type: TimeRangeType,
        nullable: true,
        description:
          'The time span named by a message that asks for earlier conversation; null if it names none or asks for ' +
          'an answer. `filters` says whether only this span was searched.',
      }),
      intent: t.expose('intent', {
        type: IntentEnum,
        description:
          'Whether the message asks for an answer or for earlier conversation, by its words.',
      }),
      vectors: t.expose('vectors', {
        type: VectorUseEnum,
        description: 'Whether semantic search was used for the message, and if not, why.',
      }),
      asOf: t.expose('asOf', {
        type: 'DateTime',
        description: 'The moment to which the context refers: the argument `asOf`, or now.',
      }),
      leftOut: t.expose('leftOut', {
        type: LeftOut,
        description: 'How much the token budget left out of the context.',
      }),
    }),
  });

builder.queryField('context', (t) =>
  t.field({
    type: Payload,
    description:
      'Assembles what a model needs to answer a message: the session window, known facts, the profile, and ' +
      'relevant earlier conversation.',
    errors: { types: [InvalidInput, NotFound] },
    args: {
      input: t.arg({
        type: ContextInput,
        required: true,
        description: 'The message to assemble context for.',
      }),
    },
    resolve: async (_root, { input }, context, info) => {
      const { userId, threadId, dryRun, ...message } = input;
      const owner = userOf(context.viewer, userId);
      const thread = threadId ? localId('Thread', owner, threadId) : null;
      const found = await promptContext(context.app, owner, {
        input: message,
        threadId: thread,
        isDry: dryRun === true || !mayRecord(context.viewer),
      });
      const hits = await shapesOf(found.hits, owner, context, info);
      return { ...found, hits, userId: owner };
    },
  }),
);
