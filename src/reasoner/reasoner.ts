import { z } from 'zod';
import type { GeneratedBy, ReasonerStep } from '../domain/core/reasoning.ts';
import { RATINGS } from '../domain/episodes/forgetting.ts';
import { FACT_CATEGORIES, learnedFactSchema, storedFactSchema } from '../domain/facts/fact.ts';
import { ROLES } from '../shared/role.ts';
import { compactionSchema, descriptionSchema, index, textUpTo } from './summary-shapes.ts';

const share = z.number().min(0).max(1);

/** A turn as the reasoner reads it. */
const utteranceSchema = z.object({
  role: z.enum(ROLES),
  speaker: z.string().nullable(),
  text: z.string(),
  occurredAt: z.date(),
  toolCalls: z
    .array(z.object({ name: z.string(), ok: z.boolean(), result: z.string().nullish() }))
    .nullish(),
});
export type Utterance = z.output<typeof utteranceSchema>;

const turns = z.array(utteranceSchema).min(1);
const timeZone = z.string().nullish().describe("the person's (IANA); UTC where it is not known");

/** A segment of a thread → what it was about (requirements 5.4). */
export const describeSegmentShapes = {
  input: z.object({
    turns,
    /** How many turns before these are too many to be shown. */
    leftOut: index.default(0),
    timeZone,
  }),
  output: descriptionSchema,
};

/** A window of turns → where new topics begin (requirements 4.5, topic channel). */
export const findBoundariesShapes = {
  input: z.object({
    turns,
    /** They are all of a thread that is over: its summaries are wanted too, if it is one segment. */
    isThread: z.boolean().optional(),
    timeZone,
  }),
  output: z.object({
    boundaries: z
      .array(
        z.object({
          index: index.describe('the turn that opens a new topic'),
          confidence: share,
        }),
      )
      .describe('ascending, each index once; never 0'),
    /** What else was seen on the way: the segments that begin at 0 and at the boundaries. */
    segments: z.array(descriptionSchema.extend({ surprise: share })).default([]),
    /** The summaries of the thread; null: `compact` makes them. */
    compaction: compactionSchema.nullable().default(null),
  }),
};

export const SURPRISE_LEVELS = { LOW: 0.2, HIGH: 0.6, EXTREME: 0.9 } as const;

/** What was going on, and a segment that followed → how unexpected it was (requirements 4.6). */
const judgeSurpriseShapes = {
  input: z.object({ before: z.array(utteranceSchema), segment: turns, timeZone }),
  output: z.object({
    surprise: share.describe('0 fully expected, 0.7 a significant pivot, 1 model-breaking'),
  }),
};

const relatednessSchema = z.object({
  related: z.boolean(),
  confidence: share,
  reasoning: textUpTo(2_000),
  keySignals: z.array(textUpTo(200)).max(20),
});

/** The assessment of two threads: whether they belong together, and why. */
export type ReasonerAssessment = z.output<typeof relatednessSchema>;

/** Earlier threads and a new message → whether each and the message belong together (requirements 11.4). */
export const assessRelatednessShapes = {
  input: z.object({
    threads: z
      .array(z.object({ summary: z.string().nullable(), turns }))
      .min(1)
      .max(10),
    message: turns.describe("the new thread's first turns"),
    /** What to look at besides: names of signals from a closed list, given by tuning. */
    hints: z.array(z.string()).default([]),
    timeZone,
  }),
  output: z.object({
    assessments: z.array(relatednessSchema).describe('one for each thread, in their order'),
  }),
};

/** Turns, and what is known → facts and corrections (requirements 9). */
const extractFactsShapes = {
  input: z.object({
    turns,
    /** How many turns at the front are only context: their facts are known. */
    contextTurns: index.default(0),
    known: z.array(storedFactSchema).max(100).default([]),
    timeZone,
  }),
  output: z.object({ facts: z.array(learnedFactSchema).max(200) }),
};

/** Two statements → whether they state the same fact, perhaps with another value (requirements 9.16). */
export const sameFactShapes = {
  input: z.object({ known: z.string().min(1), candidate: z.string().min(1) }),
  output: z.object({ same: z.boolean(), confidence: share }),
};

/** A thread → its summaries at three resolutions, and what can be used again (requirements 8.2). */
export const compactShapes = {
  input: z.object({
    turns,
    openings: z
      .array(index)
      .default([])
      .describe('the turns at which its segments begin, ascending'),
    timeZone,
  }),
  output: compactionSchema,
};

/** Whose memory it is. */
const personSchema = z
  .object({ name: z.string().nullable(), timeZone: z.string() })
  .default({ name: null, timeZone: 'UTC' });
export type Person = z.output<typeof personSchema>;

