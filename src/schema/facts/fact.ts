import { factTime, isTrueAt } from '../../domain/facts/fact-time.ts';
import { builder } from '../core/builder.ts';
import { loadersOf } from '../core/loaders.ts';
import { describeOwner } from '../core/owner-argument.ts';
import { nothing, ownKey } from '../core/request-context.ts';
import { TurnNode } from '../turns/turn.ts';
import { ChangeEnum, FactCategoryEnum, OriginEnum, PolarityEnum } from './fact-enums.ts';

const VersionType = builder.prismaObject('FactVersion', {
  description: 'One belief about when a fact was true, and the time during which it was believed.',
  fields: (t) => ({
    number: t.exposeInt('number', {
      description:
        'Position among the versions of the fact, in the order in which they were believed: 1 is the first belief.',
    }),
    change: t.expose('change', {
      type: ChangeEnum,
      description: 'What this version changed about the former belief.',
    }),
    validFrom: t.expose('validFrom', {
      type: 'DateTime',
      nullable: true,
      description:
        'Since when the fact was true, by this belief; null if it was believed never to have been true.',
    }),
    validTo: t.expose('validTo', {
      type: 'DateTime',
      nullable: true,
      description:
        'Until when the fact was true, by this belief; null if no end was known, or if it was believed never to have been true.',
    }),
    recordedAt: t.expose('recordedAt', {
      type: 'DateTime',
      description: 'When the server began to hold this belief, by its own clock.',
    }),
    supersededAt: t.expose('supersededAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When another belief replaced this one; null if it is still held.',
    }),
  }),
});

