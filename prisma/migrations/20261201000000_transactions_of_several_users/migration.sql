-- Calls of `remember` that come at the same time share a transaction. It takes a role of its own, which reaches the rows of the users that
-- the transaction names, and only in the tables that such a call reads and writes. One plan of a policy that allows for
-- several users would be slower for the transactions of one, which are nearly all.
DO $$
DECLARE
  distributed BOOLEAN := false;
  owned TEXT;
  granted TEXT;
BEGIN
  -- No transaction of distributed tables is of several users.
  IF to_regclass('pg_dist_partition') IS NOT NULL THEN
    EXECUTE $citus$SELECT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass('users'))$citus$ INTO distributed;
  END IF;
  IF distributed THEN
    RETURN;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'mnemograph_group') THEN
    BEGIN
      CREATE ROLE mnemograph_group NOLOGIN;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN
      NULL;
    END;
  END IF;
  -- A superuser may set any role; everybody else must be a member.
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
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO mnemograph_group', current_schema());
  FOR owned, granted IN VALUES
    ('channel_settings', 'SELECT'), ('erased_keys', 'SELECT'), ('users', 'SELECT, UPDATE'),
    ('threads', 'SELECT, INSERT, UPDATE'), ('turns', 'SELECT, INSERT, UPDATE'), ('jobs', 'SELECT, INSERT, UPDATE'),
    ('memory_events', 'SELECT, INSERT')
  LOOP
    EXECUTE format('GRANT %s ON %I TO mnemograph_group', granted, owned);
    EXECUTE format(
      'CREATE POLICY users_of_group ON %I TO mnemograph_group
         USING (user_id = ANY (current_setting(''mnemograph.user_ids'', true)::text[]))
         WITH CHECK (user_id = ANY (current_setting(''mnemograph.user_ids'', true)::text[]))', owned);
  END LOOP;
END $$;
