-- CreateTable
CREATE TABLE "skill_vectors" (
    "user_id" TEXT NOT NULL,
    "episode_id" INTEGER NOT NULL,
    "skill_number" INTEGER NOT NULL,
    "embedder" TEXT NOT NULL,
    "embedding" halfvec,

    CONSTRAINT "skill_vectors_pkey" PRIMARY KEY ("user_id","episode_id","skill_number","embedder")
);

-- AddForeignKey
ALTER TABLE "skill_vectors" ADD CONSTRAINT "skill_vectors_user_id_episode_id_skill_number_fkey" FOREIGN KEY ("user_id", "episode_id", "skill_number") REFERENCES "skills"("user_id", "episode_id", "number") ON DELETE CASCADE ON UPDATE CASCADE;

GRANT SELECT, INSERT, UPDATE, DELETE ON "skill_vectors" TO mnemograph_app;
ALTER TABLE "skill_vectors" ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_user ON "skill_vectors"
  USING (user_id = (SELECT current_setting('mnemograph.user_id', true)))
  WITH CHECK (user_id = (SELECT current_setting('mnemograph.user_id', true)));

-- Skills that are there get their vectors.
INSERT INTO jobs (user_id, step, subject, run_at)
SELECT DISTINCT user_id, 'embed-episodes', 0, now() FROM skills
ON CONFLICT (user_id, step, subject) DO NOTHING;
