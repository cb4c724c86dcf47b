-- The whole schema. Prisma describes the same tables in prisma/schema.prisma, where the columns are explained; what Prisma
-- cannot describe is only here: the extension, the application's role, row-level security, functions and generated columns.

-- For embeddings. Not a trusted extension everywhere: where the server's user is no superuser, somebody who is creates it
-- beforehand.
CREATE EXTENSION IF NOT EXISTS vector;

-- ROLES

-- The server sets this role and the user for every transaction.
-- Roles belong to the whole cluster, so migrations of other databases may create it meanwhile.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'mnemograph_app') THEN
    BEGIN
      CREATE ROLE mnemograph_app NOLOGIN;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN
      NULL;
    END;
  END IF;
END $$;

-- A superuser may set any role; everybody else must be a member.
DO $$
BEGIN
  IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
    BEGIN
      GRANT mnemograph_app TO CURRENT_USER;
    EXCEPTION
      WHEN unique_violation THEN
        NULL; -- granted meanwhile
      WHEN insufficient_privilege THEN
        -- Somebody else made the role: fine if they granted it, too.
        IF NOT pg_has_role(current_user, 'mnemograph_app', 'MEMBER') THEN
          RAISE;
        END IF;
    END;
  END IF;
END $$;

-- FUNCTIONS

-- How rare a term is among n documents, df of which have it: the inverse document frequency of BM25. Counts are taken at
-- different moments, so df may exceed n. The planner inlines it: it must stay a single expression, and not STRICT.
CREATE FUNCTION idf(n DOUBLE PRECISION, df DOUBLE PRECISION) RETURNS DOUBLE PRECISION
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN ln(1 + greatest(n - df + 0.5, 0.5) / (df + 0.5));

-- TYPES OF SEVERAL NOUNS

CREATE TYPE "GeneratedBy" AS ENUM ('EXTRACTIVE', 'MODEL');

-- USERS

CREATE TABLE users (
  user_id TEXT NOT NULL,
  time_zone TEXT,
  inactivity_timeout_minutes INTEGER,
  capture_settings JSONB,
  recorded_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  erase_epoch INTEGER NOT NULL DEFAULT 0,
  last_thread INTEGER NOT NULL DEFAULT 0,
  last_turn INTEGER NOT NULL DEFAULT 0,
  last_event INTEGER NOT NULL DEFAULT 0,
  last_episode INTEGER NOT NULL DEFAULT 0,
  last_fact INTEGER NOT NULL DEFAULT 0,
  last_semantic_memory INTEGER NOT NULL DEFAULT 0,
  last_profile INTEGER NOT NULL DEFAULT 0,
  last_link INTEGER NOT NULL DEFAULT 0,
  trimmed_event INTEGER NOT NULL DEFAULT 0,
  download_hash BYTEA,
  download_until TIMESTAMPTZ(3),
  turn_count INTEGER NOT NULL DEFAULT 0,
  word_count INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id)
);

CREATE TYPE "ChannelKind" AS ENUM ('EXPLICIT', 'IMPLICIT');

CREATE TABLE channel_settings (
  user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
  name TEXT NOT NULL,
  kind "ChannelKind" NOT NULL,
  inactivity_timeout_minutes INTEGER,
  PRIMARY KEY (user_id, name)
);

-- THREADS

CREATE TYPE "ThreadState" AS ENUM ('OPEN', 'IDLE', 'CLOSED');

CREATE TABLE threads (
  user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
  id INTEGER NOT NULL,
  title TEXT,
  explicit BOOLEAN NOT NULL,
  state "ThreadState" NOT NULL DEFAULT 'OPEN',
  inactivity_timeout_minutes INTEGER,
  channels TEXT[],
  turn_count INTEGER NOT NULL DEFAULT 0,
  started_at TIMESTAMPTZ(3) NOT NULL,
  last_activity_at TIMESTAMPTZ(3) NOT NULL,
  recorded_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  segmented_through INTEGER NOT NULL DEFAULT 0,
  segmentation_tried INTEGER NOT NULL DEFAULT 0,
  compacted_through INTEGER NOT NULL DEFAULT 0,
  compaction_asked INTEGER NOT NULL DEFAULT 0,
  late_turns INTEGER NOT NULL DEFAULT 0,
  imported BOOLEAN NOT NULL DEFAULT false,
  open_surprise DOUBLE PRECISION NOT NULL DEFAULT 0,
  idle_at TIMESTAMPTZ(3) NOT NULL,
  linked_turns INTEGER NOT NULL DEFAULT 0,
  cross_thread_episode_id INTEGER,
  PRIMARY KEY (user_id, id)
);
CREATE INDEX ON threads (user_id, cross_thread_episode_id);
CREATE INDEX ON threads (user_id, last_activity_at);
CREATE INDEX ON threads (user_id, linked_turns);

