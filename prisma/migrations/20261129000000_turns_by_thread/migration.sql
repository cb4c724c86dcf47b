-- Plans assume a hundred turns of a user. For so many, an index that has the id as its last column looks as quick as the
-- primary key to find a turn by its id; of a user with thousands it reads them all. The ids and lengths of a thread's turns
-- are still read from the index. The old one goes last: until then everybody can read. One statement, as Citus wants it.
DO $$
BEGIN
  CREATE INDEX turns_by_thread ON turns (user_id, thread_id, number) INCLUDE (id, word_count);
  DROP INDEX turns_user_id_thread_id_number_id_word_count_idx;
  ALTER INDEX turns_by_thread RENAME TO turns_user_id_thread_id_number_id_word_count_idx;
END $$;