export const FactNode = builder.prismaNode('Fact', {
  description:
    'One statement that is, was or will be true of the user, or of someone or something close to them. A new value ' +
    'makes a new fact. The statement of a fact changes only if it is confirmed by hand or if turns are forgotten.',
  id: {
    field: 'userId_id',
    description:
      'Global id of the fact. Pass it to `node`, `fact` or `explainMiss`, or as `factId` to `pinFact`, `retractFact`, `restoreFact` or `forget`.',
  },
  nullable: true,
  fields: (t) => ({
    category: t.expose('category', {
      type: FactCategoryEnum,
      description: 'The kind of statement: identity, preference, constraint and so on.',
    }),
    key: t.exposeString('key', {
      nullable: true,
      description:
        'What the fact is about, in a fixed form such as "profile:pet:luna:age" or "preference:coffee". No two facts under one ' +
        'key are true at the same time. A new age keeps the key; something else that is liked, eaten or avoided has a key of its ' +
        'own, even if it supersedes this fact, as one diet does another. Null if the fact has no key.',
    }),
    value: t.exposeString('value', {
      description:
        'What is affirmed or denied, such as "Berlin": in the words of the turn, or as it was recorded by hand.',
    }),
    statement: t.exposeString('statement', {
      description:
        'The fact as one sentence in the third person. With origin NOTE it is the sentence of the user, with HAND what `recordFact` was given.',
    }),
    polarity: t.expose('polarity', {
      type: PolarityEnum,
      description: 'POSITIVE if the `value` is affirmed, NEGATIVE if it is denied or disliked.',
    }),
    scope: t.exposeString('scope', {
      nullable: true,
      description: 'Where or when it applies, such as "at work"; null if always.',
    }),
    confidence: t.exposeFloat('confidence', {
      description:
        'How certain it is that the fact was understood correctly, 0-1; 1 if it was recorded by hand.',
    }),
    importance: t.exposeFloat('importance', {
      description: 'How much the fact matters to later answers, 0-1.',
    }),
    pinned: t.exposeBoolean('pinned', {
      description:
        'True if `recall` and `context` give the fact whatever the query, while it is active. It can still be left out by a ' +
        'choice of kinds or categories, or for lack of tokens.',
    }),
    origin: t.expose('origin', {
      type: OriginEnum,
      description:
        'How the fact came into the memory: found by a pattern, the rules or a model, or recorded by hand.',
    }),
    model: t.exposeString('model', {
      nullable: true,
      description:
        'The model that extracted it, or the version of the built-in rules; null if recorded by hand.',
    }),
    active: t.boolean({
      description:
        'True if the fact is believed and true now: it has begun, and has not ended. As clocks differ, the time that counts is 5 ' +
        'minutes ahead of now.',
      resolve: (fact, _args, { app }) => isTrueAt(fact, factTime(app.clock())),
    }),
    validFrom: t.expose('validFrom', {
      type: 'DateTime',
      description:
        'Since when it is, was or will be true: event time of the earliest turn that states it, or the `validFrom` of `recordFact`.',
    }),
    validTo: t.expose('validTo', {
      type: 'DateTime',
      nullable: true,
      description:
        'When it ceased to be true, or will cease; at that time itself it is no longer true. Null if no end is known.',
    }),
    recordedAt: t.expose('recordedAt', {
      type: 'DateTime',
      description: 'When the fact was first stored.',
    }),
    retractedAt: t.expose('retractedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the fact was retracted; null if it is believed.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description:
        'When it was last recorded, confirmed, ended, extended, pinned, unpinned, retracted, restored, reworded or given another ' +
        'key. It does not count if a `forget` only moved its end.',
    }),
    lastVerifiedAt: t.expose('lastVerifiedAt', {
      type: 'DateTime',
      description:
        'When the fact was last stated: event time of the latest turn that states it, or the `validFrom` of a ' +
        '`recordFact` if that is later. A `recordFact` without `validFrom` counts with the time of the call. After a `forget` ' +
        'of a turn that states it, only the turns left count.',
    }),
    lastAccessedAt: t.expose('lastAccessedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When `recall` or `context` last gave it in an answer; answers with `factsOnly` and dry runs do not count. Null if ' +
        'never. Updated at most once a day.',
    }),
    mentions: t.exposeInt('mentions', {
      description:
        'How many times it was stated, in turns or by hand. After a `forget` of a turn that states it, only the turns left count; ' +
        'with origin HAND, the number stays.',
    }),
    supersededBy: t.relation('supersededBy', {
      nullable: true,
      description: 'The fact that replaced this one; null if none did.',
    }),
    turns: t.field({
      type: [TurnNode],
      description:
        'The first 20 turns that state the fact, in the order in which they were stored. Empty if it was only recorded by hand.',
      select: (_args, _context, nested) => ({
        sources: { select: { turn: nested(true) }, orderBy: { turnId: 'asc' }, take: 20 },
      }),
      resolve: ({ sources }) => sources.map(({ turn }) => turn),
    }),
    versions: t.relation('versions', {
      type: VersionType,
      description:
        'Every belief about when the fact was true, in the order in which they were held. A forget rewrites those that rest on forgotten turns.',
      query: { orderBy: { number: 'asc' } },
    }),
  }),
});

builder.prismaObjectField('Fact', 'history', (t) =>
  t.field({
    type: [FactNode],
    description:
      'All facts under the same key, with this one and with past and retracted ones, ' +
      'by `validFrom`, earliest first. If this fact has no key, only itself.',
    select: { userId: true, key: true },
    resolve: (fact, _args, context, info) =>
      fact.key === null
        ? [fact]
        : loadersOf(context).histories.load({ userId: fact.userId, key: fact.key, info }),
  }),
);

builder.queryField('fact', (t) =>
  t.prismaField({
    type: 'Fact',
    nullable: true,
    description: 'One fact by its id; null if this memory has no such fact.',
    args: {
      id: t.arg.id({ required: true, description: 'The `id` of the fact.' }),
      userId: t.arg.string({
        description: describeOwner('The user whose fact is read'),
      }),
    },
    resolve: (query, _root, args, { viewer, prisma }) => {
      const key = ownKey(viewer, 'Fact', args);
      return key ? prisma.fact.findUnique({ ...query, where: { userId_id: key } }) : nothing(query);
    },
  }),
);