-- TURNS

CREATE TYPE "Role" AS ENUM ('USER', 'ASSISTANT', 'TOOL', 'SYSTEM', 'OTHER');

CREATE TABLE turns (
  user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
  id INTEGER NOT NULL,
  thread_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  role "Role" NOT NULL,
  speaker TEXT,
  channel TEXT NOT NULL,
  text TEXT NOT NULL,
  tool_calls JSONB,
  word_count INTEGER NOT NULL,
  cues SMALLINT,
  occurred_at TIMESTAMPTZ(3) NOT NULL,
  recorded_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  key_hash BYTEA,
  unread_by_rules BOOLEAN NOT NULL DEFAULT false,
  PRIMARY KEY (user_id, id),
  FOREIGN KEY (user_id, thread_id) REFERENCES threads ON DELETE CASCADE
);
CREATE UNIQUE INDEX turns_user_id_key_hash_key ON turns (user_id, key_hash);
CREATE INDEX ON turns (user_id, occurred_at);
CREATE INDEX ON turns (user_id, thread_id, number, id, word_count);
-- Long texts are kept as they are: to compress them takes longer than all else of a write, in which an embedded database
-- answers nobody, and to read a beginning would mean to unpack the whole.
ALTER TABLE turns ALTER COLUMN text SET STORAGE EXTERNAL, ALTER COLUMN tool_calls SET STORAGE EXTERNAL;

CREATE TABLE postings (
  user_id TEXT NOT NULL,
  term TEXT NOT NULL,
  turn_id INTEGER NOT NULL,
  frequency SMALLINT NOT NULL
);
CREATE INDEX ON postings (user_id, term);

CREATE TABLE turn_vectors (
  user_id TEXT NOT NULL,
  embedder TEXT NOT NULL,
  turn_id INTEGER NOT NULL,
  embedding halfvec NOT NULL,
  signs VARBIT NOT NULL,
  hnsw BOOLEAN NOT NULL DEFAULT false,
  PRIMARY KEY (user_id, turn_id, embedder),
  FOREIGN KEY (user_id, turn_id) REFERENCES turns ON DELETE CASCADE
);

CREATE TABLE index_progress (
  user_id TEXT NOT NULL,
  index_name TEXT NOT NULL,
  through INTEGER NOT NULL,
  current_since TIMESTAMPTZ(3),
  PRIMARY KEY (user_id, index_name)
);

-- So that a redelivery does not bring the words of forgotten turns back.
CREATE TABLE erased_keys (
  user_id TEXT NOT NULL,
  key_hash BYTEA NOT NULL,
  PRIMARY KEY (user_id, key_hash)
);

-- EPISODES

CREATE TYPE "EpisodeKind" AS ENUM ('PRIMARY', 'SEGMENT', 'CROSS_THREAD');
CREATE TYPE "CaptureStatus" AS ENUM ('PENDING', 'CREATED', 'MERGED', 'SKIPPED');
CREATE TYPE "PartOfDay" AS ENUM ('NIGHT', 'MORNING', 'AFTERNOON', 'EVENING');
CREATE TYPE "MemoryRating" AS ENUM ('AGAIN', 'HARD', 'GOOD', 'EASY');

