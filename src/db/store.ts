import * as apiKeys from './api-keys.ts';
import * as backlog from './backlog.ts';
import * as captures from './captures.ts';
import * as claimJobs from './claim-jobs.ts';
import * as compactions from './compactions.ts';
import * as crossThreadRows from './cross-threads.ts';
import * as episodeVectors from './episode-vectors.ts';
import * as events from './events.ts';
import * as factVectors from './fact-vectors.ts';
import * as factRows from './facts.ts';
import * as forget from './forget.ts';
import * as hnsw from './hnsw.ts';
import * as indexProgress from './index-progress.ts';
import * as jobDepth from './job-depth.ts';
import * as jobRows from './jobs.ts';
import * as lateTurns from './late-turns.ts';
import * as linkCandidates from './link-candidates.ts';
import * as linkWatch from './link-watch.ts';
import * as linkingSettings from './linking-settings.ts';
import * as links from './links.ts';
import * as misplacedEpisodes from './misplaced-episodes.ts';
import * as postings from './postings.ts';
import * as profiles from './profiles.ts';
import * as readArchive from './read-archive.ts';
import * as readiness from './readiness.ts';
import * as recalled from './recalled.ts';
import * as remember from './remember.ts';
import * as reviews from './reviews.ts';
import * as scanTurns from './scan-turns.ts';
import * as search from './search.ts';
import * as searchMemories from './search-memories.ts';
import * as segments from './segments.ts';
import * as semanticMemories from './semantic-memories.ts';
import * as semanticMemoryVectors from './semantic-memory-vectors.ts';
import * as serverClock from './server-clock.ts';
import * as sessions from './session-end.ts';
import * as settings from './settings.ts';
import * as situations from './situations.ts';
import * as skillVectors from './skill-vectors.ts';
import * as steerFacts from './steer-facts.ts';
import * as tellCrossThreads from './tell-cross-threads.ts';
import * as threads from './threads.ts';
import * as toldSegments from './told-segments.ts';
import * as turnContents from './turn-contents.ts';
import * as turns from './turns.ts';
import * as unconsolidated from './unconsolidated.ts';
import * as vectorIndex from './vector-index.ts';
import * as vectors from './vectors.ts';
import * as writeArchive from './write-archive.ts';

const jobs = { ...jobRows, ...claimJobs };
const facts = { ...factRows, ...steerFacts };
const crossThreads = { ...crossThreadRows, ...tellCrossThreads };

const archive = { ...readArchive, ...writeArchive };

/** The statements, by noun. */
export const store = {
  apiKeys,
  archive,
  backlog,
  captures,
  compactions,
  crossThreads,
  episodeVectors,
  events,
  factVectors,
  facts,
  forget,
  hnsw,
  indexProgress,
  jobDepth,
  jobs,
  lateTurns,
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
  reviews,
  scanTurns,
  search,
  searchMemories,
  segments,
  semanticMemories,
  sessions,
  semanticMemoryVectors,
  serverClock,
  settings,
  situations,
  skillVectors,
  threads,
  toldSegments,
  turnContents,
  turns,
  unconsolidated,
  vectorIndex,
  vectors,
};
