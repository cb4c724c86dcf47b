-- Facts on two timelines.
-- CreateEnum
CREATE TYPE "FactCategory" AS ENUM ('IDENTITY', 'PREFERENCE', 'CONSTRAINT', 'INSTRUCTION', 'INTEREST', 'PERSONALITY', 'RELATIONSHIP', 'EXPERIENCE', 'GOAL');

-- CreateEnum
CREATE TYPE "FactPolarity" AS ENUM ('POSITIVE', 'NEGATIVE');

-- CreateEnum
CREATE TYPE "FactOrigin" AS ENUM ('PATTERN', 'EXTRACTIVE', 'MODEL', 'HAND');

-- CreateEnum
CREATE TYPE "FactChangeKind" AS ENUM ('RECORDED', 'CLOSED', 'EXTENDED', 'RETRACTED', 'RESTORED');

-- AlterEnum


ALTER TYPE "EventKind" ADD VALUE 'FACT_RECORDED';
ALTER TYPE "EventKind" ADD VALUE 'FACT_SUPERSEDED';
ALTER TYPE "EventKind" ADD VALUE 'FACT_REFUSED';
ALTER TYPE "EventKind" ADD VALUE 'FACT_RETRACTED';
ALTER TYPE "EventKind" ADD VALUE 'FACT_RESTORED';

-- AlterTable
ALTER TABLE "memory_events" ADD COLUMN     "fact_id" INTEGER;

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "last_fact" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "facts" (
    "user_id" TEXT NOT NULL,
    "id" INTEGER NOT NULL,
    "category" "FactCategory" NOT NULL,
    "key" TEXT,
    "active_key" TEXT,
    "value" TEXT NOT NULL,
    "statement" TEXT NOT NULL,
    "polarity" "FactPolarity" NOT NULL,
    "scope" TEXT,
    "confidence" DOUBLE PRECISION NOT NULL,
    "importance" DOUBLE PRECISION NOT NULL,
    "pinned" BOOLEAN NOT NULL DEFAULT false,
    "origin" "FactOrigin" NOT NULL,
    "model" TEXT,
    "valid_from" TIMESTAMPTZ(3) NOT NULL,
    "valid_to" TIMESTAMPTZ(3),
    "recorded_at" TIMESTAMPTZ(3) NOT NULL,
    "retracted_at" TIMESTAMPTZ(3),
    "superseded_by_id" INTEGER,
    "mentions" INTEGER NOT NULL DEFAULT 1,
    "last_verified_at" TIMESTAMPTZ(3) NOT NULL,
    "last_accessed_at" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "facts_pkey" PRIMARY KEY ("user_id","id")
);

-- CreateTable
CREATE TABLE "fact_versions" (
    "user_id" TEXT NOT NULL,
    "fact_id" INTEGER NOT NULL,
    "number" INTEGER NOT NULL,
    "change" "FactChangeKind" NOT NULL,
    "valid_from" TIMESTAMPTZ(3),
    "valid_to" TIMESTAMPTZ(3),
    "recorded_at" TIMESTAMPTZ(3) NOT NULL,
    "superseded_at" TIMESTAMPTZ(3),

    CONSTRAINT "fact_versions_pkey" PRIMARY KEY ("user_id","fact_id","number")
);

-- CreateTable
CREATE TABLE "fact_sources" (
    "user_id" TEXT NOT NULL,
    "fact_id" INTEGER NOT NULL,
    "turn_id" INTEGER NOT NULL,

    CONSTRAINT "fact_sources_pkey" PRIMARY KEY ("user_id","fact_id","turn_id")
);

-- CreateTable
CREATE TABLE "fact_refusals" (
    "user_id" TEXT NOT NULL,
    "turn_id" INTEGER NOT NULL,
    "number" INTEGER NOT NULL,
    "category" "FactCategory" NOT NULL,
    "key" TEXT,
    "value" TEXT NOT NULL,
    "statement" TEXT NOT NULL,
    "polarity" "FactPolarity" NOT NULL,
    "confidence" DOUBLE PRECISION NOT NULL,
    "importance" DOUBLE PRECISION NOT NULL,
    "reason" TEXT NOT NULL,
    "by_fact_id" INTEGER,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "recorded_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "fact_refusals_pkey" PRIMARY KEY ("user_id","turn_id","number")
);

-- CreateTable
CREATE TABLE "fact_vectors" (
    "user_id" TEXT NOT NULL,
    "fact_id" INTEGER NOT NULL,
    "embedder" TEXT NOT NULL,
    "embedding" halfvec,

    CONSTRAINT "fact_vectors_pkey" PRIMARY KEY ("user_id","fact_id","embedder")
);

-- CreateIndex
CREATE INDEX "facts_user_id_key_valid_from_idx" ON "facts"("user_id", "key", "valid_from");

-- CreateIndex
CREATE INDEX "facts_user_id_superseded_by_id_idx" ON "facts"("user_id", "superseded_by_id");

-- CreateIndex
CREATE UNIQUE INDEX "facts_user_id_category_active_key_key" ON "facts"("user_id", "category", "active_key");

-- CreateIndex
CREATE INDEX "fact_sources_user_id_turn_id_idx" ON "fact_sources"("user_id", "turn_id");

-- AddForeignKey
ALTER TABLE "facts" ADD CONSTRAINT "facts_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "facts" ADD CONSTRAINT "facts_user_id_superseded_by_id_fkey" FOREIGN KEY ("user_id", "superseded_by_id") REFERENCES "facts"("user_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "fact_versions" ADD CONSTRAINT "fact_versions_user_id_fact_id_fkey" FOREIGN KEY ("user_id", "fact_id") REFERENCES "facts"("user_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "fact_sources" ADD CONSTRAINT "fact_sources_user_id_fact_id_fkey" FOREIGN KEY ("user_id", "fact_id") REFERENCES "facts"("user_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "fact_sources" ADD CONSTRAINT "fact_sources_user_id_turn_id_fkey" FOREIGN KEY ("user_id", "turn_id") REFERENCES "turns"("user_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "fact_refusals" ADD CONSTRAINT "fact_refusals_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "fact_refusals" ADD CONSTRAINT "fact_refusals_user_id_turn_id_fkey" FOREIGN KEY ("user_id", "turn_id") REFERENCES "turns"("user_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "fact_vectors" ADD CONSTRAINT "fact_vectors_user_id_fact_id_fkey" FOREIGN KEY ("user_id", "fact_id") REFERENCES "facts"("user_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What was said before is read for facts now.
INSERT INTO "jobs" ("user_id", "step") SELECT "user_id", 'extract-facts' FROM "users" WHERE "turn_count" > 0;

DO $$
DECLARE
  owned text;
BEGIN
  FOREACH owned IN ARRAY ARRAY['facts', 'fact_versions', 'fact_sources', 'fact_refusals', 'fact_vectors'] LOOP
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO mnemograph_app', owned);
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', owned);
    EXECUTE format(
      'CREATE POLICY own_user ON %I
         USING (user_id = (SELECT current_setting(''mnemograph.user_id'', true)))
         WITH CHECK (user_id = (SELECT current_setting(''mnemograph.user_id'', true)))', owned);
  END LOOP;
END $$;