CREATE TABLE episodes (
  user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
  id INTEGER NOT NULL,
  kind "EpisodeKind" NOT NULL,
  thread_id INTEGER,
  ordinal INTEGER NOT NULL,
  parent_id INTEGER,
  first_turn INTEGER NOT NULL,
  last_turn INTEGER NOT NULL,
  started_at TIMESTAMPTZ(3) NOT NULL,
  ended_at TIMESTAMPTZ(3) NOT NULL,
  recorded_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  title TEXT,
  summary TEXT,
  topic TEXT,
  approach TEXT,
  description JSONB,
  generated_by "GeneratedBy",
  model TEXT,
  date TEXT,
  week INTEGER,
  year INTEGER,
  part_of_day "PartOfDay",
  micro TEXT,
  meso TEXT,
  macro TEXT,
  compacted_at TIMESTAMPTZ(3),
  capture "CaptureStatus",
  capture_reason TEXT,
  capture_signals JSONB,
  merged_into_id INTEGER,
  theme_terms TEXT[],
  surprise DOUBLE PRECISION,
  stability DOUBLE PRECISION,
  difficulty DOUBLE PRECISION,
  last_reviewed_at TIMESTAMPTZ(3),
  consolidated_at TIMESTAMPTZ(3),
  summarized_into_id INTEGER,
  -- Made by the database from the text, as in other tables, so that the words to search change and go with it.
  -- A primary episode is not searched: its segments are.
  words tsvector GENERATED ALWAYS AS (
    CASE WHEN kind <> 'PRIMARY' THEN to_tsvector('english', coalesce(title, '') || ' ' || coalesce(summary, '')) END
  ) STORED,
  PRIMARY KEY (user_id, id),
  FOREIGN KEY (user_id, merged_into_id) REFERENCES episodes,
  FOREIGN KEY (user_id, parent_id) REFERENCES episodes,
  FOREIGN KEY (user_id, thread_id) REFERENCES threads ON DELETE CASCADE
);
CREATE INDEX ON episodes (user_id, capture, ended_at);
CREATE INDEX ON episodes (user_id, ended_at);
CREATE INDEX ON episodes (user_id, merged_into_id);
CREATE INDEX ON episodes (user_id, parent_id);
CREATE INDEX ON episodes (user_id, summarized_into_id);
CREATE UNIQUE INDEX episodes_user_id_thread_id_ordinal_key ON episodes (user_id, thread_id, ordinal);
ALTER TABLE threads ADD FOREIGN KEY (user_id, cross_thread_episode_id) REFERENCES episodes;

CREATE TABLE episode_revisions (
  user_id TEXT NOT NULL,
  episode_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  summary TEXT NOT NULL,
  recorded_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (user_id, episode_id, number),
  FOREIGN KEY (user_id, episode_id) REFERENCES episodes ON DELETE CASCADE
);

CREATE TABLE episode_vectors (
  user_id TEXT NOT NULL,
  episode_id INTEGER NOT NULL,
  embedder TEXT NOT NULL,
  embedding halfvec,
  said halfvec,
  PRIMARY KEY (user_id, episode_id, embedder),
  FOREIGN KEY (user_id, episode_id) REFERENCES episodes ON DELETE CASCADE
);

-- What was shown in a thread, and then how useful it was.
CREATE TABLE shown_episodes (
  user_id TEXT NOT NULL,
  thread_id INTEGER NOT NULL,
  episode_id INTEGER NOT NULL,
  shown_at TIMESTAMPTZ(3) NOT NULL,
  after_turn_id INTEGER NOT NULL,
  PRIMARY KEY (user_id, thread_id, episode_id),
  FOREIGN KEY (user_id, episode_id) REFERENCES episodes ON DELETE CASCADE,
  FOREIGN KEY (user_id, thread_id) REFERENCES threads ON DELETE CASCADE
);
CREATE INDEX ON shown_episodes (user_id, episode_id);

CREATE TABLE episode_reviews (
  user_id TEXT NOT NULL,
  episode_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  rating "MemoryRating" NOT NULL,
  at TIMESTAMPTZ(3) NOT NULL,
  recorded_at TIMESTAMPTZ(3) NOT NULL,
  generated_by "GeneratedBy",
  model TEXT,
  thread_id INTEGER,
  after_turn_id INTEGER,
  through_turn_id INTEGER,
  stability_before DOUBLE PRECISION NOT NULL,
  difficulty_before DOUBLE PRECISION NOT NULL,
  stability DOUBLE PRECISION NOT NULL,
  difficulty DOUBLE PRECISION NOT NULL,
  PRIMARY KEY (user_id, episode_id, number),
  FOREIGN KEY (user_id, episode_id) REFERENCES episodes ON DELETE CASCADE,
  FOREIGN KEY (user_id, thread_id) REFERENCES threads
);
CREATE INDEX ON episode_reviews (user_id, thread_id);

CREATE TABLE skills (
  user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
  episode_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  generated_by "GeneratedBy" NOT NULL,
  evidence_turns INTEGER[],
  recorded_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  words tsvector GENERATED ALWAYS AS (to_tsvector('english', name || ' ' || description)) STORED,
  PRIMARY KEY (user_id, episode_id, number),
  FOREIGN KEY (user_id, episode_id) REFERENCES episodes ON DELETE CASCADE
);

