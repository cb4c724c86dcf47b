-- The secret that a rotated key had before, and until when it still works.
ALTER TABLE "api_keys" ADD COLUMN "previous_hash" BYTEA;
ALTER TABLE "api_keys" ADD COLUMN "previous_until" TIMESTAMPTZ(3);
CREATE UNIQUE INDEX "api_keys_previous_hash_key" ON "api_keys"("previous_hash");
