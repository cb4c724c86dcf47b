import { InvalidInput, NotFound } from '../../domain/core/errors.ts';
import { MEMORY_KINDS, type MemoryKind } from '../../domain/core/memory-kind.ts';
import { type Explained, explainMiss, type Wanted } from '../../recall/explain/explain-miss.ts';
import { builder } from '../core/builder.ts';
import { readGlobalId } from '../core/global-id.ts';
import { localId, type RequestContext, userOf } from '../core/request-context.ts';
import { skillNumbers } from '../episodes/skill.ts';
import { Explanation } from './explanation.ts';
import { requestOf } from './recall.ts';
import { RecallInput } from './recall-input.ts';
import { MissEnum, NODES, StageNameEnum } from './recall-stages.ts';

const MissType = builder.objectRef<Explained>('RecallMiss').implement({
  description: 'How a recall treated one memory: why it is not among the hits, or that it is.',
  fields: (t) => ({
    isHit: t.boolean({
      description: 'Whether it is among the hits after all.',
      resolve: ({ miss }) => miss === null,
    }),
    reason: t.expose('miss', {
      type: MissEnum,
      nullable: true,
      description: 'What kept it out of the hits; null if it is among them.',
    }),
    stage: t.expose('stage', {
      type: StageNameEnum,
      nullable: true,
      description: 'The stage that left it out; null if it is among the hits.',
    }),
    rank: t.exposeInt('rank', {
      nullable: true,
      description:
        'Its rank among the scored candidates of all kinds, from 1 (the best); null if it was not scored.',
    }),
    candidates: t.exposeInt('candidates', {
      description: 'How many candidates were scored, those of all kinds together.',
    }),
    score: t.float({
      nullable: true,
      description:
        'Its score, to be compared with `lowestScore`, that of the last hit of any kind; null if it was not scored.',
      resolve: ({ scored }) => scored?.score ?? null,
    }),
    lowestScore: t.exposeFloat('lowest', {
      nullable: true,
      description: 'The score of the lowest-ranked hit, for comparison; null if there are no hits.',
    }),
    explain: t.field({
      type: Explanation,
      nullable: true,
      description: 'How its score came about; null if it was not scored.',
      resolve: ({ scored }) => scored,
    }),
  }),
});

/** The kind and numbers of the user's memory with a global id. @throws NotFound */
async function memoryOf(owner: string, id: string, { prisma }: RequestContext): Promise<Wanted> {
  const typename = readGlobalId(id)?.typename;
  const kind = MEMORY_KINDS.find((name) => NODES[name] === typename);
  if (!kind) throw new NotFound('memory', id);
  if (kind === 'SKILL') {
    const skill = skillNumbers(owner, id);
    const key = { userId: owner, ...skill };
    const found = await prisma.skill.findUnique({ where: { userId_episodeId_number: key } });
    if (!found) throw new NotFound('memory', id);
    return { kind, id: skill.episodeId, number: skill.number };
  }
  const key = { userId: owner, id: localId(NODES[kind], owner, id) };
  const one = { where: { userId_id: key }, select: { id: true } } as const;
  const read = {
    TURN: () => prisma.turn.findUnique(one),
    EPISODE: () => prisma.episode.findUnique(one),
    FACT: () => prisma.fact.findUnique(one),
    SEMANTIC_MEMORY: () => prisma.semanticMemory.findUnique(one),
  } satisfies Record<Exclude<MemoryKind, 'SKILL'>, () => Promise<unknown>>;
  if (!(await read[kind]())) throw new NotFound('memory', id);
  return { kind, id: key.id, number: 0 };
}

builder.queryField('explainMiss', (t) =>
  t.field({
    type: MissType,
    description:
      'Why a memory is not among the hits of a recall: its rank and score, and what kept it out. Nothing is recorded, as if `dryRun` were true.',
    errors: { types: [InvalidInput, NotFound] },
    args: {
      input: t.arg({
        type: RecallInput,
        required: true,
        description: 'The query, as for `recall`.',
      }),
      id: t.arg.id({
        required: true,
        description: 'The `id` of a turn, an episode, a fact, a semantic memory or a skill.',
      }),
    },
    resolve: async (_root, { input, id }, context) => {
      const owner = userOf(context.viewer, input.userId, 'input.userId');
      const wanted = await memoryOf(owner, id, context);
      return explainMiss(context.app, owner, { ...requestOf(context.viewer, input), wanted });
    },
  }),
);
