-- Linking of threads: decisions, cross-thread episodes, and what linking goes by.
-- CreateEnum
CREATE TYPE "LinkVerdict" AS ENUM ('LINK', 'DONT_LINK');

-- CreateEnum
CREATE TYPE "LinkCertainty" AS ENUM ('HIGH', 'UNCERTAIN');

-- CreateEnum
CREATE TYPE "LinkOutcome" AS ENUM ('UNKNOWN', 'CORRECT', 'INCORRECT');

-- CreateEnum
CREATE TYPE "LinkSign" AS ENUM ('RATED', 'CONTINUED', 'DENIED', 'SWITCHED_TOPIC', 'ASKED_BACK', 'STARTED_AFRESH', 'NEW_TOPIC');

-- CreateEnum
CREATE TYPE "TuningKind" AS ENUM ('TUNED', 'ROLLED_BACK');

-- AlterEnum
ALTER TYPE "EpisodeKind" ADD VALUE 'CROSS_THREAD';

-- AlterEnum
ALTER TYPE "EventKind" ADD VALUE 'LINK_DECIDED' BEFORE 'FACT_RECORDED';
ALTER TYPE "EventKind" ADD VALUE 'LINK_RATED' BEFORE 'FACT_RECORDED';
ALTER TYPE "EventKind" ADD VALUE 'CROSS_THREAD_CREATED' BEFORE 'FACT_RECORDED';
ALTER TYPE "EventKind" ADD VALUE 'CROSS_THREAD_EXTENDED' BEFORE 'FACT_RECORDED';
ALTER TYPE "EventKind" ADD VALUE 'CROSS_THREAD_MERGED' BEFORE 'FACT_RECORDED';
ALTER TYPE "EventKind" ADD VALUE 'CROSS_THREAD_REDUCED' BEFORE 'FACT_RECORDED';
ALTER TYPE "EventKind" ADD VALUE 'CROSS_THREAD_TOLD' BEFORE 'FACT_RECORDED';
ALTER TYPE "EventKind" ADD VALUE 'LINKING_TUNED' BEFORE 'FACT_RECORDED';

-- AlterTable
ALTER TABLE "episodes" ALTER COLUMN "thread_id" DROP NOT NULL;

-- AlterTable
ALTER TABLE "threads" ADD COLUMN     "cross_thread_episode_id" INTEGER,
ADD COLUMN     "linked_turns" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "last_link" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "links" (
    "user_id" TEXT NOT NULL,
    "id" INTEGER NOT NULL,
    "thread_id" INTEGER NOT NULL,
    "earlier_thread_id" INTEGER NOT NULL,
    "turns" INTEGER NOT NULL,
    "keyword" DOUBLE PRECISION,
    "entity" DOUBLE PRECISION,
    "topic" DOUBLE PRECISION,
    "recency" DOUBLE PRECISION,
    "algorithmic_score" DOUBLE PRECISION NOT NULL,
    "algorithmic_related" BOOLEAN NOT NULL,
    "algorithmic_confidence" DOUBLE PRECISION NOT NULL,
    "reasoner_related" BOOLEAN NOT NULL,
    "reasoner_confidence" DOUBLE PRECISION NOT NULL,
    "reasoning" TEXT,
    "key_signals" TEXT[],
    "generated_by" "GeneratedBy" NOT NULL,
    "model" TEXT NOT NULL,
    "threshold" DOUBLE PRECISION NOT NULL,
    "weights" JSONB NOT NULL,
    "verdict" "LinkVerdict" NOT NULL,
    "certainty" "LinkCertainty" NOT NULL,
    "fused_score" DOUBLE PRECISION NOT NULL,
    "joins" BOOLEAN NOT NULL,
    "outcome" "LinkOutcome" NOT NULL DEFAULT 'UNKNOWN',
    "sign" "LinkSign",
    "rated_at" TIMESTAMPTZ(3),
    "watched_through" INTEGER,
    "decided_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "links_pkey" PRIMARY KEY ("user_id","id")
);

-- CreateTable
CREATE TABLE "linking_settings" (
    "user_id" TEXT NOT NULL,
    "threshold" DOUBLE PRECISION NOT NULL,
    "weights" JSONB NOT NULL,
    "hints" TEXT[],
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "linking_settings_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "tuning_runs" (
    "user_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "kind" "TuningKind" NOT NULL,
    "kept" BOOLEAN NOT NULL,
    "reason" TEXT NOT NULL,
    "decisions" INTEGER NOT NULL,
    "previous" JSONB NOT NULL,
    "next" JSONB NOT NULL,
    "metrics" JSONB NOT NULL,
    "thresholds" JSONB NOT NULL,
    "disagreements" JSONB NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tuning_runs_pkey" PRIMARY KEY ("user_id","number")
);

-- CreateIndex
CREATE INDEX "links_user_id_earlier_thread_id_idx" ON "links"("user_id", "earlier_thread_id");

-- CreateIndex
CREATE INDEX "links_rated_at_idx" ON "links"("rated_at");

-- CreateIndex
CREATE INDEX "links_user_id_rated_at_idx" ON "links"("user_id", "rated_at");

-- CreateIndex
CREATE INDEX "links_user_id_watched_through_idx" ON "links"("user_id", "watched_through");

-- CreateIndex
CREATE UNIQUE INDEX "links_user_id_thread_id_earlier_thread_id_key" ON "links"("user_id", "thread_id", "earlier_thread_id");

-- CreateIndex
CREATE INDEX "threads_user_id_linked_turns_idx" ON "threads"("user_id", "linked_turns");

-- CreateIndex
CREATE INDEX "threads_user_id_cross_thread_episode_id_idx" ON "threads"("user_id", "cross_thread_episode_id");

-- AddForeignKey
ALTER TABLE "threads" ADD CONSTRAINT "threads_user_id_cross_thread_episode_id_fkey" FOREIGN KEY ("user_id", "cross_thread_episode_id") REFERENCES "episodes"("user_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "links" ADD CONSTRAINT "links_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "links" ADD CONSTRAINT "links_user_id_thread_id_fkey" FOREIGN KEY ("user_id", "thread_id") REFERENCES "threads"("user_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "links" ADD CONSTRAINT "links_user_id_earlier_thread_id_fkey" FOREIGN KEY ("user_id", "earlier_thread_id") REFERENCES "threads"("user_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Threads that are there already are not compared with earlier ones; later threads are, with them.
UPDATE "threads" SET "linked_turns" = 6 WHERE "turn_count" > 0;

DO $$
DECLARE
  owned text;
BEGIN
  FOREACH owned IN ARRAY ARRAY['links', 'linking_settings', 'tuning_runs'] LOOP
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO mnemograph_app', owned);
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', owned);
    EXECUTE format(
      'CREATE POLICY own_user ON %I
         USING (user_id = (SELECT current_setting(''mnemograph.user_id'', true)))
         WITH CHECK (user_id = (SELECT current_setting(''mnemograph.user_id'', true)))', owned);
  END LOOP;
END $$;
