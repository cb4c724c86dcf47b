import { NotFound } from '../../domain/core/errors.ts';
import type { MemoryKind } from '../../domain/core/memory-kind.ts';
import { KEY_MOMENT } from '../../domain/episodes/forgetting.ts';
import { MEMORY_WEIGHTS } from '../../domain/ranking/memory-ranking.ts';
import type { Hit } from '../../recall/assemble.ts';
import { builder } from '../core/builder.ts';
import { loadersOf, withSelected } from '../core/loaders.ts';
import { asNode } from '../core/rows.ts';
import { EpisodeNode } from '../episodes/episode.ts';
import { SkillNode } from '../episodes/skill.ts';
import { FactNode } from '../facts/fact.ts';
import { SemanticMemoryNode } from '../knowledge/semantic-memory.ts';
import { asTurns, TurnNode, type TurnShape } from '../turns/turn.ts';
import { Explanation } from './explanation.ts';

export const MemoryKindEnum = builder.enumType('MemoryKind', {
  description: 'The kinds of memory that a recall can return.',
  values: {
    TURN: { description: 'A turn: what was said, word for word.' },
    EPISODE: { description: 'An episode: what happened, found by its title and summary.' },
    FACT: {
      description: 'A fact: what is true of the person, or of someone or something close to them.',
    },
    SEMANTIC_MEMORY: { description: 'A semantic memory: a summary of several episodes.' },
    SKILL: { description: 'A skill: a reusable pattern.' },
  } satisfies Record<MemoryKind, { description: string }>,
});

type OfKind<Kind extends MemoryKind> = Extract<Hit, { kind: Kind }>;
type TextHit<Kind> = Omit<Extract<Hit, { memory: unknown }>, 'kind'> & { kind: Kind };
/** A turn hit whose turns are nodes of the graph. */
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
  description: 'One entry of an answer, of any kind of memory.',
  resolveType: ({ kind }) => TYPES[kind],
  fields: (t) => ({
    kind: t.expose('kind', {
      type: MemoryKindEnum,
      description: 'Which kind of memory was found.',
    }),
    rank: t.exposeInt('rank', {
      description:
        'Rank among the hits that were found, of all kinds, from 1 (the best). The ranks have gaps where a token budget left hits out.',
    }),
    score: t.exposeFloat('score', {
      description: 'The final score, higher is better; comparable only within the same answer.',
    }),
    explain: t.field({
      type: Explanation,
      description: 'How the score of this hit came about.',
      resolve: ({ scored }) => scored,
    }),
  }),
});

const percent = (share: number): string => `${Math.round(share * 100)}%`;

/** What is particular to a kind of hit: its name, what is compared with the query, and what fading does to its score. */
const ABOUT: Record<MemoryKind, { one: string; compared: string; fading: string }> = {
  TURN: {
    one: 'turn',
    compared:
      'The two turns before it and the two after it are compared with the query, too. A turn fades with the closed segment ' +
      'that it is in',
    fading: `Fading lowers it by at most ${percent(1 - MEMORY_WEIGHTS.turnFloor)}`,
  },
  EPISODE: {
    one: 'episode',
    compared:
      'The query is compared with its title and summary; `retrievability` says how far it has faded',
    fading: `Fading lowers it by at most ${percent(1 - MEMORY_WEIGHTS.floor)}`,
  },
  FACT: {
    one: 'fact',
    compared:
      'By words, the query is compared with its statement and key; by vectors, with its category and statement; ' +
      '`retrievability` is null',
    fading: 'A fact does not fade',
  },
  SEMANTIC_MEMORY: {
    one: 'semantic memory',
    compared: 'The query is compared with its narrative; `retrievability` is null',
    fading: 'A semantic memory does not fade',
  },
  SKILL: {
    one: 'skill',
    compared: 'The query is compared with its name and description; `retrievability` is null',
    fading: 'A skill does not fade',
  },
};

/** The type of the hits of a kind, with the fields of the interface described for it. */
function hitRef<Shape extends HitShape>(kind: MemoryKind) {
  const ref = builder.objectRef<Shape>(TYPES[kind]);
  const { one, compared, fading } = ABOUT[kind];
  const { ORDINARY, RECALL } = MEMORY_WEIGHTS.kinds[kind];
  const weight =
    ORDINARY === RECALL
      ? `always ${RECALL}`
      : `${RECALL} if the query asks for earlier conversation, else ${ORDINARY}`;
  builder.objectFields(ref, (t) => ({
    kind: t.field({ type: MemoryKindEnum, description: `Always ${kind}.`, resolve: () => kind }),
    rank: t.int({
      description:
        `Rank of the ${one} among the hits that were found, of all kinds, from 1 (the best). The ranks have gaps ` +
        'where a token budget left hits out.',
      resolve: ({ rank }) => rank,
    }),
    score: t.float({
      description:
        `The final score of the ${one}, higher is better; comparable only within the same answer. ${fading}. ` +
        `The factor \`explain.kindWeight\`, ${weight}, is part of it.`,
      resolve: ({ score }) => score,
    }),
    explain: t.field({
      type: Explanation,
      description: `How the score of the ${one} came about. ${compared}.`,
      resolve: ({ scored }) => scored,
    }),
  }));
  return ref;
}

