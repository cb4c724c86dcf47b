import type { JobContext } from '../context.ts';
import type { StepOutcome } from '../domain/core/job.ts';
import { STEPS, type Step } from '../pipeline.ts';
import { captureSegments } from '../remember/episodes/capture-segments.ts';
import { compactThread } from '../remember/episodes/compact-thread.ts';
import { reviewRetrieved } from '../remember/episodes/review-retrieved.ts';
import { consolidateFacts } from '../remember/facts/consolidate-facts.ts';
import { extractFacts } from '../remember/facts/extract-facts.ts';
import { consolidate } from '../remember/knowledge/consolidate.ts';
import { synthesizeProfile } from '../remember/knowledge/synthesize-profile.ts';
import { linkThreads } from '../remember/links/link-threads.ts';
import { summarizeCrossThread } from '../remember/links/summarize-cross-thread.ts';
import { tuneWhenDue } from '../remember/links/tune-linking.ts';
import { watchLinks } from '../remember/links/watch-links.ts';
import { trimEvents } from '../remember/operations/trim-events.ts';
import { idleThread } from '../remember/threads/idle-thread.ts';
import { segmentThread } from '../remember/threads/segment-thread.ts';
import { indexTurns } from '../remember/turns/index-turns.ts';
import { buildHnsw } from '../remember/vectors/build-hnsw.ts';
import { dropVectors } from '../remember/vectors/drop-vectors.ts';
import { embedEpisodes } from '../remember/vectors/embed-episodes.ts';
import { embedFacts } from '../remember/vectors/embed-facts.ts';
import { embedTurns } from '../remember/vectors/embed-turns.ts';

type Run = (ctx: JobContext, userId: string, subject: number) => Promise<StepOutcome>;

/** The function that runs each step of the pipeline. It reads pending work from the tables and may run twice. */
export const registry: Record<Step, Run> = {
  [STEPS.indexTurns]: indexTurns,
  [STEPS.extractFacts]: extractFacts,
  [STEPS.embedTurns]: embedTurns,
  [STEPS.buildHnsw]: buildHnsw,
  [STEPS.dropVectors]: dropVectors,
  [STEPS.idleThread]: idleThread,
  [STEPS.segmentThread]: segmentThread,
  [STEPS.captureSegments]: captureSegments,
  [STEPS.compactThread]: compactThread,
  [STEPS.linkThreads]: linkThreads,
  [STEPS.summarizeCrossThread]: summarizeCrossThread,
  [STEPS.watchLinks]: watchLinks,
  [STEPS.tuneLinking]: tuneWhenDue,
  [STEPS.consolidate]: consolidate,
  [STEPS.consolidateFacts]: consolidateFacts,
  [STEPS.synthesizeProfile]: synthesizeProfile,
  [STEPS.embedEpisodes]: embedEpisodes,
  [STEPS.embedFacts]: embedFacts,
  [STEPS.reviewRetrieved]: reviewRetrieved,
  [STEPS.trimEvents]: trimEvents,
};
