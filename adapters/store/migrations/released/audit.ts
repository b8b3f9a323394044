import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { trailView } from "../../audit/months.ts"

/**
 * On PostgreSQL the trail is one table with a partition per month, under the names of SQLite's tables, and rows are whole.
 * `tx`: rows become visible in the order of commits, not of `seq`, so pages end below the oldest open transaction.
 */
const partitioned = (schema: string): string => `
  CREATE TABLE audit (
    month TEXT NOT NULL,
    seq BIGINT GENERATED ALWAYS AS IDENTITY,
    tx XID8 NOT NULL DEFAULT pg_current_xact_id(),
    request_id TEXT NOT NULL,
    at BIGINT NOT NULL,
    account_id TEXT NOT NULL,
    agent_id TEXT,
    key_id TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    params_hash TEXT NOT NULL,
    status INTEGER NOT NULL,
    code TEXT,
    charged_micros BIGINT NOT NULL,
    latency_ms INTEGER NOT NULL,
    calls INTEGER NOT NULL DEFAULT 1
  ) PARTITION BY LIST (month);
  CREATE INDEX audit_order ON audit (tx, seq);
  CREATE INDEX audit_account ON audit (account_id, at, seq);
  CREATE INDEX audit_agent ON audit (agent_id, tx, seq) WHERE agent_id IS NOT NULL;
  CREATE UNIQUE INDEX audit_request ON audit (month, agent_id, request_id) WHERE agent_id IS NOT NULL;
  CREATE FUNCTION audit_no_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN RAISE EXCEPTION 'audit is append-only'; END $$;
  CREATE FUNCTION audit_month(p_month text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${schema}, pg_temp AS $$
  DECLARE name text := 'audit_' || replace(p_month, '-', '_');
  BEGIN
    IF p_month !~ '^\\d{4}-\\d{2}$' THEN RAISE EXCEPTION '% is not a month', p_month; END IF;
    PERFORM pg_advisory_xact_lock(hashtext('market-signals ' || name));
    IF to_regclass(name) IS NOT NULL THEN RETURN; END IF;
    EXECUTE format('CREATE TABLE %I PARTITION OF audit FOR VALUES IN (%L)', name, p_month);
    EXECUTE format('CREATE TRIGGER no_change BEFORE UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION audit_no_change()', name);
    EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION audit_no_change()', name);
    INSERT INTO audit_months (month) VALUES (p_month) ON CONFLICT DO NOTHING;
  END $$;
  -- Drops a month that is marked for it, but neither the current month nor the one before.
  CREATE FUNCTION audit_drop(p_month text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${schema}, pg_temp AS $$
  BEGIN
    PERFORM 1 FROM audit_months WHERE month = p_month AND dropping = 1 FOR UPDATE;
    IF NOT FOUND THEN RETURN; END IF;
    IF p_month >= to_char(now() AT TIME ZONE 'UTC' - interval '1 month', 'YYYY-MM') THEN
      RAISE EXCEPTION 'the month % of the audit trail is kept', p_month;
    END IF;
    EXECUTE format('DROP TABLE %I', 'audit_' || replace(p_month, '-', '_'));
    DELETE FROM audit_months WHERE month = p_month;
    DELETE FROM usage_months WHERE month = p_month;
    DELETE FROM usage_places WHERE month = p_month;
  END $$;
  -- They have the owner's rights, and are for the roles of nodes.
  REVOKE EXECUTE ON FUNCTION audit_month(text), audit_drop(text) FROM PUBLIC`

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // `exported_rows`: number of rows of the last export of the month.
  yield* sql`
    CREATE TABLE audit_months (
      month TEXT NOT NULL PRIMARY KEY,
      exported_at BIGINT,
      exported_rows BIGINT,
      dropping INTEGER NOT NULL DEFAULT 0 CHECK (dropping IN (0, 1))
    )`
  if (yield* sql.onDialectOrElse({ sqlite: () => Effect.succeed(false), orElse: () => Effect.succeed(true) })) {
    const [{ name } = { name: "public" }] = yield* sql<{ name: string }>`SELECT quote_ident(current_schema()) AS name`
    return yield* Effect.asVoid(sql.unsafe(partitioned(name)))
  }
  yield* sql`CREATE TABLE audit_accounts (id INTEGER PRIMARY KEY, account_id TEXT NOT NULL UNIQUE)`
  yield* sql`CREATE TABLE audit_agents (id INTEGER PRIMARY KEY, agent_id TEXT NOT NULL UNIQUE)`
  yield* sql`
    CREATE TABLE audit_callers (
      id INTEGER PRIMARY KEY,
      key_id TEXT NOT NULL,
      account_id TEXT NOT NULL,
      agent_id TEXT,
      UNIQUE (key_id, account_id, agent_id)
    )`
  yield* sql`
    CREATE TABLE audit_ends (
      id INTEGER PRIMARY KEY,
      endpoint TEXT NOT NULL,
      status INTEGER NOT NULL,
      code TEXT,
      UNIQUE (endpoint, status, code)
    )`
  for (const statement of trailView([])) yield* sql.unsafe(statement)
})
