/**
 * The kinds of change in a memory, and of their subjects. Code reports a change; the pipeline decides which steps it triggers.
 */
export const CHANGES = {
  /** Turns were stored. */
  turnsStored: 'user',
  /** Turns were stored that were said before others of their thread. */
  outOfOrderTurnsStored: 'user',
  /** A thread is open: it becomes idle at the time that is reported, if no other turn comes. */
  threadActive: 'thread',
  /** A thread has turns that are in no closed segment. */
  turnsPending: 'thread',
  /** A thread became idle or was closed. */
  threadOver: 'thread',
  /** The words of turns were put into the keyword index. */
  turnsIndexed: 'user',
  /** All turns have a vector by the embedder, or were refused by it. */
  vectorsCompleted: 'user',
  /** A memory has so many turns that its vectors belong in the HNSW index. */
  memoryBecameLarge: 'user',
  /** The vectors by another embedder than before are complete and in use. */
  embedderChanged: 'user',
  /** Nobody needs the vectors by former embedders any more, from the time that is reported. */
  formerVectorsObsolete: 'user',
  /** Threads have turns by which they were not compared with earlier threads. */
  threadsToCompare: 'user',
  /** There are links whose outcome is not known. */
  linksToWatch: 'user',
  /** The step that cuts a thread into segments has failed for good: no segments of it are waited for. */
  segmentsGivenUp: 'thread',
  /** Segments were closed, or are to be captured anew. */
  segmentsClosed: 'user',
  /** No segment of a thread is to be closed now: segments that waited for its pending turns can be captured sooner. */
  segmentsChecked: 'user',
  /** All closed segments of a thread have been captured. */
  threadCaptured: 'thread',
  /** Somebody asked for the summary of a thread, whatever its state. */
  compactionRequested: 'thread',
  /** It was decided which segments are episodes, or the summary of a thread is complete. */
  episodesDecided: 'user',
  /** Summaries or skills were written, which have no vectors yet. */
  summariesWritten: 'user',
  /** Summaries came from an archive, without vectors; they wait for those of the turns. */
  summariesToEmbed: 'user',
  /** The threads of a cross-thread episode, or their texts, changed. */
  crossThreadChanged: 'episode',
  /** Episodes were shown in a thread, and can be reviewed by what was said since. */
  episodesShown: 'thread',
  /** Facts were recorded or restated that have no vectors yet. */
  factsRecorded: 'user',
  /** What is believed about facts changed: recorded, superseded, retracted, restored or pinned. */
  factsChanged: 'user',
  /** A new version of the profile is due, whatever made the last one outdated. */
  profileOutdated: 'user',
  /** The outcome of a link is known. */
  linkRated: 'user',
  /** Turns of a thread were forgotten, and others are left. */
  turnsForgotten: 'thread',
  /** A fact was forgotten with a turn that helped to understand this turn, which is read again. */
  sourcesForgotten: 'turn',
  /** Semantic memories lost episodes. */
  consolidationsForgotten: 'user',
  /** A memory was restored from an archive. */
  memoryImported: 'user',
} as const satisfies Record<string, 'user' | 'thread' | 'turn' | 'episode'>;
export type ChangeKind = keyof typeof CHANGES;