hitRef<Owned<TurnHitShape>>('TURN').implement({
  description: 'A turn that was found, with the turns around it if they were asked for.',
  interfaces: [RecallHit],
  fields: (t) => ({
    turn: t.expose('turn', { type: TurnNode, description: 'The turn that was found.' }),
    before: t.expose('before', {
      type: [TurnNode],
      description:
        'Turns directly before it in its thread, oldest first: at most `RecallInput.neighbours`; none in a `ContextPayload`.',
    }),
    after: t.expose('after', {
      type: [TurnNode],
      description:
        'Turns directly after it in its thread, up to `asOf`, oldest first: at most `RecallInput.neighbours`; none in a ' +
        '`ContextPayload`.',
    }),
  }),
});

hitRef<Owned<OfKind<'EPISODE'>>>('EPISODE').implement({
  description:
    'An episode that was found: a SEGMENT that was captured as CREATED, or a CROSS_THREAD; a PRIMARY is never a hit.',
  interfaces: [RecallHit],
  fields: (t) => ({
    title: t.string({
      description: 'The title of the episode; empty if nothing in it could be named.',
      resolve: ({ episode }) => episode.title ?? '',
    }),
    summary: t.string({
      description: 'The summary of the episode at the moment of the recall.',
      resolve: ({ episode }) => episode.summary,
    }),
    keyMoment: t.exposeBoolean('keyMoment', {
      description: `True if the episode's surprise is at least ${KEY_MOMENT}.`,
    }),
    turns: t.field({
      type: [TurnNode],
      description:
        'Turns of the episode, word for word, as far as `RecallInput.detail` includes them and `RecallInput.maxTokens` allows; ' +
        'none in a `ContextPayload`.',
      resolve: ({ turns }, _args, context, info) =>
        withSelected(asTurns(turns), loadersOf(context).oneTurn, { context, info }),
    }),
    episode: t.field({
      type: EpisodeNode,
      nullable: true,
      description:
        'The episode that was found; null if it was deleted in the meantime, such as by `forget`.',
      resolve: ({ userId, episode: { id } }, _args, context, info) =>
        loadersOf(context).episodes.load({ userId, id, info }),
    }),
  }),
});

hitRef<Owned<OfKind<'FACT'>>>('FACT').implement({
  description: 'A fact that was found.',
  interfaces: [RecallHit],
  fields: (t) => ({
    fact: t.field({
      type: FactNode,
      description: 'The fact that was found.',
      resolve: async ({ fact }, _args, context, info) => {
        const found = [asNode(FactNode, fact)];
        const [node] = await withSelected(found, loadersOf(context).facts, { context, info });
        if (!node) throw new NotFound('fact');
        return node;
      },
    }),
  }),
});

hitRef<Owned<TextHit<'SEMANTIC_MEMORY'>>>('SEMANTIC_MEMORY').implement({
  description: 'A semantic memory that was found.',
  interfaces: [RecallHit],
  fields: (t) => ({
    summary: t.string({
      description: 'The narrative of the semantic memory at the moment of the recall.',
      resolve: ({ memory }) => memory.text,
    }),
    semanticMemory: t.field({
      type: SemanticMemoryNode,
      nullable: true,
      description:
        'The semantic memory that was found; null if it was deleted in the meantime, such as by `forget`.',
      resolve: ({ userId, memory: { id } }, _args, context, info) =>
        loadersOf(context).semanticMemories.load({ userId, id, info }),
    }),
  }),
});

hitRef<Owned<TextHit<'SKILL'>>>('SKILL').implement({
  description: 'A skill that was found.',
  interfaces: [RecallHit],
  fields: (t) => ({
    name: t.string({
      description: 'The name of the skill, a few words.',
      resolve: ({ memory }) => memory.name,
    }),
    description: t.string({
      description: 'When the skill applies, and how to use it.',
      resolve: ({ memory }) => memory.text,
    }),
    skill: t.field({
      type: SkillNode,
      nullable: true,
      description:
        'The skill that was found; null if it was deleted in the meantime, such as by `forget` or by a new summary.',
      resolve: ({ userId, memory: { id: episodeId, number } }, _args, context, info) =>
        loadersOf(context).skills.load({ userId, episodeId, number, info }),
    }),
  }),
});
