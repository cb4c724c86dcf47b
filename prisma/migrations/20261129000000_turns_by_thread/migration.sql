-- The ids and lengths of a thread's turns are read from this index, but no turn is to be looked up by its id in it: for a user
-- with a hundred turns, as plans assume, that would be as quick as the primary key, and then read all of one with thousands.
DROP INDEX turns_user_id_thread_id_number_id_word_count_idx;
CREATE INDEX ON turns (user_id, thread_id, number) INCLUDE (id, word_count);
