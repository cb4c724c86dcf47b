import type { Context } from '../context.ts';
import type { Step, StepOutcome } from '../domain/job.ts';
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

/** What each wake-up runs. A step reads from the rows what there is to do, and may run twice. */
export const registry: Record<
  Step,
  (ctx: Context, userId: string, subject: number) => Promise<StepOutcome>
> = {
  'index-turns': indexTurns,
  'embed-turns': embedTurns,
  'embed-episodes': embedEpisodes,
  'embed-facts': embedFacts,
  'build-hnsw': buildHnsw,
  'extract-facts': extractFacts,
  'idle-thread': idleThread,
  'segment-thread': segmentThread,
  'capture-segments': captureSegments,
  'compact-thread': compactThread,
  'link-threads': linkThreads,
  'tell-cross-thread': tellCrossThread,
  'watch-links': watchLinks,
  'tune-linking': tuneWhenDue,
  consolidate,
  'consolidate-facts': consolidateFacts,
  'synthesize-profile': synthesizeProfile,
  'review-retrieved': reviewRetrieved,
  'trim-events': trimEvents,
  'drop-vectors': dropVectors,
};