CREATE TABLE skill_vectors (
  user_id TEXT NOT NULL,
  episode_id INTEGER NOT NULL,
  skill_number INTEGER NOT NULL,
  embedder TEXT NOT NULL,
  embedding halfvec,
  PRIMARY KEY (user_id, episode_id, skill_number, embedder),
  FOREIGN KEY (user_id, episode_id, skill_number) REFERENCES skills ON DELETE CASCADE
);

-- FACTS, on two timelines: when they hold, and when we knew it

CREATE TYPE "FactCategory" AS ENUM (
  'IDENTITY', 'PREFERENCE', 'CONSTRAINT', 'INSTRUCTION', 'INTEREST', 'PERSONALITY', 'RELATIONSHIP',
  'EXPERIENCE', 'GOAL'
);
CREATE TYPE "FactPolarity" AS ENUM ('POSITIVE', 'NEGATIVE');
CREATE TYPE "FactOrigin" AS ENUM ('PATTERN', 'EXTRACTIVE', 'NOTE', 'MODEL', 'HAND');
CREATE TYPE "FactChangeKind" AS ENUM ('RECORDED', 'CLOSED', 'EXTENDED', 'RETRACTED', 'RESTORED');

CREATE TABLE facts (
  user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
  id INTEGER NOT NULL,
  category "FactCategory" NOT NULL,
  key TEXT,
  active_key TEXT,
  value TEXT NOT NULL,
  statement TEXT NOT NULL,
  polarity "FactPolarity" NOT NULL,
  scope TEXT,
  confidence DOUBLE PRECISION NOT NULL,
  importance DOUBLE PRECISION NOT NULL,
  pinned BOOLEAN NOT NULL DEFAULT false,
  origin "FactOrigin" NOT NULL,
  model TEXT,
  valid_from TIMESTAMPTZ(3) NOT NULL,
  valid_to TIMESTAMPTZ(3),
  recorded_at TIMESTAMPTZ(3) NOT NULL,
  retracted_at TIMESTAMPTZ(3),
  superseded_by_id INTEGER,
  mentions INTEGER NOT NULL DEFAULT 1,
  last_verified_at TIMESTAMPTZ(3) NOT NULL,
  last_accessed_at TIMESTAMPTZ(3),
  updated_at TIMESTAMPTZ(3) NOT NULL,
  words tsvector GENERATED ALWAYS AS (
    to_tsvector('english', statement || ' ' || translate(coalesce(key, ''), ':_', '  '))
  ) STORED,
  PRIMARY KEY (user_id, id),
  FOREIGN KEY (user_id, superseded_by_id) REFERENCES facts
);
CREATE UNIQUE INDEX facts_user_id_category_active_key_key ON facts (user_id, category, active_key);
CREATE INDEX ON facts (user_id, key, valid_from);
CREATE INDEX ON facts (user_id, superseded_by_id);

CREATE TABLE fact_versions (
  user_id TEXT NOT NULL,
  fact_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  change "FactChangeKind" NOT NULL,
  valid_from TIMESTAMPTZ(3),
  valid_to TIMESTAMPTZ(3),
  recorded_at TIMESTAMPTZ(3) NOT NULL,
  superseded_at TIMESTAMPTZ(3),
  PRIMARY KEY (user_id, fact_id, number),
  FOREIGN KEY (user_id, fact_id) REFERENCES facts ON DELETE CASCADE
);

-- What each turn says of a fact in its own words, so that another can tell it when one is forgotten.
CREATE TABLE fact_sources (
  user_id TEXT NOT NULL,
  fact_id INTEGER NOT NULL,
  turn_id INTEGER NOT NULL,
  key TEXT,
  value TEXT,
  statement TEXT,
  scope TEXT,
  confidence DOUBLE PRECISION,
  importance DOUBLE PRECISION,
  origin "FactOrigin",
  model TEXT,
  PRIMARY KEY (user_id, fact_id, turn_id),
  FOREIGN KEY (user_id, fact_id) REFERENCES facts ON DELETE CASCADE,
  FOREIGN KEY (user_id, turn_id) REFERENCES turns ON DELETE CASCADE
);
CREATE INDEX ON fact_sources (user_id, turn_id);

