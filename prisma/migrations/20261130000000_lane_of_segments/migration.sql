-- An import has a job for each of its threads to be cut into segments. In one line with them, captures and summaries would wait until all
-- threads are cut. The indexes of the column go with it, and come back. One statement, as Citus wants it.
DO $$
BEGIN
  ALTER TABLE jobs DROP COLUMN lane;
  ALTER TABLE jobs ADD COLUMN lane TEXT GENERATED ALWAYS AS (CASE
    WHEN step IN ('index-turns', 'idle-thread', 'watch-links', 'tune-linking', 'trim-events', 'drop-vectors') THEN 'rows'
    WHEN step IN ('embed-turns', 'embed-episodes', 'embed-facts', 'build-hnsw') THEN 'vectors'
    WHEN step IN ('extract-facts', 'consolidate-facts') THEN 'facts'
    WHEN step = 'segment-thread' THEN 'segments'
    ELSE 'language' END) STORED;
  CREATE INDEX jobs_due_idx ON jobs (lane, run_at) WHERE place IS NULL AND dead_at IS NULL;
  CREATE INDEX jobs_line_idx ON jobs (lane, place, run_at) WHERE place IS NOT NULL;
  CREATE INDEX jobs_own_line_idx ON jobs (lane, user_id, place) WHERE place IS NOT NULL;
END $$;
