// The requests beside the background pipeline (`pipeline.ts`): what each of them may report, which triggers steps.

import type { ChangeKind } from './domain/core/change.ts';

/** The requests that report changes, with those that each may report. */
export const REQUESTS = {
  remember: [
    'turnsStored',
    'outOfOrderTurnsStored',
    'threadActive',
    'turnsPending',
    'factsRecorded',
    'factsChanged',
  ],
  manageThread: ['threadActive', 'threadOver'],
  askCompaction: ['compactionRequested'],
  moveMisplaced: ['episodesDecided'],
  rateLink: ['linkRated', 'crossThreadChanged'],
  editFact: ['factsRecorded', 'factsChanged', 'sourcesForgotten'],
  consolidateNow: ['summariesWritten', 'profileOutdated', 'factsRecorded', 'factsChanged'],
  forget: [
    'turnsForgotten',
    'segmentsClosed',
    'sourcesForgotten',
    'consolidationsForgotten',
    'factsRecorded',
    'profileOutdated',
    'threadsToCompare',
    'crossThreadChanged',
  ],
  importArchive: [
    'memoryImported',
    'sourcesForgotten',
    'summariesToEmbed',
    'threadActive',
    'turnsPending',
    'threadCaptured',
    'episodesShown',
    'crossThreadChanged',
  ],
} as const satisfies Record<string, readonly ChangeKind[]>;

/** The name of a request that reports changes. */
export type RequestKey = keyof typeof REQUESTS;
