import { builder } from './builder.ts';
import { ChangeEnum, FactCategoryEnum, OriginEnum, PolarityEnum } from './fact-enums.ts';
import { loadersOf } from './loaders.ts';
import { nothing, ownKey } from './request-context.ts';
import { TurnNode } from './turn.ts';

const VersionType = builder.prismaObject('FactVersion', {
  description: "What was believed of a fact's time, and while it was believed.",
  fields: (t) => ({
    number: t.exposeInt('number', { description: 'From 1, the earliest.' }),
    change: t.expose('change', { type: ChangeEnum, description: 'What changed.' }),
    validFrom: t.expose('validFrom', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when it holds, as was believed; null = never.',
    }),
    validTo: t.expose('validTo', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when; null = still.',
    }),
    recordedAt: t.expose('recordedAt', {
      type: 'DateTime',
      description: 'Since when it was believed.',
    }),
    supersededAt: t.expose('supersededAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when it was believed; null = it is.',
    }),
  }),
});

export const FactNode = builder.prismaNode('Fact', {
  description:
    'Something that is or was true of the person. What it says never changes: another value is another fact.',
  id: { field: 'userId_id' },
  nullable: true,
  fields: (t) => ({
    category: t.expose('category', { type: FactCategoryEnum, description: 'What kind it is.' }),
    key: t.exposeString('key', {
      nullable: true,
      description:
        'What it is about, such as "profile:pet:luna:age"; null where that is not known.',
    }),
    value: t.exposeString('value', { description: 'In the words of the turn.' }),
    statement: t.exposeString('statement', { description: 'One sentence in the third person.' }),
    polarity: t.expose('polarity', { type: PolarityEnum, description: 'Whether it is so.' }),
    scope: t.exposeString('scope', {
      nullable: true,
      description: 'Where or when it holds, such as "at work"; null = always.',
    }),
    confidence: t.exposeFloat('confidence', { description: 'How sure it is, 0-1.' }),
    importance: t.exposeFloat('importance', { description: 'How much it matters, 0-1.' }),
    pinned: t.exposeBoolean('pinned', { description: 'Whether it is always recalled.' }),
    origin: t.expose('origin', { type: OriginEnum, description: 'Who found it.' }),
    model: t.exposeString('model', {
      nullable: true,
      description: 'The model, or the version of the built-in rules; null by hand.',
    }),
    active: t.boolean({
      description: 'Whether it holds now, as is believed now.',
      resolve: ({ validTo, retractedAt }) => validTo === null && retractedAt === null,
    }),
    validFrom: t.expose('validFrom', { type: 'DateTime', description: 'Since when it holds.' }),
    validTo: t.expose('validTo', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when it held; null = still.',
    }),
    recordedAt: t.expose('recordedAt', { type: 'DateTime', description: 'When it became known.' }),
    retractedAt: t.expose('retractedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when it is no longer believed.',
    }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
    lastVerifiedAt: t.expose('lastVerifiedAt', {
      type: 'DateTime',
      description: 'When it was last said.',
    }),
    lastAccessedAt: t.expose('lastAccessedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last recalled.',
    }),
    mentions: t.exposeInt('mentions', { description: 'How often it was said.' }),
    supersededBy: t.relation('supersededBy', {
      nullable: true,
      description: 'What took its place.',
    }),
    turns: t.field({
      type: [TurnNode],
      description: 'The turns that it comes from, the earliest first.',
      select: {
        sources: { select: { turn: true }, orderBy: { turnId: 'asc' }, take: 20 },
      },
      resolve: ({ sources }) => sources.map(({ turn }) => turn) as never,
    }),
    versions: t.relation('versions', {
      type: VersionType,
      description: 'What was believed of its time, the earliest belief first.',
      query: { orderBy: { number: 'asc' } },
    }),
  }),
});

builder.prismaObjectField('Fact', 'history', (t) =>
  t.field({
    type: [FactNode],
    description: 'All that was ever known under its key, by the time when it held; itself too.',
    select: { userId: true, key: true },
    resolve: (fact, _args, context) =>
      fact.key === null
        ? ([fact] as never)
        : (loadersOf(context).histories.load({ userId: fact.userId, key: fact.key }) as never),
  }),
);

builder.queryField('fact', (t) =>
  t.prismaField({
    type: 'Fact',
    nullable: true,
    description: 'A fact by its id; null when this memory has none of that id.',
    args: {
      id: t.arg.id({ required: true, description: 'Its `id`.' }),
      userId: t.arg.string({ description: 'Under an API key: whose memory.' }),
    },
    resolve: (query, _root, args, { viewer, prisma }) => {
      const key = ownKey(viewer, 'Fact', args);
      return key ? prisma.fact.findUnique({ ...query, where: { userId_id: key } }) : nothing(query);
    },
  }),
);
