-- Segments, capture and compaction. What the descriptions of threads said is made anew.
ALTER TYPE "EventKind" RENAME VALUE 'THREAD_DESCRIBED' TO 'THREAD_COMPACTED';
ALTER TYPE "EventKind" ADD VALUE 'SEGMENT_CLOSED' BEFORE 'THREAD_COMPACTED';
ALTER TYPE "EventKind" ADD VALUE 'EPISODE_CREATED' BEFORE 'THREAD_COMPACTED';
ALTER TYPE "EventKind" ADD VALUE 'EPISODE_MERGED' BEFORE 'THREAD_COMPACTED';
ALTER TYPE "EventKind" ADD VALUE 'EPISODE_SKIPPED' BEFORE 'THREAD_COMPACTED';
ALTER TYPE "EventKind" ADD VALUE 'EPISODE_REVISED' BEFORE 'THREAD_COMPACTED';

DELETE FROM "episodes";

-- CreateEnum
CREATE TYPE "EpisodeKind" AS ENUM ('PRIMARY', 'SEGMENT');

-- CreateEnum
CREATE TYPE "CaptureStatus" AS ENUM ('PENDING', 'CREATED', 'MERGED', 'SKIPPED');

-- CreateEnum
CREATE TYPE "PartOfDay" AS ENUM ('NIGHT', 'MORNING', 'AFTERNOON', 'EVENING');


-- DropIndex
DROP INDEX "episodes_user_id_thread_id_key";

-- AlterTable
ALTER TABLE "episodes" DROP COLUMN "turn_count",
ADD COLUMN     "capture" "CaptureStatus",
ADD COLUMN     "capture_reason" TEXT,
ADD COLUMN     "capture_signals" JSONB,
ADD COLUMN     "compacted_at" TIMESTAMPTZ(3),
ADD COLUMN     "consolidated_at" TIMESTAMPTZ(3),
ADD COLUMN     "date" TEXT,
ADD COLUMN     "difficulty" DOUBLE PRECISION,
ADD COLUMN     "first_turn" INTEGER NOT NULL,
ADD COLUMN     "kind" "EpisodeKind" NOT NULL,
ADD COLUMN     "last_reviewed_at" TIMESTAMPTZ(3),
ADD COLUMN     "last_turn" INTEGER NOT NULL,
ADD COLUMN     "macro" TEXT,
ADD COLUMN     "merged_into_id" INTEGER,
ADD COLUMN     "meso" TEXT,
ADD COLUMN     "micro" TEXT,
ADD COLUMN     "ordinal" INTEGER NOT NULL,
ADD COLUMN     "parent_id" INTEGER,
ADD COLUMN     "part_of_day" "PartOfDay",
ADD COLUMN     "stability" DOUBLE PRECISION,
ADD COLUMN     "theme_terms" TEXT[],
ADD COLUMN     "surprise" DOUBLE PRECISION,
ADD COLUMN     "week" INTEGER,
ADD COLUMN     "year" INTEGER,
ALTER COLUMN "title" DROP NOT NULL,
ALTER COLUMN "summary" DROP NOT NULL,
ALTER COLUMN "topic" DROP NOT NULL,
ALTER COLUMN "generated_by" DROP NOT NULL,
ALTER COLUMN "model" DROP NOT NULL;

-- AlterTable
ALTER TABLE "memory_events" ADD COLUMN     "episode_id" INTEGER;

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "capture_settings" JSONB;

-- AlterTable
ALTER TABLE "threads" ADD COLUMN     "compacted_through" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "late_turns" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "imported" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "compaction_asked" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "open_surprise" DOUBLE PRECISION NOT NULL DEFAULT 0,
ADD COLUMN     "segmentation_tried" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "segmented_through" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "episode_revisions" (
    "user_id" TEXT NOT NULL,
    "episode_id" INTEGER NOT NULL,
    "number" INTEGER NOT NULL,
    "summary" TEXT NOT NULL,
    "recorded_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "episode_revisions_pkey" PRIMARY KEY ("user_id","episode_id","number")
);

-- CreateTable
CREATE TABLE "episode_vectors" (
    "user_id" TEXT NOT NULL,
    "episode_id" INTEGER NOT NULL,
    "embedder" TEXT NOT NULL,
    "embedding" halfvec,
    "said" halfvec,

    CONSTRAINT "episode_vectors_pkey" PRIMARY KEY ("user_id","episode_id","embedder")
);

-- CreateTable
CREATE TABLE "skills" (
    "user_id" TEXT NOT NULL,
    "episode_id" INTEGER NOT NULL,
    "number" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "generated_by" "GeneratedBy" NOT NULL,
    "evidence_turns" INTEGER[],
    "recorded_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "skills_pkey" PRIMARY KEY ("user_id","episode_id","number")
);

-- CreateIndex
CREATE INDEX "episodes_user_id_ended_at_idx" ON "episodes"("user_id", "ended_at");

-- CreateIndex
CREATE INDEX "episodes_user_id_capture_ended_at_idx" ON "episodes"("user_id", "capture", "ended_at");

-- CreateIndex
CREATE INDEX "episodes_user_id_parent_id_idx" ON "episodes"("user_id", "parent_id");

-- CreateIndex
CREATE INDEX "episodes_user_id_merged_into_id_idx" ON "episodes"("user_id", "merged_into_id");

-- CreateIndex
CREATE UNIQUE INDEX "episodes_user_id_thread_id_ordinal_key" ON "episodes"("user_id", "thread_id", "ordinal");

-- AddForeignKey
ALTER TABLE "episodes" ADD CONSTRAINT "episodes_user_id_parent_id_fkey" FOREIGN KEY ("user_id", "parent_id") REFERENCES "episodes"("user_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "episodes" ADD CONSTRAINT "episodes_user_id_merged_into_id_fkey" FOREIGN KEY ("user_id", "merged_into_id") REFERENCES "episodes"("user_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "episode_revisions" ADD CONSTRAINT "episode_revisions_user_id_episode_id_fkey" FOREIGN KEY ("user_id", "episode_id") REFERENCES "episodes"("user_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "episode_vectors" ADD CONSTRAINT "episode_vectors_user_id_episode_id_fkey" FOREIGN KEY ("user_id", "episode_id") REFERENCES "episodes"("user_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "skills" ADD CONSTRAINT "skills_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "skills" ADD CONSTRAINT "skills_user_id_episode_id_fkey" FOREIGN KEY ("user_id", "episode_id") REFERENCES "episodes"("user_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

DELETE FROM "jobs" WHERE "step" = 'describe-thread';

-- Threads that were there before are segmented now.
INSERT INTO "jobs" ("user_id", "step", "subject")
SELECT "user_id", 'segment-thread', "id" FROM "threads" WHERE "turn_count" > 0;

DO $$
DECLARE
  owned text;
BEGIN
  FOREACH owned IN ARRAY ARRAY['episode_revisions', 'episode_vectors', 'skills'] LOOP
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO mnemograph_app', owned);
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', owned);
    EXECUTE format(
      'CREATE POLICY own_user ON %I
         USING (user_id = (SELECT current_setting(''mnemograph.user_id'', true)))
         WITH CHECK (user_id = (SELECT current_setting(''mnemograph.user_id'', true)))', owned);
  END LOOP;
END $$;