CREATE TABLE fact_refusals (
  user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
  turn_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  category "FactCategory" NOT NULL,
  key TEXT,
  value TEXT NOT NULL,
  statement TEXT NOT NULL,
  polarity "FactPolarity" NOT NULL,
  confidence DOUBLE PRECISION NOT NULL,
  importance DOUBLE PRECISION NOT NULL,
  reason TEXT NOT NULL,
  by_fact_id INTEGER,
  at TIMESTAMPTZ(3) NOT NULL,
  recorded_at TIMESTAMPTZ(3) NOT NULL,
  PRIMARY KEY (user_id, turn_id, number),
  FOREIGN KEY (user_id, turn_id) REFERENCES turns ON DELETE CASCADE
);

CREATE TABLE fact_vectors (
  user_id TEXT NOT NULL,
  fact_id INTEGER NOT NULL,
  embedder TEXT NOT NULL,
  embedding halfvec,
  PRIMARY KEY (user_id, fact_id, embedder),
  FOREIGN KEY (user_id, fact_id) REFERENCES facts ON DELETE CASCADE
);

-- KNOWLEDGE: what several episodes come to

CREATE TABLE semantic_memories (
  user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
  id INTEGER NOT NULL,
  summary TEXT,
  generated_by "GeneratedBy" NOT NULL,
  model TEXT NOT NULL,
  context_ids INTEGER[],
  started_at TIMESTAMPTZ(3) NOT NULL,
  ended_at TIMESTAMPTZ(3) NOT NULL,
  episode_count INTEGER NOT NULL,
  turn_count INTEGER NOT NULL,
  recorded_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  stale_at TIMESTAMPTZ(3),
  words tsvector GENERATED ALWAYS AS (to_tsvector('english', coalesce(summary, ''))) STORED,
  PRIMARY KEY (user_id, id)
);
CREATE INDEX ON semantic_memories (user_id, ended_at);
ALTER TABLE episodes ADD FOREIGN KEY (user_id, summarized_into_id) REFERENCES semantic_memories;

CREATE TABLE semantic_memory_vectors (
  user_id TEXT NOT NULL,
  semantic_memory_id INTEGER NOT NULL,
  embedder TEXT NOT NULL,
  embedding halfvec,
  PRIMARY KEY (user_id, semantic_memory_id, embedder),
  FOREIGN KEY (user_id, semantic_memory_id) REFERENCES semantic_memories ON DELETE CASCADE
);

CREATE TABLE profiles (
  user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
  version INTEGER NOT NULL,
  communication TEXT NOT NULL,
  technical TEXT NOT NULL,
  work_pattern TEXT NOT NULL,
  personal_context TEXT NOT NULL,
  prose TEXT NOT NULL,
  source_semantic_ids INTEGER[],
  source_fact_ids INTEGER[] DEFAULT ARRAY[]::INTEGER[],
  generated_by "GeneratedBy" NOT NULL,
  model TEXT NOT NULL,
  recorded_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  stale_at TIMESTAMPTZ(3),
  PRIMARY KEY (user_id, version)
);

-- LINKS between threads

CREATE TYPE "LinkVerdict" AS ENUM ('LINK', 'DONT_LINK');
CREATE TYPE "LinkCertainty" AS ENUM ('HIGH', 'UNCERTAIN');
CREATE TYPE "LinkOutcome" AS ENUM ('UNKNOWN', 'CORRECT', 'INCORRECT');
CREATE TYPE "LinkSign" AS ENUM (
  'RATED', 'CONTINUED', 'DENIED', 'SWITCHED_TOPIC', 'ASKED_BACK', 'STARTED_AFRESH', 'NEW_TOPIC'
);
CREATE TYPE "TuningKind" AS ENUM ('TUNED', 'ROLLED_BACK');

