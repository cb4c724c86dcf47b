import * as archiveRows from './archive/archive-rows.ts';
import * as readArchive from './archive/read-archive.ts';
import * as writeArchive from './archive/write-archive.ts';
import * as postings from './core/postings.ts';
import * as readiness from './core/readiness.ts';
import * as serverClock from './core/server-clock.ts';
import * as captureRows from './episodes/captures.ts';
import * as compactions from './episodes/compactions.ts';
import * as fading from './episodes/fading.ts';
import * as misplacedEpisodes from './episodes/misplaced-episodes.ts';
import * as reviews from './episodes/reviews.ts';
import * as saveCaptures from './episodes/save-captures.ts';
import * as unconsolidated from './episodes/unconsolidated.ts';
import * as editFacts from './facts/edit-facts.ts';
import * as factRows from './facts/facts.ts';
import * as recalled from './facts/recalled.ts';
import * as forget from './forget/forget.ts';
import * as forgetPreview from './forget/preview.ts';
import * as factVectors from './kinds/facts/nearest-facts.ts';
import * as turnVectors from './kinds/turns/turn-vectors.ts';
import * as profiles from './knowledge/profiles.ts';
import * as semanticMemoryRows from './knowledge/semantic-memories.ts';
import * as semanticMemorySources from './knowledge/semantic-memory-sources.ts';
import * as comparedTurns from './links/compared-turns.ts';
import * as crossThreadSummaries from './links/cross-thread-summaries.ts';
import * as crossThreadRows from './links/cross-threads.ts';
import * as foundCandidates from './links/link-candidates.ts';
import * as linkWatch from './links/link-watch.ts';
import * as linkingSettings from './links/linking-settings.ts';
import * as links from './links/links.ts';
import * as threadsToLink from './links/threads-to-link.ts';
import * as activity from './operations/activity.ts';
import * as apiKeys from './operations/api-keys.ts';
import * as backlog from './operations/backlog.ts';
import * as deployment from './operations/deployment.ts';
import * as downloads from './operations/downloads.ts';
import * as events from './operations/events.ts';
import * as jobDepth from './operations/job-depth.ts';
import * as jobRows from './operations/jobs.ts';
import * as leaseJobs from './operations/lease-jobs.ts';
import * as settings from './operations/settings.ts';
import * as users from './operations/users.ts';
import * as conversationState from './search/conversation-state.ts';
import * as hnsw from './search/hnsw.ts';
import * as newestTurns from './search/newest-turns.ts';
import * as scanTurns from './search/scan-turns.ts';
import * as search from './search/search.ts';
import * as searchMemories from './search/search-memories.ts';
import * as segmentSummaries from './threads/segment-summaries.ts';
import * as segments from './threads/segments.ts';
import * as sessions from './threads/session-end.ts';
import * as threads from './threads/threads.ts';
import * as threadsWithWords from './threads/threads-with-words.ts';
import * as outOfOrderTurns from './turns/out-of-order-turns.ts';
import * as placements from './turns/placements.ts';
import * as remember from './turns/remember.ts';
import * as turnContents from './turns/turn-contents.ts';
import * as turns from './turns/turns.ts';
import * as derivedVectors from './vectors/derived-vectors.ts';
import * as indexProgress from './vectors/index-progress.ts';
import * as vectorIndex from './vectors/vector-index.ts';

const jobs = { ...jobRows, ...leaseJobs };
const facts = { ...factRows, ...editFacts };
const captures = { ...captureRows, ...saveCaptures };
const semanticMemories = { ...semanticMemoryRows, ...semanticMemorySources };
const linkCandidates = { ...threadsToLink, ...foundCandidates, ...comparedTurns };
const crossThreads = { ...crossThreadRows, ...crossThreadSummaries };

const archive = { ...archiveRows, ...readArchive, ...writeArchive };

/** The statements, by noun. */
export const store = {
  activity,
  apiKeys,
  archive,
  backlog,
  captures,
  compactions,
  conversationState,
  crossThreads,
  deployment,
  downloads,
  derivedVectors,
  events,
  factVectors,
  fading,
  facts,
  forget,
  forgetPreview,
  hnsw,
  indexProgress,
  jobDepth,
  jobs,
  outOfOrderTurns,
  misplacedEpisodes,
  linkCandidates,
  linkWatch,
  linkingSettings,
  links,
  postings,
  profiles,
  readiness,
  recalled,
  remember,
  placements,
  reviews,
  scanTurns,
  newestTurns,
  search,
  searchMemories,
  segmentSummaries,
  segments,
  semanticMemories,
  sessions,
  serverClock,
  settings,
  threads,
  threadsWithWords,
  turnContents,
  turns,
  turnVectors,
  unconsolidated,
  users,
  vectorIndex,
};
