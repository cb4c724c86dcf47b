-- The words of what is recalled beside turns, made by the database from the text, so that they change and go with it.
-- Prisma does not describe how they are made. A primary episode is not searched: its segments are.
ALTER TABLE "episodes" ADD COLUMN "words" tsvector GENERATED ALWAYS AS (
  CASE WHEN "kind" <> 'PRIMARY'
    THEN to_tsvector('english', coalesce("title", '') || ' ' || coalesce("summary", '')) END
) STORED;
ALTER TABLE "facts" ADD COLUMN "words" tsvector GENERATED ALWAYS AS (
  to_tsvector('english', "statement" || ' ' || translate(coalesce("key", ''), ':_', '  '))
) STORED;
ALTER TABLE "semantic_memories" ADD COLUMN "words" tsvector GENERATED ALWAYS AS (
  to_tsvector('english', coalesce("summary", ''))
) STORED;
ALTER TABLE "skills" ADD COLUMN "words" tsvector GENERATED ALWAYS AS (
  to_tsvector('english', "name" || ' ' || "description")
) STORED;
