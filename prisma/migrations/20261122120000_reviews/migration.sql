-- Reviews: what was shown in a thread, and how useful it was.
CREATE TYPE "MemoryRating" AS ENUM ('AGAIN', 'HARD', 'GOOD', 'EASY');
ALTER TYPE "EventKind" ADD VALUE 'MEMORY_REVIEWED' BEFORE 'TURNS_INDEXED';

-- CreateTable
CREATE TABLE "shown_episodes" (
    "user_id" TEXT NOT NULL,
    "thread_id" INTEGER NOT NULL,
    "episode_id" INTEGER NOT NULL,
    "shown_at" TIMESTAMPTZ(3) NOT NULL,
    "after_turn_id" INTEGER NOT NULL,

    CONSTRAINT "shown_episodes_pkey" PRIMARY KEY ("user_id","thread_id","episode_id")
);

-- CreateTable
CREATE TABLE "episode_reviews" (
    "user_id" TEXT NOT NULL,
    "episode_id" INTEGER NOT NULL,
    "number" INTEGER NOT NULL,
    "rating" "MemoryRating" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "recorded_at" TIMESTAMPTZ(3) NOT NULL,
    "generated_by" "GeneratedBy",
    "model" TEXT,
    "thread_id" INTEGER,
    "after_turn_id" INTEGER,
    "through_turn_id" INTEGER,
    "stability_before" DOUBLE PRECISION NOT NULL,
    "difficulty_before" DOUBLE PRECISION NOT NULL,
    "stability" DOUBLE PRECISION NOT NULL,
    "difficulty" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "episode_reviews_pkey" PRIMARY KEY ("user_id","episode_id","number")
);

-- CreateIndex
CREATE INDEX "shown_episodes_user_id_episode_id_idx" ON "shown_episodes"("user_id", "episode_id");

-- CreateIndex
CREATE INDEX "episode_reviews_user_id_thread_id_idx" ON "episode_reviews"("user_id", "thread_id");

-- AddForeignKey
ALTER TABLE "shown_episodes" ADD CONSTRAINT "shown_episodes_user_id_thread_id_fkey" FOREIGN KEY ("user_id", "thread_id") REFERENCES "threads"("user_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "shown_episodes" ADD CONSTRAINT "shown_episodes_user_id_episode_id_fkey" FOREIGN KEY ("user_id", "episode_id") REFERENCES "episodes"("user_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "episode_reviews" ADD CONSTRAINT "episode_reviews_user_id_episode_id_fkey" FOREIGN KEY ("user_id", "episode_id") REFERENCES "episodes"("user_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "episode_reviews" ADD CONSTRAINT "episode_reviews_user_id_thread_id_fkey" FOREIGN KEY ("user_id", "thread_id") REFERENCES "threads"("user_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

DO $$
DECLARE
  owned text;
BEGIN
  FOREACH owned IN ARRAY ARRAY['shown_episodes', 'episode_reviews'] LOOP
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO mnemograph_app', owned);
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', owned);
    EXECUTE format(
      'CREATE POLICY own_user ON %I
         USING (user_id = (SELECT current_setting(''mnemograph.user_id'', true)))
         WITH CHECK (user_id = (SELECT current_setting(''mnemograph.user_id'', true)))', owned);
  END LOOP;
END $$;
