// The background pipeline: every step in the order of the data, and what wakes it. A job says "look", not "do": each step
// reads from the rows what is pending. `jobs/registry.ts` says which function runs a step; the diagram in
// docs/architecture.md is made of this table.

import type { ChangeKind } from './domain/core/change.ts';

/** Workers of their own for each lane: a slow model holds up neither the keyword index nor the steps that only move rows. */
export const LANES = ['rows', 'vectors', 'facts', 'language'] as const;
export type Lane = (typeof LANES)[number];

/**
 * When a step looks that a change wakes: at once; after the step's debounce, so that changes that come close together are
 * worked on together; or at once where it was to look later anyway, and else not at all.
 */
type Wake = 'now' | 'debounced' | 'if waiting';

type StepDeclaration = {
  /** Under which it is stored. */
  name: string;
  lane: Lane;
  /** What its number names; left out where it looks at all of a user (0). */
  subject?: 'thread' | 'turn' | 'episode';
  /** Milliseconds that it waits for more of the same. */
  debounce?: number;
  /** It has nothing to do where there is no embedder. */
  needsEmbedder?: boolean;
  /** What it reads as pending. */
  reads: string;
  wokenBy: Partial<Record<ChangeKind, Wake>>;
  /** What it may say has changed. */
  changes?: readonly ChangeKind[];
};

const pipeline = {
  indexTurns: {
    name: 'index-turns',
    lane: 'rows',
    debounce: 500,
    reads: 'turns behind the keyword index',
    wokenBy: { turnsStored: 'debounced', memoryImported: 'now' },
    changes: ['turnsIndexed', 'threadsToCompare', 'linksToWatch'],
  },
  extractFacts: {
    name: 'extract-facts',
    lane: 'facts',
    subject: 'turn',
    debounce: 300,
    reads: "users' turns that no facts were read from; or one turn, again",
    wokenBy: {
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
    wokenBy: { turnsIndexed: 'debounced' },
    changes: [
      'threadsToCompare',
      'linksToWatch',
      'memoryOutgrew',
      'vectorsCompleted',
      'embedderChanged',
      'formerVectorsKept',
    ],
  },
  buildHnsw: {
    name: 'build-hnsw',
    lane: 'vectors',
    needsEmbedder: true,
    reads: 'vectors of a large memory that are not in the HNSW index',
    wokenBy: { memoryOutgrew: 'now' },
  },
  dropVectors: {
    name: 'drop-vectors',
    lane: 'rows',
    needsEmbedder: true,
    reads: 'vectors by former embedders',
    wokenBy: { formerVectorsKept: 'now' },
  },
  idleThread: {
    name: 'idle-thread',
    lane: 'rows',
    subject: 'thread',
    debounce: 10_000,
    reads: 'an open thread that was silent for its timeout',
    wokenBy: { threadActive: 'debounced' },
    changes: ['threadOver', 'threadsToCompare', 'linksToWatch'],
  },
  segmentThread: {
    name: 'segment-thread',
    lane: 'language',
    subject: 'thread',
    debounce: 3_000,
    reads: 'turns of a thread that are in no closed segment',
    wokenBy: { turnsPending: 'debounced', threadOver: 'debounced' },
    changes: [
      'segmentsClosed',
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
    reads: 'closed segments that nothing was decided about',
    wokenBy: {
      segmentsClosed: 'now',
      segmentsChecked: 'if waiting',
      lateTurnsStored: 'debounced',
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
    wokenBy: { threadCaptured: 'now', compactionAsked: 'now', turnsForgotten: 'now' },
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
    wokenBy: { threadsToCompare: 'now' },
    changes: ['compactionAsked', 'crossThreadChanged'],
  },
  summarizeCrossThread: {
    name: 'summarize-cross-thread',
    lane: 'language',
    subject: 'episode',
    reads: 'a cross-thread episode whose threads or texts changed',
    wokenBy: { crossThreadChanged: 'now' },
    changes: ['summariesWritten'],
  },
  watchLinks: {
    name: 'watch-links',
    lane: 'rows',
    reads: 'decisions about links whose outcome is not known',
    wokenBy: { linksToWatch: 'now' },
    changes: ['linkRated', 'crossThreadChanged'],
  },
  tuneLinking: {
    name: 'tune-linking',
    lane: 'rows',
    reads: 'rated decisions about links since the last tuning',
    wokenBy: { linkRated: 'now', memoryImported: 'now' },
  },
  consolidate: {
    name: 'consolidate',
    lane: 'language',
    debounce: 2_000,
    reads: 'episodes that are in no semantic memory, and stale memories',
    wokenBy: {
      episodesDecided: 'debounced',
      consolidationsForgotten: 'now',
      memoryImported: 'now',
    },
    changes: ['summariesWritten', 'factsChanged'],
  },
  consolidateFacts: {
    name: 'consolidate-facts',
    lane: 'facts',
    debounce: 2_000,
    reads: 'episodes that no facts were read from as a whole',
    wokenBy: { episodesDecided: 'debounced', memoryImported: 'now' },
    changes: ['factsRecorded', 'factsChanged'],
  },
  synthesizeProfile: {
    name: 'synthesize-profile',
    lane: 'language',
    debounce: 2_000,
    reads: 'facts and semantic memories that the profile does not tell',
    wokenBy: { factsChanged: 'debounced' },
  },
  embedEpisodes: {
    name: 'embed-episodes',
    lane: 'vectors',
    debounce: 2_000,
    needsEmbedder: true,
    reads: 'summaries and skills without a vector by the embedder',
    wokenBy: {
      summariesWritten: 'debounced',
      summariesToEmbed: 'now',
      vectorsCompleted: 'if waiting',
      embedderChanged: 'now',
    },
  },
  embedFacts: {
    name: 'embed-facts',
    lane: 'vectors',
    needsEmbedder: true,
    reads: 'facts without a vector by the embedder',
    wokenBy: { factsRecorded: 'now', embedderChanged: 'now', memoryImported: 'now' },
  },
  reviewRetrieved: {
    name: 'review-retrieved',
    lane: 'language',
    subject: 'thread',
    reads: 'episodes shown in a thread that the talk behind them has not reviewed',
    wokenBy: { episodesShown: 'now' },
  },
  trimEvents: {
    name: 'trim-events',
    lane: 'rows',
    reads: 'events that are past their retention',
    wokenBy: { threadOver: 'now', memoryImported: 'now' },
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
