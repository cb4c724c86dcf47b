import type { MemoryKind } from '../domain/memory-kind.ts';
import type { Hit } from '../recall/assemble.ts';
import { builder } from './builder.ts';
import { EpisodeNode, SkillType } from './episode.ts';
import { FactNode } from './fact.ts';
import { loadersOf } from './loaders.ts';
import { SemanticMemoryNode } from './semantic-memory.ts';
import { TurnNode, type TurnShape } from './turn.ts';

export const MemoryKindEnum = builder.enumType('MemoryKind', {
  description: 'What a recall can find.',
  values: {
    TURN: { description: 'What was said, word for word.' },
    EPISODE: { description: 'What happened: found by its title and summary.' },
    FACT: { description: 'What is true of the person.' },
    SEMANTIC_MEMORY: { description: 'What several episodes come to.' },
    SKILL: { description: 'A pattern that worked.' },
  } satisfies Record<MemoryKind, { description: string }>,
});

const PARTS: Readonly<Record<string, string>> = {
  bm25: 'Words of the query in it; of a turn also around it. 1 = as much as the best turn.',
  vector: 'Nearness in meaning; of a turn with its neighbours.',
  told: 'Nearness of the summary of what was said around it.',
  speaker: 'The query names the speaker.',
  question: 'Below 0 when the turn itself asks.',
  reply: 'Below 0 when an assistant or a tool said it, unless the query asks for that.',
  time: 'The query asks for a time and the turn tells one.',
  length: 'Longer turns say more.',
  date: 'The turn was said on the date that the query names.',
  range: 'It was said in the span of time that the query names.',
  thread: "The thread as a whole is about the query's words.",
  recency: 'An episode or fact of late.',
  importance: "A fact's importance.",
  pinned: 'A pinned fact.',
};

const ScorePart = builder.objectRef<{ name: string; value: number }>('ScorePart').implement({
  description: 'One part of a score.',
  fields: (t) => ({
    name: t.exposeString('name', {
      description: Object.entries(PARTS)
        .map(([name, description]) => `${name}: ${description}`)
        .join(' '),
    }),
    value: t.exposeFloat('value', { description: 'What it adds to the score.' }),
  }),
});

const Explanation = builder.objectRef<Hit['ranked']>('RecallExplanation').implement({
  description:
    'Why a hit stands where it stands: the score is the sum of the parts × forgetting × kindWeight.',
  fields: (t) => ({
    parts: t.field({
      type: [ScorePart],
      description: 'The parts of the score, weighted.',
      resolve: ({ parts }) => Object.entries(parts).map(([name, value]) => ({ name, value })),
    }),
    fused: t.float({
      description: 'Their sum.',
      resolve: ({ parts }) => Object.values(parts).reduce((sum, value) => sum + value, 0),
    }),
    retrievability: t.exposeFloat('retrievability', {
      nullable: true,
      description:
        'FSRS: how likely it is remembered at `asOf`, 0-1; of a turn that of its segment; null for what does not fade.',
    }),
    forgetting: t.exposeFloat('forgetting', {
      description: 'What retrievability multiplies the score by: not below a floor.',
    }),
    kindWeight: t.exposeFloat('kindWeight', {
      description: 'How much its kind counts, by whether the query asks for earlier talk.',
    }),
    bm25: t.exposeFloat('bm25', { description: 'BM25; of a turn with its neighbours.' }),
    bm25Rank: t.exposeInt('bm25Rank', {
      nullable: true,
      description: 'Its place by words among its kind, from 1; null without any word of the query.',
    }),
    similarity: t.exposeFloat('similarity', {
      nullable: true,
      description: 'Cosine of it and the query, -1 to 1; null without a vector.',
    }),
    vectorRank: t.exposeInt('vectorRank', {
      nullable: true,
      description: 'Its place by meaning among its kind, from 1; null without a vector.',
    }),
  }),
});

type OfKind<Kind extends MemoryKind> = Extract<Hit, { kind: Kind }>;
type TextHit<Kind> = Omit<Extract<Hit, { memory: unknown }>, 'kind'> & { kind: Kind };
/** A turn's hit with its turns as the graph shows them. */
type TurnHitShape = Omit<OfKind<'TURN'>, 'turn' | 'before' | 'after'> & {
  turn: TurnShape;
  before: TurnShape[];
  after: TurnShape[];
};
type Owned<T> = T & { userId: string };
export type HitShape = Owned<TurnHitShape | Exclude<Hit, OfKind<'TURN'>>>;

