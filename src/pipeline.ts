// The background pipeline: every step in the order of the data, and the changes that trigger it. A job names work to look for;
// the step reads from the tables what is to be done. `jobs/registry.ts` says which function runs a step; the diagram in
// docs/architecture.md is generated from this table.

import type { ChangeKind } from './domain/core/change.ts';

/**
 * Each lane has workers of its own, so a slow model delays neither the keyword index nor the steps that only move rows. Segments have one
 * because of imports: what is cut already is captured, summarised and linked while other threads wait to be cut.
 */
export const LANES = ['rows', 'vectors', 'facts', 'segments', 'language'] as const;
export type Lane = (typeof LANES)[number];

/** The lanes whose steps read what was said, by the built-in rules or a model. */
export const LANGUAGE_LANES: ReadonlySet<Lane> = new Set<Lane>(['facts', 'segments', 'language']);

/**
 * When a change triggers a step: at once; after the step's debounce, so that one job handles changes that follow each other
 * closely; or at once if its job is stored already, and otherwise not at all.
 */
type TriggerTiming = 'now' | 'debounced' | 'if waiting';

type StepDeclaration = {
  /** The name under which its jobs are stored. */
  name: string;
  /** The database works it out of the name, too (`jobs.lane`): a new step in another lane than `language` needs a migration. */
  lane: Lane;
  /** The kind of subject that its jobs have; omitted if it looks at the whole user (subject 0). */
  subject?: 'thread' | 'turn' | 'episode';
  /** Milliseconds that a job waits for more changes of the same kind. */
  debounce?: number;
  /** Its jobs are stored only if there is an embedder. */
  needsEmbedder?: boolean;
  /** The pending work that it reads. */
  reads: string;
  triggeredBy: Partial<Record<ChangeKind, TriggerTiming>>;
  /** The changes that it may report. */
  changes?: readonly ChangeKind[];
};

/** What is embedded when the turns have their vectors: after an import, or by another embedder. */
const AFTER_TURNS = { vectorsCompleted: 'if waiting', embedderChanged: 'now' } as const;

/** What lets a summary be written. One that is waited for, of an open thread, comes sooner when the thread is over. */
const CUT = { threadCaptured: 'now', segmentsGivenUp: 'now', threadOver: 'if waiting' } as const;

