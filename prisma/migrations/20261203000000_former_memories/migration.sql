-- A profile knows the semantic memories it was made from, and these their episodes. An episode that leaves its memory keeps the memory's
-- number, so that profiles of before are found when it is forgotten. One statement, as Citus wants it.
DO $$
BEGIN
  ALTER TABLE episodes ADD COLUMN former_memory_ids INTEGER[] DEFAULT ARRAY[]::INTEGER[];
  -- From now on only what a model was shown counts, whoever wrote the summary last.
  UPDATE semantic_memories SET context_ids = ARRAY[]::INTEGER[] WHERE generated_by = 'EXTRACTIVE';
END $$;
