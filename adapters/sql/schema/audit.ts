import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/**
 * The audit trail has one table per month, so that a past month can be exported and dropped without touching the others.
 * Recurring values of rows (caller, result) are numbers; the view `audit` joins them over the months. Rows stay in the
 * order of writing. The first row of a month creates its table.
 */

/** Columns of the view, in order. */
export const columns =
  "request_id, at, account_id, agent_id, key_id, endpoint, params_hash, status, code, charged_micros, latency_ms, calls"

const form = /^\d{4}-\d{2}$/

/** The table of a month; the only source of table names in SQL. */
export const tableOf = (month: string): string => {
  if (!form.test(month)) throw new Error(`${month} is not a month.`)
  return `audit_${month.replace("-", "_")}`
}

/** The numbers of a month's rows by account and time, as far as they are folded (`sqlite/Tail.ts`). */
export const accountsOf = (month: string): string => `${tableOf(month)}_accounts`

/**
 * The SELECT of one month in the view; `a` is its table. `calls`: number of calls in the row.
 *
 * @param join `CROSS JOIN`: SQLite reads the month's table first
 */
export const selectOf = (month: string, join: "JOIN" | "CROSS JOIN" = "JOIN"): string => `
  SELECT '${month}' AS month, a.seq, a.request_id, a.at, c.account_id, c.agent_id, c.key_id, e.endpoint,
    CASE typeof(a.params_hash) WHEN 'blob' THEN lower(hex(a.params_hash)) ELSE a.params_hash END AS params_hash,
    e.status, e.code, a.charged_micros, a.latency_ms, coalesce(a.call_count, 1) AS calls
  FROM ${tableOf(month)} a ${join} audit_callers c ON c.id = a.caller ${join} audit_ends e ON e.id = a.ended`

/**
 * Newest months in the view. SQLite allows 500 terms in a compound SELECT, and a charge must not fail when it begins a
 * month. Exports and pages read all months, one by one.
 */
const shown = 60

/** The view over the existing months. */
export const viewOf = (months: ReadonlyArray<string>): ReadonlyArray<string> => [
  "DROP VIEW IF EXISTS audit",
  `CREATE VIEW audit AS ${
    months.length === 0
      ? `SELECT NULL AS month, NULL AS seq, ${columns.replace(/(\w+)/g, "NULL AS $1")} WHERE 0`
      : months
          .toSorted()
          .slice(-shown)
          .map((month) => selectOf(month))
          .join(" UNION ALL ")
  }`,
]

const triggerOf = (month: string, verb: string): string => `${tableOf(month)}_no_${verb.toLowerCase()}`

/** A month's append-only table with indexes for the rows of an agent in order, and the numbers of an account's rows by time. */
export const monthOf = (month: string): ReadonlyArray<string> => {
  const table = tableOf(month)
  return [
    `CREATE TABLE ${table} (
      seq INTEGER PRIMARY KEY,
      at BIGINT NOT NULL,
      request_id TEXT NOT NULL,
      account INTEGER NOT NULL,
      caller INTEGER NOT NULL,
      agent INTEGER,
      ended INTEGER NOT NULL,
      params_hash BLOB NOT NULL,
      charged_micros BIGINT NOT NULL,
      latency_ms INTEGER NOT NULL,
      call_count INTEGER
    )`,
    `CREATE TABLE ${accountsOf(month)} (
      account INTEGER NOT NULL,
      at BIGINT NOT NULL,
      seq INTEGER NOT NULL,
      PRIMARY KEY (account, at, seq)
    ) WITHOUT ROWID`,
    `CREATE INDEX ${table}_agent ON ${table} (agent) WHERE agent IS NOT NULL`,
    `CREATE UNIQUE INDEX ${table}_request ON ${table} (agent, request_id) WHERE agent IS NOT NULL`,
    ...["UPDATE", "DELETE"].map(
      (verb) => `CREATE TRIGGER ${triggerOf(month, verb)} BEFORE ${verb} ON ${table}
        BEGIN SELECT RAISE(ABORT, 'audit is append-only'); END`,
    ),
  ]
}

/** Allows DELETE on a month that is to be dropped. */
export const loosen = (month: string): string => `DROP TRIGGER ${triggerOf(month, "DELETE")}`

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
  for (const statement of viewOf([])) yield* sql.unsafe(statement)
})
