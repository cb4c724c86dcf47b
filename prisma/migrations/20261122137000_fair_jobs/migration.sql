-- Whose turn it is among the wake-ups that are due. They get a place in the line of their lane when a worker first sees
-- them and cannot take them: each user's own behind one another, so that the users come one after another.
-- The lanes are those of src/domain/core/job.ts.
ALTER TABLE "jobs"
  ADD COLUMN "lane" TEXT GENERATED ALWAYS AS (CASE
    WHEN "step" IN ('index-turns', 'idle-thread', 'watch-links', 'tune-linking', 'trim-events', 'drop-vectors') THEN 'rows'
    WHEN "step" IN ('embed-turns', 'embed-episodes', 'embed-facts', 'build-hnsw') THEN 'vectors'
    WHEN "step" IN ('extract-facts', 'consolidate-facts') THEN 'facts'
    ELSE 'language' END) STORED,
  ADD COLUMN "place" BIGINT;

-- Only what waits for a worker is in the first two.
CREATE INDEX "jobs_line_idx" ON "jobs" ("lane", "place", "run_at") WHERE "place" IS NOT NULL;
CREATE INDEX "jobs_own_line_idx" ON "jobs" ("lane", "user_id", "place") WHERE "place" IS NOT NULL;
CREATE INDEX "jobs_due_idx" ON "jobs" ("lane", "run_at") WHERE "place" IS NULL AND "dead_at" IS NULL;

-- When a server last looked at its clock: one that went back while no server ran is noticed.
CREATE TABLE "server_clock" (
  "id" INTEGER NOT NULL DEFAULT 1 CHECK ("id" = 1),
  "seen_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "server_clock_pkey" PRIMARY KEY ("id")
);
