import type { MemoryKind } from '../../domain/core/memory-kind.ts';
import type { Miss, Stage, StageCandidate } from '../../recall/explain/explain-stages.ts';
import type { StageName } from '../../recall/trace.ts';
import { builder } from '../core/builder.ts';
import { checkedCount } from '../core/checked-count.ts';
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
  description:
    'The stages of a recall, which run in the order QUESTION, SEARCH, CANDIDATES, SCORES, CHOICE, TEXTS, BUDGET.',
  values: {
    QUESTION: {
      description:
        'The built-in rules read the query: its words, what it asks for, and which facts would answer it.',
    },
    SEARCH: {
      description:
        'The time span and the vector of the query are determined. If a known fact answers the query, no vector is needed.',
    },
    CANDIDATES: {
      description:
        'Candidates are found: of each kind at most 100 by the words of the query, and at most 100 whose vectors are nearest to ' +
        'that of the query.',
    },
    SCORES: {
      description:
        'Candidates get their scores, from their words, semantic similarity and the other `RecallExplanation.parts`. Turns that ' +
        'say nothing of their own get none if there are others, nor do some that cannot be among the best any more: they are ' +
        'listed only in CANDIDATES, as not kept.',
    },
    CHOICE: {
      description:
        'The best candidates are chosen; known and unrelated facts are left out. Each kind but turns has a quota: the most hits ' +
        'that there may be of it.',
    },
    TEXTS: {
      description:
        'The texts of the chosen hits are loaded. Hits that only repeat better ones are left out, and so are facts that another ' +
        'fact denies.',
    },
    BUDGET: {
      description:
        'The first hit that does not fit the token budget is left out, and all that rank after it.',
    },
  } satisfies Record<StageName, { description: string }>,
});

export const MissEnum = builder.enumType('RecallMissReason', {
  description: 'What kept a memory out of the hits.',
  values: {
    NOT_FOUND: {
      description:
        'Neither its words nor its vector made it a candidate, or it can be none, such as a fact that ended, is yet to begin or ' +
        'was retracted, a PRIMARY, or a segment whose `capture` is not CREATED. A new turn is found by its words once it is ' +
        'indexed, and by its vector once it is embedded.',
    },
    FILTERED: {
      description:
        'The query would find it, but it lies outside the kinds, time, channels, threads, speakers or categories that were ' +
        'asked for, or `RecallInput.factsOnly` was true.',
    },
    SAYS_NOTHING: {
      description:
        'It is a turn that says nothing of its own, such as "OK." or "Thanks!". Only `explainMiss` gives this reason; ' +
        '`RecallPayload.stages` gives BELOW instead.',
    },
    KNOWN_FACT: {
      description:
        'It is a known fact: given among the `facts` of the answer, if the token budget allows, and so is no hit.',
    },
    UNRELATED: {
      description:
        'It is a fact that shares no word with the query, and whose vector is not near enough to that of the query.',
    },
    QUOTA: {
      description:
        'Better memories of its kind filled the quota of that kind, or it gave its place to another kind that must appear.',
    },
    BELOW: {
      description:
        'As many memories as there may be hits score better. A hit whose kind must appear may still score lower. ' +
        '`RecallPayload.stages` also gives this reason to a turn that says nothing of its own.',
    },
    REDUNDANT: {
      description:
        'Another fact denies it, a better hit says the same, or it was forgotten during the recall.',
    },
    BUDGET: {
      description: 'It, or a memory that ranks before it, did not fit the token budget.',
    },
  } satisfies Record<Miss, { description: string }>,
});

const CandidateType = builder.objectRef<Owned<StageCandidate>>('RecallCandidate').implement({
  description: 'A memory that a stage of a recall looked at.',
  fields: (t) => ({
    kind: t.expose('kind', { type: MemoryKindEnum, description: 'Which kind of memory it is.' }),
    id: t.id({
      description: 'The `id` of the memory, for `node` or `explainMiss`.',
      resolve: ({ kind, userId, id, number }) =>
        globalIdOf(NODES[kind], userId, kind === 'SKILL' ? [id, number] : id),
    }),
    rank: t.exposeInt('rank', {
      nullable: true,
      description: 'Its rank in this stage, from 1 (the best); null in the stage CANDIDATES.',
    }),
    score: t.exposeFloat('score', {
      nullable: true,
      description:
        'Its score, comparable only within the same answer; null in the stage CANDIDATES.',
    }),
    kept: t.boolean({
      description: 'Whether the stage handed it on to the next one, or to the answer.',
      resolve: ({ miss }) => miss === null,
    }),
    reason: t.expose('miss', {
      type: MissEnum,
      nullable: true,
      description: 'Why the stage did not hand it on; null if it did.',
    }),
  }),
});

/** How many candidates of a stage are listed by default, and at most. */
const SHOWN = 20;
const MOST = 100;

export const RecallStageType = builder.objectRef<Owned<Stage>>('RecallStage').implement({
  description: 'One stage of a recall, with the memories that it looked at.',
  fields: (t) => ({
    name: t.expose('name', { type: StageNameEnum, description: 'Which stage it is.' }),
    ms: t.exposeFloat('ms', { description: 'How long it took, in milliseconds.' }),
    count: t.int({
      description:
        'How many candidates it looked at; 0 in QUESTION and SEARCH, which come before there are any.',
      resolve: ({ candidates }) => candidates().length,
    }),
    candidates: t.field({
      type: [CandidateType],
      description:
        'The candidates that it looked at, best first; in no order in the stage CANDIDATES.',
      args: {
        first: t.arg.int({
          defaultValue: SHOWN,
          description: `How many candidates to return at most, 1-${MOST}.`,
        }),
      },
      complexity: ({ first }) => ({ field: 1, multiplier: Math.max(1, first ?? SHOWN) }),
      resolve: ({ candidates, userId }, { first }) =>
        candidates()
          .slice(0, checkedCount('first', first ?? SHOWN, MOST))
          .map((candidate) => ({ ...candidate, userId })),
    }),
  }),
});
