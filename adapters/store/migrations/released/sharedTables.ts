/** Counts the changes of keys and agents, and suspensions of accounts: a node believes what it has read while the count stays. */
export const versions = `
  CREATE TABLE versions (name TEXT PRIMARY KEY, version BIGINT NOT NULL);
  INSERT INTO versions (name, version) VALUES ('access', 0);
  CREATE FUNCTION count_access() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN UPDATE versions SET version = version + 1 WHERE name = 'access'; RETURN NULL; END $$;
  CREATE TRIGGER count_access AFTER INSERT OR DELETE
    OR UPDATE OF agent_id, environment, per_minute, scopes, expires_at, overlap_ends_at, revoked_at ON api_keys
    FOR EACH STATEMENT EXECUTE FUNCTION count_access();
  CREATE TRIGGER count_access AFTER UPDATE OF status ON agents FOR EACH STATEMENT EXECUTE FUNCTION count_access();
  CREATE TRIGGER count_access AFTER UPDATE OF suspended_at ON accounts FOR EACH STATEMENT EXECUTE FUNCTION count_access()`

/**
 * What each counted change concerns, a key, agent or account by its id, so that a node forgets no other key. Changes are in
 * the order of commits, since each holds the count's row until then. A new key is in no cache.
 */
export const accessChanges = `
  CREATE TABLE access_changes (version BIGINT PRIMARY KEY, at TIMESTAMPTZ NOT NULL DEFAULT now(), id TEXT NOT NULL);
  CREATE INDEX access_changes_at ON access_changes (at);
  CREATE OR REPLACE FUNCTION count_access() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE now_at bigint; changed text := OLD.id;
  BEGIN
    UPDATE versions SET version = version + 1 WHERE name = 'access' RETURNING version INTO now_at;
    INSERT INTO access_changes (version, id) VALUES (now_at, changed);
    RETURN NULL;
  END $$;
  DROP TRIGGER count_access ON api_keys;
  DROP TRIGGER count_access ON agents;
  DROP TRIGGER count_access ON accounts;
  CREATE TRIGGER count_access AFTER DELETE
    OR UPDATE OF agent_id, environment, per_minute, scopes, expires_at, overlap_ends_at, revoked_at ON api_keys
    FOR EACH ROW EXECUTE FUNCTION count_access();
  CREATE TRIGGER count_access AFTER UPDATE OF status ON agents FOR EACH ROW EXECUTE FUNCTION count_access();
  CREATE TRIGGER count_access AFTER UPDATE OF suspended_at ON accounts FOR EACH ROW EXECUTE FUNCTION count_access()`

/**
 * Token buckets (`core/account/Bucket.ts`): the time at which each is full again, by the store's clock. Not logged: after a
 * crash of the server they are full. `n` calls of `step` milliseconds were asked for last, `granted` of them let through.
 */
export const buckets = `
  CREATE UNLOGGED TABLE buckets (
    name TEXT PRIMARY KEY,
    full_at DOUBLE PRECISION NOT NULL,
    n INTEGER NOT NULL,
    step DOUBLE PRECISION NOT NULL,
    granted INTEGER NOT NULL
  ) WITH (fillfactor = 50);
  CREATE INDEX buckets_full_at ON buckets (full_at);
  CREATE FUNCTION now_ms() RETURNS double precision LANGUAGE sql AS $$
    SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::double precision $$;
  CREATE FUNCTION grantable(fills_at double precision, p_now double precision, n integer, step double precision)
  RETURNS integer LANGUAGE sql IMMUTABLE AS $$
    SELECT least(n, greatest(0, floor((60000 + 1e-6 - (least(greatest(fills_at, p_now), p_now + 60000) - p_now)) / step)))::integer $$;
  CREATE FUNCTION take(p_names text[], p_n integer[], p_step double precision[])
  RETURNS TABLE (name text, granted integer, full_at double precision, at double precision) LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE t double precision := now_ms();
  BEGIN
    RETURN QUERY
    INSERT INTO buckets AS b (name, full_at, n, step, granted)
      SELECT x.name, t + grantable(t, t, x.n, x.step) * x.step, x.n, x.step, grantable(t, t, x.n, x.step)
      FROM unnest(p_names, p_n, p_step) AS x (name, n, step) ORDER BY x.name
      ON CONFLICT (name) DO UPDATE SET
        full_at = least(greatest(b.full_at, t), t + 60000) + grantable(b.full_at, t, excluded.n, excluded.step) * excluded.step,
        n = excluded.n, step = excluded.step, granted = grantable(b.full_at, t, excluded.n, excluded.step)
      RETURNING b.name, b.granted, b.full_at, t;
  END $$`
