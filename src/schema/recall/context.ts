import { InvalidInput, NotFound } from '../../domain/core/errors.ts';
import { mayRecord } from '../../domain/core/viewer.ts';
import type { PromptLeftOut } from '../../recall/prompt/prompt-budget.ts';
import { type PromptContext, promptContext } from '../../recall/prompt/prompt-context.ts';
import { builder } from '../core/builder.ts';
import { loadersOf, withSelected } from '../core/loaders.ts';
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
        'The channel the message came from, such as "sms". With `threadId`, it only decides `ContextPayload.mode`. Without ' +
        '`threadId`, it defaults to "default" and also decides the thread, as for `remember`: on an implicit channel, the latest ' +
        'implicit thread (`Thread.explicit` is false), unless it is closed or was silent for longer than its timeout; on an ' +
        'explicit channel, none.',
    }),
    threadId: t.id({
      description:
        'The `id` of the thread the message belongs to; without it, `channel` decides. If there is a thread ' +
        '(`ContextPayload.thread`), the episodes in the context are reviewed later, by how the conversation continues in it.',
    }),
    message: t.string({
      required: true,
      description:
        'The text of the message, 1-10,000 characters. It is not stored: that is for `remember`.',
    }),
    maxTokens: t.int({
      defaultValue: 4_000,
      description:
        'Token budget for `markdown`, 200-1,000,000, counted by the tokenizer o200k_base. The least useful is left out first, ' +
        'and is then also missing from `facts`, `hits`, `window` and `profile`. Long turns among the hits are shortened in ' +
        '`markdown`, but whole in `hits`.',
    }),
    asOf: t.field({
      type: 'DateTime',
      description:
        'The moment at which the message is answered: nothing that was said later is returned, facts are those true at this ' +
        'moment, and relative times refer to it. Defaults to now.',
    }),
    dryRun: t.boolean({
      defaultValue: false,
      description:
        'True for a trial, which leaves the memory unchanged: neither are episodes recorded as shown, and so reviewed ' +
        'later, nor facts as used (`Fact.lastAccessedAt`). With an API key that may only read, every context is a dry run.',
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
        'How many questions of earlier threads, with their answers, were left out. Those of the last thread in `related` go ' +
        'first, the oldest before newer ones.',
    }),
    summaries: t.exposeInt('summaries', {
      description: 'How many summaries of earlier threads were left out.',
    }),
    facts: t.exposeInt('facts', {
      description:
        'How many known facts are missing from `facts` and `markdown`. Mostly the last in the order of `facts` are left out, but ' +
        'a short one may stay where a longer one does not fit.',
    }),
    profile: t.boolean({
      description: 'True if there is a profile, but it did not fit the token budget.',
      resolve: ({ profile }) => profile > 0,
    }),
    hits: t.exposeInt('hits', {
      description:
        'How many relevant hits did not fit. Mostly the lowest-ranked are left out, but facts have a share of the tokens of ' +
        'their own, and a short hit may stay where a longer one does not fit.',
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
          'The whole context as one block of text for a prompt: fenced and labelled as data, followed by a line that asks the ' +
          'model to use it. The order of its sections is fixed, beginning with those that change least, so that prompt caches hit.',
      }),
      tokens: t.exposeInt('tokens', {
        description: 'How many tokens `markdown` has, counted by the tokenizer o200k_base.',
      }),
      sections: t.field({
        type: [ContextSectionType],
        description:
          'The sections of `markdown` with their tokens: FRAME first, then the others in the order of the text. The tokens add ' +
          'up to `tokens`. Empty sections are left out.',
        resolve: ({ sections }) => sections(),
      }),
      mode: t.expose('mode', {
        type: ChannelKindEnum,
        description:
          'Where the context comes from: decided by the kind of the channel or, if only `threadId` is given, of the thread. ' +
          'EXPLICIT: hits come only from `thread`, or from the whole memory if `thread` is null. ' +
          'IMPLICIT: hits come from the whole memory, and `related` threads are given too. Known facts and the profile are ' +
          'given in both.',
      }),
      thread: t.field({
        type: ThreadNode,
        nullable: true,
        description:
          'The thread that the message continues; null if it would open a new one, or came on an explicit channel without a `threadId`.',
        resolve: ({ userId, threadId: id }, _args, context, info) =>
          id === null ? null : loadersOf(context).threads.load({ userId, id, info }),
      }),
      continuity: t.expose('continuity', {
        type: Continuity,
        nullable: true,
        description:
          'How the message continues the first of the `related` threads. Null if the message does not sound like a continuation, ' +
          'or if `related` is empty.',
      }),
      related: t.field({
        type: [RelatedThread],
        description:
          'Earlier threads that matter to the message, at most 3, those that are `linked` first. If the message sounds like a ' +
          'continuation and `thread` is null or has at most 4 turns, an implicit thread of the last 24 hours is among them, if ' +
          'there is one: one that the message names, else the latest. Empty if `mode` is EXPLICIT.',
        resolve: ({ related, userId }) => related.map((one) => ({ ...one, userId })),
      }),
      facts: t.field({
        type: [FactNode],
        description:
          'The known facts, at most 100: those whose key the message asks for, then pinned ones, then by importance the name, ' +
          'nickname, pronouns, time zone and standing instructions. Other relevant facts are among the hits.',
        resolve: ({ facts }, _args, context, info) =>
          withSelected(
            facts.map((fact) => asNode(FactNode, fact)),
            loadersOf(context).facts,
            { context, info },
          ),
      }),
      profile: t.field({
        type: ProfileNode,
        nullable: true,
        description:
          'How to work with the person: the newest version or, for an `asOf` in the past, the newest that was written before ' +
          'anything said later had arrived. Null if there is none, if a fact it was made from is not true at `asOf`, if the facts ' +
          'found for the message already say all of it, or if it did not fit the token budget.',
        resolve: ({ userId, profile }, _args, { prisma }) =>
          profile &&
          prisma.profile.findUnique({
            where: { userId_version: { userId, version: profile.version } },
          }),
      }),
      hits: t.expose('hits', {
        type: [RecallHit],
        description:
          'What was found for the message, best first. Left out are hits of low score, and most that repeat what the context says ' +
          'already, such as turns of the session window.',
      }),
      window: t.field({
        type: [TurnNode],
        description:
          'The session window of `thread`, oldest turn first: its newest turns up to `asOf`, as many as fit `maxTokens`, without ' +
          'the message itself if that is stored already. Empty without a thread.',
        resolve: ({ window }) => asTurns(window),
      }),
      range: t.expose('range', {
        type: TimeRangeType,
        nullable: true,
        description:
          'The time span that the message names, if it asks for earlier conversation (`intent` is RECALL); otherwise null. ' +
          '`filters` says whether only this span was searched.',
      }),
      intent: t.expose('intent', {
        type: IntentEnum,
        description:
          'Whether the message asks for an answer or for earlier conversation, inferred from its words.',
      }),
      vectors: t.expose('vectors', {
        type: VectorUseEnum,
        description: 'Whether semantic search was used for the message, and if not, why.',
      }),
      asOf: t.expose('asOf', {
        type: 'DateTime',
        description: 'The moment to which the context refers: `ContextInput.asOf`, or now.',
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
      const owner = userOf(context.viewer, userId, 'input.userId');
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