/** A fact that is valid now. */
const validFactSchema = z.object({
  category: z.enum(FACT_CATEGORIES),
  key: z.string().nullable(),
  statement: z.string().min(1),
  validFrom: z.date(),
});
export type ValidFact = z.output<typeof validFactSchema>;

/** N episodes → one narrative (requirements 10.3). */
export const summarizeEpisodesShapes = {
  input: z.object({
    person: personSchema,
    facts: z.array(validFactSchema).default([]).describe('what the episodes told of the person'),
    episodes: z
      .array(
        z.object({ title: z.string().nullable(), summary: z.string().min(1), endedAt: z.date() }),
      )
      .min(1),
    existing: z.array(z.string()).default([]).describe('earlier summaries, as context'),
  }),
  output: z.object({
    summary: textUpTo(4_000).min(1).describe('the decisions and outcomes, with their dates'),
  }),
};

/** What holds of a person, and all semantic memories → how to work with this person (requirements 10.10). */
export const synthesizeProfileShapes = {
  input: z
    .object({
      person: personSchema,
      facts: z.array(validFactSchema).default([]).describe('the most important first'),
      memories: z
        .array(z.object({ summary: z.string().min(1), endedAt: z.date().nullable().default(null) }))
        .default([])
        .describe('the earliest first'),
    })
    .refine(({ facts, memories }) => facts.length + memories.length > 0, 'nothing is known'),
  output: z.object({
    communication: textUpTo(4_000).describe('how they like to be talked to'),
    technical: textUpTo(4_000).describe('tools, languages, standards'),
    workPattern: textUpTo(4_000).describe('how and when they work'),
    personalContext: textUpTo(4_000).describe('what is good to know about their life'),
    prose: textUpTo(10_000).describe(
      'all of it as one coherent text; empty if there is nothing to say',
    ),
  }),
};

/** Memories that were shown, and the talk that followed → how useful each was (requirements 7.4). */
export const rateRetrievedShapes = {
  input: z.object({ memories: z.array(z.object({ text: z.string().min(1) })).min(1), turns }),
  output: z.object({
    ratings: z
      .array(z.enum(RATINGS))
      .describe('one for each memory, in their order: not used, tangential, used, built upon'),
  }),
};

/** Every step's shapes. */
export const STEP_SCHEMAS = {
  'describe-segment': describeSegmentShapes,
  'find-boundaries': findBoundariesShapes,
  'judge-surprise': judgeSurpriseShapes,
  'assess-relatedness': assessRelatednessShapes,
  'extract-facts': extractFactsShapes,
  'same-fact': sameFactShapes,
  compact: compactShapes,
  'summarize-episodes': summarizeEpisodesShapes,
  'synthesize-profile': synthesizeProfileShapes,
  'rate-retrieved': rateRetrievedShapes,
} as const satisfies Record<ReasonerStep, { input: z.ZodType; output: z.ZodType }>;

/** What a step is asked with. */
export type StepInput<S extends ReasonerStep> = z.input<(typeof STEP_SCHEMAS)[S]['input']>;
/** The same, checked and with every default. */
export type StepArguments<S extends ReasonerStep> = z.output<(typeof STEP_SCHEMAS)[S]['input']>;
export type StepOutput<S extends ReasonerStep> = z.output<(typeof STEP_SCHEMAS)[S]['output']>;

/** For whom a step is done: a model's usage is counted by user. */
export type Call = { userId: string; signal?: AbortSignal };

type StepMethod<S extends ReasonerStep> = (
  input: StepInput<S>,
  call: Call,
) => Promise<StepOutput<S>>;

/**
 * Does the language work: one method for each step. Every method throws `InvalidReply` when what it
 * made breaks the step's output, and `ModelUnavailable` when it should simply be asked again later.
 */
export type Reasoner = {
  readonly generatedBy: GeneratedBy;
  /** A thread that is over is best read by one `findBoundaries`, however short it is: that may summarise it too. */
  readonly readsThreads: boolean;
  /** The model in use for a step, such as "gpt-5-mini", or "extractive/1". */
  modelOf(step: ReasonerStep): string;
  describeSegment: StepMethod<'describe-segment'>;
  findBoundaries: StepMethod<'find-boundaries'>;
  judgeSurprise: StepMethod<'judge-surprise'>;
  assessRelatedness: StepMethod<'assess-relatedness'>;
  extractFacts: StepMethod<'extract-facts'>;
  isSameFact: StepMethod<'same-fact'>;
  compact: StepMethod<'compact'>;
  summarizeEpisodes: StepMethod<'summarize-episodes'>;
  synthesizeProfile: StepMethod<'synthesize-profile'>;
  rateRetrieved: StepMethod<'rate-retrieved'>;
};
