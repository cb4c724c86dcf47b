-- Calls of `remember` that come at the same time share a transaction. It takes a role of its own, which reaches the rows of the users that
-- the transaction names, and only in the tables that such a call reads and writes. One plan of a policy that allows for
-- several users would be slower for the transactions of one, which are nearly all.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'mnemograph_group') THEN
    BEGIN
      CREATE ROLE mnemograph_group NOLOGIN;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN
      NULL;
    END;
  END IF;
  IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
    BEGIN
      GRANT mnemograph_group TO CURRENT_USER;
    EXCEPTION
      WHEN unique_violation THEN
        NULL; -- granted meanwhile
      WHEN insufficient_privilege THEN
        -- Somebody else made the role: fine if they granted it, too.
        IF NOT pg_has_role(current_user, 'mnemograph_group', 'MEMBER') THEN
          RAISE;
        END IF;
    END;
  END IF;
END $$;

DO $$
DECLARE
  owned TEXT;
  distributed BOOLEAN := false;
BEGIN
  -- No transaction of distributed tables is of several users.
  IF to_regclass('pg_dist_partition') IS NOT NULL THEN
    EXECUTE 'SELECT EXISTS (SELECT FROM pg_dist_partition)' INTO distributed;
  END IF;
  IF distributed THEN
    RETURN;
  END IF;
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO mnemograph_group', current_schema());
  FOREACH owned IN ARRAY ARRAY['users', 'threads', 'turns', 'memory_events', 'jobs', 'channel_settings', 'erased_keys'] LOOP
    EXECUTE format('GRANT SELECT, INSERT, UPDATE ON %I TO mnemograph_group', owned);
    EXECUTE format(
      'CREATE POLICY users_of_group ON %I TO mnemograph_group
         USING (user_id = ANY (current_setting(''mnemograph.user_ids'', true)::text[]))
         WITH CHECK (user_id = ANY (current_setting(''mnemograph.user_ids'', true)::text[]))', owned);
  END LOOP;
END $$;
