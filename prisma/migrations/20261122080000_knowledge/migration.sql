-- Semantic memories (what several episodes come to) and profiles.
ALTER TYPE "EventKind" ADD VALUE 'SEMANTIC_MEMORY_FORMED' BEFORE 'TURNS_INDEXED';
ALTER TYPE "EventKind" ADD VALUE 'SEMANTIC_MEMORY_REBUILT' BEFORE 'TURNS_INDEXED';
ALTER TYPE "EventKind" ADD VALUE 'PROFILE_REVISED' BEFORE 'TURNS_INDEXED';

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "last_profile" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "last_semantic_memory" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "episodes" ADD COLUMN     "summarized_into_id" INTEGER;

-- CreateTable
CREATE TABLE "semantic_memories" (
    "user_id" TEXT NOT NULL,
    "id" INTEGER NOT NULL,
    "summary" TEXT,
    "generated_by" "GeneratedBy" NOT NULL,
    "model" TEXT NOT NULL,
    "context_ids" INTEGER[],
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3) NOT NULL,
    "episode_count" INTEGER NOT NULL,
    "turn_count" INTEGER NOT NULL,
    "recorded_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "stale_at" TIMESTAMPTZ(3),

    CONSTRAINT "semantic_memories_pkey" PRIMARY KEY ("user_id","id")
);

-- CreateTable
CREATE TABLE "semantic_memory_vectors" (
    "user_id" TEXT NOT NULL,
    "semantic_memory_id" INTEGER NOT NULL,
    "embedder" TEXT NOT NULL,
    "embedding" halfvec,

    CONSTRAINT "semantic_memory_vectors_pkey" PRIMARY KEY ("user_id","semantic_memory_id","embedder")
);

-- CreateTable
CREATE TABLE "profiles" (
    "user_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "communication" TEXT NOT NULL,
    "technical" TEXT NOT NULL,
    "work_pattern" TEXT NOT NULL,
    "personal_context" TEXT NOT NULL,
    "prose" TEXT NOT NULL,
    "source_semantic_ids" INTEGER[],
    "generated_by" "GeneratedBy" NOT NULL,
    "model" TEXT NOT NULL,
    "recorded_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "stale_at" TIMESTAMPTZ(3),

    CONSTRAINT "profiles_pkey" PRIMARY KEY ("user_id","version")
);

-- CreateIndex
CREATE INDEX "semantic_memories_user_id_ended_at_idx" ON "semantic_memories"("user_id", "ended_at");

-- CreateIndex
CREATE INDEX "episodes_user_id_summarized_into_id_idx" ON "episodes"("user_id", "summarized_into_id");

-- AddForeignKey
ALTER TABLE "episodes" ADD CONSTRAINT "episodes_user_id_summarized_into_id_fkey" FOREIGN KEY ("user_id", "summarized_into_id") REFERENCES "semantic_memories"("user_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "semantic_memories" ADD CONSTRAINT "semantic_memories_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "semantic_memory_vectors" ADD CONSTRAINT "semantic_memory_vectors_user_id_semantic_memory_id_fkey" FOREIGN KEY ("user_id", "semantic_memory_id") REFERENCES "semantic_memories"("user_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "profiles" ADD CONSTRAINT "profiles_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Episodes that were there before are summarised now.
INSERT INTO "jobs" ("user_id", "step", "subject")
SELECT DISTINCT "user_id", 'consolidate', 0 FROM "episodes" WHERE "capture" = 'CREATED';

DO $$
DECLARE
  owned text;
BEGIN
  FOREACH owned IN ARRAY ARRAY['semantic_memories', 'semantic_memory_vectors', 'profiles'] LOOP
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO mnemograph_app', owned);
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', owned);
    EXECUTE format(
      'CREATE POLICY own_user ON %I
         USING (user_id = (SELECT current_setting(''mnemograph.user_id'', true)))
         WITH CHECK (user_id = (SELECT current_setting(''mnemograph.user_id'', true)))', owned);
  END LOOP;
END $$;
