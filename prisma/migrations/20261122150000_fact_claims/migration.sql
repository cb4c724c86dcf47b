-- What each turn says of a fact in its own words, so that another can tell it when one is forgotten.
ALTER TABLE "fact_sources" ADD COLUMN     "confidence" DOUBLE PRECISION,
ADD COLUMN     "importance" DOUBLE PRECISION,
ADD COLUMN     "key" TEXT,
ADD COLUMN     "model" TEXT,
ADD COLUMN     "origin" "FactOrigin",
ADD COLUMN     "scope" TEXT,
ADD COLUMN     "statement" TEXT,
ADD COLUMN     "value" TEXT;

-- Of facts that a single turn told, the words are known.
UPDATE "fact_sources" s SET "key" = f."key", "value" = f."value", "statement" = f."statement", "scope" = f."scope",
  "confidence" = f."confidence", "importance" = f."importance", "origin" = f."origin", "model" = f."model"
FROM "facts" f
WHERE f."user_id" = s."user_id" AND f."id" = s."fact_id" AND f."mentions" = 1 AND f."origin" <> 'HAND' AND NOT EXISTS (
  SELECT FROM "fact_sources" o WHERE o."user_id" = s."user_id" AND o."fact_id" = s."fact_id" AND o."turn_id" <> s."turn_id");