const TYPES = {
  TURN: 'TurnHit',
  EPISODE: 'EpisodeHit',
  FACT: 'FactHit',
  SEMANTIC_MEMORY: 'SemanticMemoryHit',
  SKILL: 'SkillHit',
} as const satisfies Record<MemoryKind, string>;

export const RecallHit = builder.interfaceRef<HitShape>('RecallHit').implement({
  description: 'Something that may answer the question.',
  resolveType: ({ kind }) => TYPES[kind],
  fields: (t) => ({
    kind: t.expose('kind', { type: MemoryKindEnum, description: 'What it is.' }),
    rank: t.exposeInt('rank', { description: 'Its place, from 1.' }),
    score: t.exposeFloat('score', { description: 'Comparable within one recall only.' }),
    explain: t.field({
      type: Explanation,
      description: 'Why it stands here.',
      resolve: ({ ranked }) => ranked,
    }),
  }),
});

builder.objectRef<Owned<TurnHitShape>>(TYPES.TURN).implement({
  description: 'A turn that may answer the question.',
  interfaces: [RecallHit],
  fields: (t) => ({
    turn: t.expose('turn', { type: TurnNode, description: 'The turn, word for word.' }),
    before: t.expose('before', { type: [TurnNode], description: 'Turns before it, oldest first.' }),
    after: t.expose('after', { type: [TurnNode], description: 'Turns after it, oldest first.' }),
  }),
});

builder.objectRef<Owned<OfKind<'EPISODE'>>>(TYPES.EPISODE).implement({
  description: 'An episode that may answer the question.',
  interfaces: [RecallHit],
  fields: (t) => ({
    title: t.string({
      description: 'Its title; empty where nothing names its matter.',
      resolve: ({ episode }) => episode.title ?? '',
    }),
    summary: t.string({ description: 'Its summary.', resolve: ({ episode }) => episode.summary }),
    keyMoment: t.exposeBoolean('keyMoment', {
      description: 'Whether it was surprising enough (seed 001: 0.7).',
    }),
    turns: t.field({
      type: [TurnNode],
      description: 'What was said in it, where the level of detail gives it.',
      resolve: ({ turns }) => turns as never,
    }),
    episode: t.field({
      type: EpisodeNode,
      nullable: true,
      description: 'The episode; null when it was forgotten since.',
      resolve: ({ userId, episode: { id } }, _args, context) =>
        loadersOf(context).episodes.load({ userId, id }) as never,
    }),
  }),
});

builder.objectRef<Owned<OfKind<'FACT'>>>(TYPES.FACT).implement({
  description: 'A fact that may answer the question.',
  interfaces: [RecallHit],
  fields: (t) => ({
    fact: t.field({
      type: FactNode,
      description: 'The fact.',
      resolve: ({ fact }) => fact as never,
    }),
  }),
});

builder.objectRef<Owned<TextHit<'SEMANTIC_MEMORY'>>>(TYPES.SEMANTIC_MEMORY).implement({
  description: 'A semantic memory that may answer the question.',
  interfaces: [RecallHit],
  fields: (t) => ({
    summary: t.string({ description: 'What it tells.', resolve: ({ memory }) => memory.text }),
    semanticMemory: t.field({
      type: SemanticMemoryNode,
      nullable: true,
      description: 'The semantic memory; null when it was forgotten since.',
      resolve: ({ userId, memory: { id } }, _args, { prisma }) =>
        prisma.semanticMemory.findUnique({ where: { userId_id: { userId, id } } }) as never,
    }),
  }),
});

builder.objectRef<Owned<TextHit<'SKILL'>>>(TYPES.SKILL).implement({
  description: 'A skill that may help.',
  interfaces: [RecallHit],
  fields: (t) => ({
    name: t.string({ description: '2 to 6 words.', resolve: ({ memory }) => memory.name }),
    description: t.string({
      description: 'When to use it and how.',
      resolve: ({ memory }) => memory.text,
    }),
    skill: t.field({
      type: SkillType,
      nullable: true,
      description: 'The skill; null when it was forgotten since.',
      resolve: ({ userId, memory: { id: episodeId, number } }, _args, { prisma }) => {
        const key = { userId, episodeId, number };
        return prisma.skill.findUnique({ where: { userId_episodeId_number: key } }) as never;
      },
    }),
  }),
});
