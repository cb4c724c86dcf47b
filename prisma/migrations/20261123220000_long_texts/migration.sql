-- Long texts are kept as they are: to compress them takes longer than all else of a write, in which an embedded database
-- answers nobody, and to read a beginning would mean to unpack the whole.
ALTER TABLE "turns" ALTER COLUMN "text" SET STORAGE EXTERNAL, ALTER COLUMN "tool_calls" SET STORAGE EXTERNAL;
