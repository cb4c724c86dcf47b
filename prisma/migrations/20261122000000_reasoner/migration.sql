-- What the reasoner makes and what it costs.
CREATE TYPE "GeneratedBy" AS ENUM ('EXTRACTIVE', 'MODEL');

ALTER TYPE "EventKind" ADD VALUE 'THREAD_DESCRIBED' BEFORE 'TURNS_INDEXED';

ALTER TABLE "users" ADD COLUMN "last_episode" INTEGER NOT NULL DEFAULT 0;

ALTER TABLE "jobs" ADD COLUMN "parked_at" TIMESTAMPTZ(3);

CREATE TABLE "episodes" (
    "user_id" TEXT NOT NULL,
    "id" INTEGER NOT NULL,
    "thread_id" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "summary" TEXT NOT NULL,
    "topic" TEXT NOT NULL,
    "approach" TEXT,
    "generated_by" "GeneratedBy" NOT NULL,
    "model" TEXT NOT NULL,
    "turn_count" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3) NOT NULL,
    "recorded_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "episodes_pkey" PRIMARY KEY ("user_id", "id")
);

CREATE UNIQUE INDEX "episodes_user_id_thread_id_key" ON "episodes"("user_id", "thread_id");

ALTER TABLE "episodes" ADD CONSTRAINT "episodes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "episodes" ADD CONSTRAINT "episodes_user_id_thread_id_fkey" FOREIGN KEY ("user_id", "thread_id") REFERENCES "threads"("user_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "model_usage" (
    "user_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "step" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "calls" INTEGER NOT NULL,
    "prompt_tokens" BIGINT NOT NULL,
    "cached_tokens" BIGINT NOT NULL,
    "completion_tokens" BIGINT NOT NULL,

    CONSTRAINT "model_usage_pkey" PRIMARY KEY ("user_id", "day", "step", "model")
);

DO $$
DECLARE
  owned text;
BEGIN
  FOREACH owned IN ARRAY ARRAY['episodes', 'model_usage'] LOOP
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO mnemograph_app', owned);
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', owned);
    EXECUTE format(
      'CREATE POLICY own_user ON %I
         USING (user_id = (SELECT current_setting(''mnemograph.user_id'', true)))
         WITH CHECK (user_id = (SELECT current_setting(''mnemograph.user_id'', true)))', owned);
  END LOOP;
END $$;