CREATE TABLE links (
  user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
  id INTEGER NOT NULL,
  thread_id INTEGER NOT NULL,
  earlier_thread_id INTEGER NOT NULL,
  turns INTEGER NOT NULL,
  keyword DOUBLE PRECISION,
  entity DOUBLE PRECISION,
  topic DOUBLE PRECISION,
  recency DOUBLE PRECISION,
  algorithmic_score DOUBLE PRECISION NOT NULL,
  algorithmic_related BOOLEAN NOT NULL,
  algorithmic_confidence DOUBLE PRECISION NOT NULL,
  reasoner_related BOOLEAN NOT NULL,
  reasoner_confidence DOUBLE PRECISION NOT NULL,
  reasoning TEXT,
  key_signals TEXT[],
  generated_by "GeneratedBy" NOT NULL,
  model TEXT NOT NULL,
  threshold DOUBLE PRECISION NOT NULL,
  weights JSONB NOT NULL,
  verdict "LinkVerdict" NOT NULL,
  certainty "LinkCertainty" NOT NULL,
  fused_score DOUBLE PRECISION NOT NULL,
  joins BOOLEAN NOT NULL,
  outcome "LinkOutcome" NOT NULL DEFAULT 'UNKNOWN',
  sign "LinkSign",
  rated_at TIMESTAMPTZ(3),
  watched_through INTEGER,
  decided_at TIMESTAMPTZ(3) NOT NULL,
  -- A decision that came with an archive says nothing about the deployment.
  imported BOOLEAN NOT NULL DEFAULT false,
  PRIMARY KEY (user_id, id),
  FOREIGN KEY (user_id, earlier_thread_id) REFERENCES threads ON DELETE CASCADE,
  FOREIGN KEY (user_id, thread_id) REFERENCES threads ON DELETE CASCADE
);
CREATE INDEX ON links (rated_at);
CREATE INDEX ON links (user_id, earlier_thread_id);
CREATE INDEX ON links (user_id, rated_at);
CREATE UNIQUE INDEX links_user_id_thread_id_earlier_thread_id_key ON links (user_id, thread_id, earlier_thread_id);
CREATE INDEX ON links (user_id, watched_through);

CREATE TABLE linking_settings (
  user_id TEXT NOT NULL,
  threshold DOUBLE PRECISION NOT NULL,
  weights JSONB NOT NULL,
  hints TEXT[],
  updated_at TIMESTAMPTZ(3) NOT NULL,
  PRIMARY KEY (user_id)
);

CREATE TABLE tuning_runs (
  user_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  kind "TuningKind" NOT NULL,
  kept BOOLEAN NOT NULL,
  reason TEXT NOT NULL,
  decisions INTEGER NOT NULL,
  previous JSONB NOT NULL,
  next JSONB NOT NULL,
  metrics JSONB NOT NULL,
  thresholds JSONB NOT NULL,
  disagreements JSONB NOT NULL,
  at TIMESTAMPTZ(3) NOT NULL,
  PRIMARY KEY (user_id, number)
);

-- OPERATIONS

CREATE TYPE "EventKind" AS ENUM (
  'THREAD_OPENED', 'TURNS_REMEMBERED', 'THREAD_REOPENED', 'THREAD_IDLED', 'THREAD_CLOSED', 'SEGMENT_CLOSED',
  'EPISODE_CREATED', 'EPISODE_MERGED', 'EPISODE_SKIPPED', 'EPISODE_REVISED', 'THREAD_COMPACTED',
  'EPISODES_CONSOLIDATED', 'SEMANTIC_MEMORY_FORMED', 'SEMANTIC_MEMORY_REBUILT', 'PROFILE_REVISED',
  'MEMORY_REVIEWED', 'TURNS_EMBEDDED', 'TURN_UNREAD', 'VECTORS_DROPPED', 'JOB_DIED', 'MEMORY_FORGOTTEN',
  'MEMORY_EXPORTED', 'MEMORY_IMPORTED', 'LINK_DECIDED', 'LINK_RATED', 'CROSS_THREAD_CREATED',
  'CROSS_THREAD_EXTENDED', 'CROSS_THREAD_MERGED', 'CROSS_THREAD_REDUCED', 'CROSS_THREAD_SUMMARIZED',
  'LINKING_TUNED', 'FACT_RECORDED', 'FACT_SUPERSEDED', 'FACT_REFUSED', 'FACT_RETRACTED', 'FACT_RESTORED'
);

CREATE TABLE memory_events (
  user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
  number INTEGER NOT NULL,
  kind "EventKind" NOT NULL,
  at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  thread_id INTEGER,
  episode_id INTEGER,
  fact_id INTEGER,
  first_turn_id INTEGER,
  last_turn_id INTEGER,
  decision TEXT NOT NULL,
  details JSONB,
  PRIMARY KEY (user_id, number)
);

