-- For the vectors of turns. Not a trusted extension everywhere: where the server's user is no
-- superuser, somebody who is creates it beforehand.
CREATE EXTENSION IF NOT EXISTS vector;

-- CreateEnum
CREATE TYPE "ChannelKind" AS ENUM ('EXPLICIT', 'IMPLICIT');

-- CreateEnum
CREATE TYPE "ThreadState" AS ENUM ('OPEN', 'IDLE', 'CLOSED');

-- CreateEnum
CREATE TYPE "Role" AS ENUM ('USER', 'ASSISTANT', 'TOOL', 'SYSTEM', 'OTHER');

-- CreateEnum
CREATE TYPE "EventKind" AS ENUM ('THREAD_OPENED', 'TURNS_REMEMBERED', 'THREAD_REOPENED', 'THREAD_IDLED', 'THREAD_CLOSED', 'TURNS_INDEXED', 'JOB_DIED', 'MEMORY_FORGOTTEN');

-- CreateTable
CREATE TABLE "users" (
    "user_id" TEXT NOT NULL,
    "time_zone" TEXT,
    "inactivity_timeout_minutes" INTEGER,
    "recorded_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "erase_epoch" INTEGER NOT NULL DEFAULT 0,
    "last_thread" INTEGER NOT NULL DEFAULT 0,
    "last_turn" INTEGER NOT NULL DEFAULT 0,
    "last_event" INTEGER NOT NULL DEFAULT 0,
    "trimmed_event" INTEGER NOT NULL DEFAULT 0,
    "turn_count" INTEGER NOT NULL DEFAULT 0,
    "word_count" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "users_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "channel_settings" (
    "user_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "kind" "ChannelKind" NOT NULL,
    "inactivity_timeout_minutes" INTEGER,

    CONSTRAINT "channel_settings_pkey" PRIMARY KEY ("user_id","name")
);

-- CreateTable
CREATE TABLE "threads" (
    "user_id" TEXT NOT NULL,
    "id" INTEGER NOT NULL,
    "title" TEXT,
    "explicit" BOOLEAN NOT NULL,
    "state" "ThreadState" NOT NULL DEFAULT 'OPEN',
    "inactivity_timeout_minutes" INTEGER,
    "channels" TEXT[],
    "turn_count" INTEGER NOT NULL DEFAULT 0,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "last_activity_at" TIMESTAMPTZ(3) NOT NULL,
    "recorded_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "idle_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "threads_pkey" PRIMARY KEY ("user_id","id")
);

-- CreateTable
CREATE TABLE "turns" (
    "user_id" TEXT NOT NULL,
    "id" INTEGER NOT NULL,
    "thread_id" INTEGER NOT NULL,
    "number" INTEGER NOT NULL,
    "role" "Role" NOT NULL,
    "speaker" TEXT,
    "channel" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "tool_calls" JSONB,
    "word_count" INTEGER NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "recorded_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "key_hash" BYTEA,

    CONSTRAINT "turns_pkey" PRIMARY KEY ("user_id","id")
);

-- CreateTable
CREATE TABLE "postings" (
    "user_id" TEXT NOT NULL,
    "term" TEXT NOT NULL,
    "turn_id" INTEGER NOT NULL,
    "frequency" SMALLINT NOT NULL
);

-- CreateTable
CREATE TABLE "turn_vectors" (
    "user_id" TEXT NOT NULL,
    "embedder" TEXT NOT NULL,
    "turn_id" INTEGER NOT NULL,
    "embedding" halfvec NOT NULL,
    "signs" VARBIT NOT NULL,

    CONSTRAINT "turn_vectors_pkey" PRIMARY KEY ("user_id","turn_id","embedder")
);

-- CreateTable
CREATE TABLE "index_progress" (
    "user_id" TEXT NOT NULL,
    "index_name" TEXT NOT NULL,
    "through" INTEGER NOT NULL,

    CONSTRAINT "index_progress_pkey" PRIMARY KEY ("user_id","index_name")
);

-- CreateTable
CREATE TABLE "erased_keys" (
    "user_id" TEXT NOT NULL,
    "key_hash" BYTEA NOT NULL,

    CONSTRAINT "erased_keys_pkey" PRIMARY KEY ("user_id","key_hash")
);

-- CreateTable
CREATE TABLE "memory_events" (
    "user_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "kind" "EventKind" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "thread_id" INTEGER,
    "first_turn_id" INTEGER,
    "last_turn_id" INTEGER,
    "decision" TEXT NOT NULL,
    "details" JSONB,

    CONSTRAINT "memory_events_pkey" PRIMARY KEY ("user_id","number")
);

-- CreateTable
CREATE TABLE "jobs" (
    "user_id" TEXT NOT NULL,
    "step" TEXT NOT NULL,
    "subject" INTEGER NOT NULL DEFAULT 0,
    "run_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "wakes" INTEGER NOT NULL DEFAULT 1,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "last_error" TEXT,
    "locked_by" TEXT,
    "locked_until" TIMESTAMPTZ(3),
    "dead_at" TIMESTAMPTZ(3),

    CONSTRAINT "jobs_pkey" PRIMARY KEY ("user_id","step","subject")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "threads_user_id_last_activity_at_idx" ON "threads"("user_id", "last_activity_at");

-- CreateIndex
CREATE INDEX "turns_user_id_thread_id_number_id_word_count_idx" ON "turns"("user_id", "thread_id", "number", "id", "word_count");

-- CreateIndex
CREATE INDEX "turns_user_id_occurred_at_idx" ON "turns"("user_id", "occurred_at");

-- CreateIndex
CREATE UNIQUE INDEX "turns_user_id_key_hash_key" ON "turns"("user_id", "key_hash");

-- CreateIndex
CREATE INDEX "postings_user_id_term_idx" ON "postings"("user_id", "term");

-- CreateIndex
CREATE INDEX "jobs_run_at_idx" ON "jobs"("run_at");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_hash_key" ON "api_keys"("hash");

-- AddForeignKey
ALTER TABLE "channel_settings" ADD CONSTRAINT "channel_settings_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "threads" ADD CONSTRAINT "threads_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "turns" ADD CONSTRAINT "turns_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "turns" ADD CONSTRAINT "turns_user_id_thread_id_fkey" FOREIGN KEY ("user_id", "thread_id") REFERENCES "threads"("user_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "turn_vectors" ADD CONSTRAINT "turn_vectors_user_id_turn_id_fkey" FOREIGN KEY ("user_id", "turn_id") REFERENCES "turns"("user_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memory_events" ADD CONSTRAINT "memory_events_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The second wall: the server sets this role and the user for every transaction.
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

-- Every table with a user_id belongs to its user. Without a user set nothing is seen or written.
-- The subselect is evaluated once a statement, not once a row.
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
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', owned);
    EXECUTE format(
      'CREATE POLICY own_user ON %s
         USING (user_id = (SELECT current_setting(''mnemograph.user_id'', true)))
         WITH CHECK (user_id = (SELECT current_setting(''mnemograph.user_id'', true)))', owned);
  END LOOP;
END $$;
