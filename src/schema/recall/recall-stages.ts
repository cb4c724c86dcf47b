import type { MemoryKind } from '../../domain/core/memory-kind.ts';
import type { Miss, Stage, StageCandidate } from '../../recall/explain/explain-stages.ts';
import type { StageName } from '../../recall/trace.ts';
import { builder } from '../core/builder.ts';
import { globalIdOf } from '../core/global-id.ts';
import { MemoryKindEnum } from './recall-hit.ts';

type Owned<T> = T & { userId: string };

/** The types of the nodes that recall finds. */
export const NODES = {
  TURN: 'Turn',
  EPISODE: 'Episode',
  FACT: 'Fact',
  SEMANTIC_MEMORY: 'SemanticMemory',
  SKILL: 'Skill',
} as const satisfies Record<MemoryKind, string>;

export const StageNameEnum = builder.enumType('RecallStageName', {
  description: 'The stages of a recall.',
  values: {
    QUESTION: { description: 'The rules read the query.' },
    SEARCH: { description: "The query's period and its vector are determined." },
    CANDIDATES: {
      description:
        'Memories that share words with the query or whose vectors are near its vector are found.',
    },
    SCORES: { description: 'The candidates are scored.' },
    CHOICE: { description: 'The best are chosen, within the quotas of their kinds.' },
    TEXTS: { description: 'The texts of the hits are read.' },
    BUDGET: { description: 'The hits are fitted to the token budget.' },
  } satisfies Record<StageName, { description: string }>,
});

export const MissEnum = builder.enumType('RecallMissReason', {
  description: 'What kept a memory out of the hits.',
  values: {
    NOT_FOUND: {
      description:
        'Neither its words nor its vector made it a candidate, or it is never one: a fact that ended, or a segment that ' +
        'became no episode. A new turn is found only once it is indexed and embedded.',
    },
    FILTERED: {
      description:
        'The query finds it, but not within the kinds, time, channels, threads, speakers or categories that were asked for.',
    },
    SAYS_NOTHING: { description: 'It says nothing of its own, such as "OK." or "Thanks!".' },
    KNOWN_FACT: { description: 'It is given already, among the `facts` of the answer.' },
    QUOTA: {
      description:
        'Better memories of its kind filled the quota of that kind, or it gave its place to another kind that must appear.',
    },
    BELOW: { description: 'Its score is below those of the hits.' },
    REDUNDANT: {
      description:
        'Another fact denies it, a better hit says the same, or it was forgotten meanwhile.',
    },
    BUDGET: { description: 'It did not fit the token budget.' },
  } satisfies Record<Miss, { description: string }>,
});

const CandidateType = builder.objectRef<Owned<StageCandidate>>('RecallCandidate').implement({
  description: 'A memory that a stage of a recall looked at.',
  fields: (t) => ({
    kind: t.expose('kind', { type: MemoryKindEnum, description: 'Which kind of memory it is.' }),
    id: t.id({
      description: 'Its global id.',
      resolve: ({ kind, userId, id, number }) =>
        globalIdOf(NODES[kind], userId, kind === 'SKILL' ? [id, number] : id),
    }),
    rank: t.exposeInt('rank', {
      nullable: true,
      description: 'Its rank in this stage, from 1 (the best); null in stages before SCORES.',
    }),
    score: t.exposeFloat('score', {
      nullable: true,
      description:
        'Its score, comparable only within the same answer; null in stages before SCORES.',
    }),
    kept: t.boolean({
      description: 'Whether the stage handed it on.',
      resolve: ({ miss }) => miss === null,
    }),
    reason: t.expose('miss', {
      type: MissEnum,
      nullable: true,
      description: 'Why the stage did not hand it on; null if it did.',
    }),
  }),
});

/** The most candidates of a stage that are listed. */
const MOST = 100;

export const RecallStageType = builder.objectRef<Owned<Stage>>('RecallStage').implement({
  description: 'One stage of a recall.',
  fields: (t) => ({
    name: t.expose('name', { type: StageNameEnum, description: 'Which stage it is.' }),
    ms: t.exposeFloat('ms', { description: 'How long it took, in milliseconds.' }),
    count: t.int({
      description: 'How many candidates it looked at; 0 before there are any.',
      resolve: ({ candidates }) => candidates().length,
    }),
    candidates: t.field({
      type: [CandidateType],
      description:
        'The candidates that it looked at, best first; in no order before the stage SCORES.',
      args: {
        first: t.arg.int({
          defaultValue: 20,
          description: `The most candidates to return; less than 1 counts as 1, more than ${MOST} as ${MOST}.`,
        }),
      },
      complexity: ({ first }) => ({ field: 1, multiplier: clamp(first) }),
      resolve: ({ candidates, userId }, { first }) =>
        candidates()
          .slice(0, clamp(first))
          .map((candidate) => ({ ...candidate, userId })),
    }),
  }),
});

const clamp = (first: number | null | undefined) => Math.min(Math.max(first ?? 20, 1), MOST);
