import type { Context } from '../context.ts';
import type { StepOutcome } from '../domain/job.ts';
import { STEPS, type Step } from '../pipeline.ts';
import { buildHnsw } from '../remember/build-hnsw.ts';
import { captureSegments } from '../remember/capture-segments.ts';
import { compactThread } from '../remember/compact-thread.ts';
import { consolidate } from '../remember/consolidate.ts';
import { consolidateFacts } from '../remember/consolidate-facts.ts';
import { dropVectors } from '../remember/drop-vectors.ts';
import { embedEpisodes } from '../remember/embed-episodes.ts';
import { embedFacts } from '../remember/embed-facts.ts';
import { embedTurns } from '../remember/embed-turns.ts';
import { extractFacts } from '../remember/extract-facts.ts';
import { idleThread } from '../remember/idle-thread.ts';
import { indexTurns } from '../remember/index-turns.ts';
import { linkThreads } from '../remember/link-threads.ts';
import { reviewRetrieved } from '../remember/review-retrieved.ts';
import { segmentThread } from '../remember/segment-thread.ts';
import { synthesizeProfile } from '../remember/synthesize-profile.ts';
import { tellCrossThread } from '../remember/tell-cross-thread.ts';
import { trimEvents } from '../remember/trim-events.ts';
import { tuneWhenDue } from '../remember/tune-linking.ts';
import { watchLinks } from '../remember/watch-links.ts';

type Run = (ctx: Context, userId: string, subject: number) => Promise<StepOutcome>;

/** The function of each step of the pipeline. It reads from the rows what there is to do, and may run twice. */
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
  [STEPS.tellCrossThread]: tellCrossThread,
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