const pipeline = {
  indexTurns: {
    name: 'index-turns',
    lane: 'rows',
    debounce: 500,
    reads: 'turns that are not in the keyword index',
    triggeredBy: { turnsStored: 'debounced', memoryImported: 'now' },
    changes: ['turnsIndexed', 'threadsToCompare', 'linksToWatch'],
  },
  extractFacts: {
    name: 'extract-facts',
    lane: 'facts',
    subject: 'turn',
    debounce: 300,
    reads: "users' turns that no facts were extracted from; or one turn, again",
    triggeredBy: {
      turnsStored: 'debounced',
      threadOver: 'now',
      sourcesForgotten: 'now',
      memoryImported: 'now',
    },
    changes: ['factsRecorded', 'factsChanged'],
  },
  embedTurns: {
    name: 'embed-turns',
    lane: 'vectors',
    debounce: 2_000,
    needsEmbedder: true,
    reads: 'turns without a vector by the embedder',
    triggeredBy: { turnsIndexed: 'debounced' },
    changes: [
      'threadsToCompare',
      'linksToWatch',
      'memoryBecameLarge',
      'vectorsCompleted',
      'embedderChanged',
      'formerVectorsObsolete',
    ],
  },
  buildHnsw: {
    name: 'build-hnsw',
    lane: 'vectors',
    needsEmbedder: true,
    reads: 'vectors of a large memory that are not in the HNSW index',
    triggeredBy: { memoryBecameLarge: 'now' },
  },
  dropVectors: {
    name: 'drop-vectors',
    lane: 'rows',
    needsEmbedder: true,
    reads: 'vectors by former embedders',
    triggeredBy: { formerVectorsObsolete: 'now' },
  },
  idleThread: {
    name: 'idle-thread',
    lane: 'rows',
    subject: 'thread',
    debounce: 10_000,
    reads: 'an open thread that was silent for its timeout',
    triggeredBy: { threadActive: 'debounced' },
    changes: ['threadOver', 'threadsToCompare', 'linksToWatch'],
  },
  segmentThread: {
    name: 'segment-thread',
    lane: 'segments',
    subject: 'thread',
    debounce: 3_000,
    reads: 'turns of a thread that are in no closed segment',
    triggeredBy: { turnsPending: 'debounced', threadOver: 'debounced' },
    changes: [
      'segmentsClosed',
      'segmentsGivenUp',
      'segmentsChecked',
      'threadCaptured',
      'summariesWritten',
      'episodesDecided',
      'episodesShown',
      'crossThreadChanged',
      'threadsToCompare',
      'linksToWatch',
    ],
  },
  captureSegments: {
    name: 'capture-segments',
    lane: 'language',
    reads: 'closed segments that are not captured',
    triggeredBy: {
      segmentsClosed: 'now',
      segmentsChecked: 'if waiting',
      outOfOrderTurnsStored: 'debounced',
      turnsForgotten: 'now',
      memoryImported: 'now',
    },
    changes: ['episodesDecided', 'threadCaptured'],
  },
  compactThread: {
    name: 'compact-thread',
    lane: 'language',
    subject: 'thread',
    reads: 'turns of a thread that are in none of its summaries',
    triggeredBy: { ...CUT, compactionRequested: 'now', turnsForgotten: 'now' },
    changes: [
      'summariesWritten',
      'episodesDecided',
      'crossThreadChanged',
      'threadsToCompare',
      'linksToWatch',
    ],
  },
  linkThreads: {
    name: 'link-threads',
    lane: 'language',
    reads: 'threads that were not compared with earlier ones',
    triggeredBy: { threadsToCompare: 'now' },
    changes: ['compactionRequested', 'crossThreadChanged', 'linksToWatch'],
  },
  summarizeCrossThread: {
    name: 'summarize-cross-thread',
    lane: 'language',
    subject: 'episode',
    debounce: 2_000,
    reads: 'a cross-thread episode whose threads or texts changed',
    triggeredBy: { crossThreadChanged: 'debounced' },
    changes: ['summariesWritten'],
  },
  watchLinks: {
    name: 'watch-links',
    lane: 'rows',
    reads: 'links whose outcome is not known',
    triggeredBy: { linksToWatch: 'now' },
    changes: ['linkRated', 'crossThreadChanged'],
  },
  tuneLinking: {
    name: 'tune-linking',
    lane: 'rows',
    reads: 'links rated since the last tuning',
    triggeredBy: { linkRated: 'now', memoryImported: 'now' },
  },
  consolidate: {
    name: 'consolidate',
    lane: 'language',
    debounce: 2_000,
    reads: 'episodes that are in no semantic memory, and stale memories',
    triggeredBy: {
      episodesDecided: 'debounced',
      consolidationsForgotten: 'now',
      memoryImported: 'now',
    },
    changes: ['summariesWritten', 'profileOutdated'],
  },
  consolidateFacts: {
    name: 'consolidate-facts',
    lane: 'facts',
    debounce: 2_000,
    reads: 'episodes that no facts were consolidated from',
    triggeredBy: { episodesDecided: 'debounced', memoryImported: 'now' },
    changes: ['factsRecorded', 'factsChanged'],
  },
  synthesizeProfile: {
    name: 'synthesize-profile',
    lane: 'language',
    debounce: 2_000,
    reads: 'facts and semantic memories that are not in the profile, or no longer valid',
    triggeredBy: {
      factsChanged: 'debounced',
      profileOutdated: 'debounced',
      memoryImported: 'debounced',
    },
  },
  embedEpisodes: {
    name: 'embed-episodes',
    lane: 'vectors',
    debounce: 2_000,
    needsEmbedder: true,
    reads: 'summaries and skills without a vector by the embedder',
    triggeredBy: { summariesWritten: 'debounced', summariesToEmbed: 'now', ...AFTER_TURNS },
  },
  embedFacts: {
    name: 'embed-facts',
    lane: 'vectors',
    needsEmbedder: true,
    reads: 'facts without a vector by the embedder',
    triggeredBy: { factsRecorded: 'now', memoryImported: 'now', ...AFTER_TURNS },
  },
  reviewRetrieved: {
    name: 'review-retrieved',
    lane: 'language',
    subject: 'thread',
    reads: 'impressions of a thread that are not reviewed',
    triggeredBy: { episodesShown: 'now' },
  },
  trimEvents: {
    name: 'trim-events',
    lane: 'rows',
    reads: 'events that are past their retention',
    triggeredBy: { threadOver: 'now', memoryImported: 'now' },
  },
} as const satisfies Record<string, StepDeclaration>;

/** The key of a step in code: the name of its function. */
export type StepKey = keyof typeof pipeline;
/** The name of a step, as it is stored. */
export type Step = (typeof pipeline)[StepKey]['name'];

export const PIPELINE: Readonly<Record<StepKey, StepDeclaration & { name: Step }>> = pipeline;

/** The names of the steps by their keys. */
export const STEPS = Object.fromEntries(
  Object.entries(pipeline).map(([key, { name }]) => [key, name]),
) as { readonly [Key in StepKey]: (typeof pipeline)[Key]['name'] };
