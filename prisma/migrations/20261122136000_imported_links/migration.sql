-- A decision that came with an archive says nothing about the deployment.
ALTER TABLE "links" ADD COLUMN "imported" BOOLEAN NOT NULL DEFAULT false;

-- Those that came before this version.
UPDATE "links" l SET "imported" = true WHERE EXISTS (
  SELECT FROM "memory_events" e WHERE e."user_id" = l."user_id" AND e."kind" = 'MEMORY_IMPORTED' AND l."decided_at" <= e."at");