CREATE TABLE jobs (
  user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
  step TEXT NOT NULL,
  subject INTEGER NOT NULL DEFAULT 0,
  run_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  triggers INTEGER NOT NULL DEFAULT 1,
  attempts INTEGER NOT NULL DEFAULT 0,
  last_error TEXT,
  locked_by TEXT,
  locked_until TIMESTAMPTZ(3),
  parked_at TIMESTAMPTZ(3),
  dead_at TIMESTAMPTZ(3),
  -- What first triggered a step, so that its trace goes on in the background. Transactions set it while tracing is on.
  traceparent TEXT DEFAULT nullif(current_setting('mnemograph.traceparent', true), ''),
  -- The lanes are those of src/domain/core/job.ts.
  lane TEXT GENERATED ALWAYS AS (CASE
    WHEN step IN ('index-turns', 'idle-thread', 'watch-links', 'tune-linking', 'trim-events', 'drop-vectors') THEN 'rows'
    WHEN step IN ('embed-turns', 'embed-episodes', 'embed-facts', 'build-hnsw') THEN 'vectors'
    WHEN step IN ('extract-facts', 'consolidate-facts') THEN 'facts'
    ELSE 'language' END) STORED,
  -- Whose turn it is among the jobs that are due. They get a place in the line of their lane when a worker first
  -- sees them and cannot lease them: each user's own behind one another, so that the users come one after another.
  place BIGINT,
  PRIMARY KEY (user_id, step, subject)
);
-- Only what waits for a worker has a place, and only what can be claimed is due.
CREATE INDEX jobs_due_idx ON jobs (lane, run_at) WHERE place IS NULL AND dead_at IS NULL;
CREATE INDEX jobs_line_idx ON jobs (lane, place, run_at) WHERE place IS NOT NULL;
CREATE INDEX jobs_own_line_idx ON jobs (lane, user_id, place) WHERE place IS NOT NULL;
CREATE INDEX ON jobs (run_at);

CREATE TABLE model_usage (
  user_id TEXT NOT NULL,
  day DATE NOT NULL,
  step TEXT NOT NULL,
  model TEXT NOT NULL,
  calls INTEGER NOT NULL,
  prompt_tokens BIGINT NOT NULL,
  cached_tokens BIGINT NOT NULL,
  completion_tokens BIGINT NOT NULL,
  PRIMARY KEY (user_id, day, step, model)
);

CREATE TYPE "ApiKeyAccess" AS ENUM ('READ', 'WRITE', 'ALL');

CREATE TABLE api_keys (
  id UUID NOT NULL,
  name TEXT NOT NULL,
  hash BYTEA NOT NULL,
  acts_for TEXT,
  access "ApiKeyAccess" NOT NULL DEFAULT 'ALL',
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  revoked_at TIMESTAMPTZ(3),
  previous_hash BYTEA,
  previous_until TIMESTAMPTZ(3),
  last_used_at TIMESTAMPTZ(3),
  PRIMARY KEY (id)
);
CREATE UNIQUE INDEX api_keys_hash_key ON api_keys (hash);
CREATE UNIQUE INDEX api_keys_previous_hash_key ON api_keys (previous_hash);

-- When a server last looked at its clock: one that went back while no server ran is noticed.
CREATE TABLE server_clock (
  id INTEGER NOT NULL DEFAULT 1 CHECK (id = 1),
  seen_at TIMESTAMPTZ(3) NOT NULL,
  PRIMARY KEY (id)
);

-- ROW-LEVEL SECURITY

-- The second wall. Every table with a user_id belongs to its user. Without a user set nothing is seen or written.
-- No subquery: Citus refuses one in a policy. Where a statement names its user, too, the planner compares the two once.
-- One plan of a statement is used for all users, so it is made for one with a hundred rows in each table. For the average
-- user, who may have one, a plan that compares each row of a user with each other row of theirs would seem as good.
DO $$
DECLARE
  owned regclass;
BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO mnemograph_app', current_schema());
  FOR owned IN
    SELECT attrelid FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
      AND attname = 'user_id' AND NOT attisdropped
  LOOP
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO mnemograph_app', owned);
    EXECUTE format('ALTER TABLE %s ALTER user_id SET (n_distinct = -0.01)', owned);
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', owned);
    EXECUTE format(
      'CREATE POLICY own_user ON %s
         USING (user_id = current_setting(''mnemograph.user_id'', true))
         WITH CHECK (user_id = current_setting(''mnemograph.user_id'', true))', owned);
  END LOOP;
END $$;
