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

/** The number of a month's last row; 0: it has none. */
export const lastSeqSql = (month: string): string => `SELECT coalesce(max(seq), 0) AS last FROM ${tableOf(month)}`

/** The numbers of a month's rows by account and time, as far as they are folded (`money/sqlite/Tail.ts`). */
export const accountsTable = (month: string): string => `${tableOf(month)}_accounts`

/** Rows of a month, `a`, by account and time: those of the alias `i`. */
export const byAccount = (month: string): string =>
  `${accountsTable(month)} i CROSS JOIN ${tableOf(month)} a ON a.seq = i.seq`

/**
 * The SELECT of one month in the view; `a` is its table. `calls`: number of calls in the row.
 *
 * @param join `CROSS JOIN`: SQLite reads the month's table first
 */
export const selectSql = (month: string, join: "JOIN" | "CROSS JOIN" = "JOIN"): string => `
  SELECT '${month}' AS month, a.seq, a.request_id, a.at, c.account_id, c.agent_id, c.key_id, e.endpoint,
    CASE typeof(a.params_hash) WHEN 'blob' THEN lower(hex(a.params_hash)) ELSE a.params_hash END AS params_hash,
    e.status, e.code, a.charged_micros, a.latency_ms, coalesce(a.call_count, 1) AS calls
  FROM ${tableOf(month)} a ${join} audit_callers c ON c.id = a.caller ${join} audit_ends e ON e.id = a.ended`

/**
 * Newest months in the view. SQLite allows 500 terms in a compound SELECT, and a charge must not fail when it begins a
 * month. Exports and pages read all months, one by one.
 */
const monthsInView = 60

/** The view over the existing months. */
export const trailView = (months: ReadonlyArray<string>): ReadonlyArray<string> => [
  "DROP VIEW IF EXISTS audit",
  `CREATE VIEW audit AS ${
    months.length === 0
      ? `SELECT NULL AS month, NULL AS seq, ${columns.replace(/(\w+)/g, "NULL AS $1")} WHERE 0`
      : months
          .toSorted()
          .slice(-monthsInView)
          .map((month) => selectSql(month))
          .join(" UNION ALL ")
  }`,
]

/** The charges of a month that are no rows of the journal; a month is dropped after they have become such. */
const chargesSql = (month: string): string => `
  SELECT a.request_id AS id, a.at, 'charge' AS kind, c.account_id, 'wallet:' || c.account_id AS debit, 'revenue' AS credit,
    a.charged_micros AS micros, c.key_id, e.endpoint, NULL AS reverses
  FROM ${tableOf(month)} a JOIN audit_callers c ON c.id = a.caller JOIN audit_ends e ON e.id = a.ended
  WHERE a.charged_micros > 0 AND a.seq > coalesce((SELECT seq FROM journal_places WHERE month = '${month}'), 0)`

const posting = "id, at, kind, account_id, debit, credit, micros, key_id, endpoint, reverses"

/** Months whose charges the view of postings can have. */
const mostMonths = 480

/** All postings: the journal, and charges that the trail alone has. */
const postingsView = (months: ReadonlyArray<string>): ReadonlyArray<string> => [
  "DROP VIEW IF EXISTS postings",
  `CREATE VIEW postings AS ${[`SELECT ${posting} FROM journal`, ...months.toSorted().slice(-mostMonths).map(chargesSql)].join(" UNION ALL ")}`,
]

/** The views over the existing months. */
export const createViewsSql = (months: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...trailView(months),
  ...postingsView(months),
]

/**
 * Makes the charges of a month's rows up to a number rows of the journal, from its place there on. In a transaction.
 *
 * @returns the statements; the number is the parameter of each
 */
export const posted = (month: string): readonly [charges: string, place: string] => [
  `INSERT INTO journal (${posting}) ${chargesSql(month)} AND a.seq <= ? ORDER BY account_id, id`,
  `INSERT INTO journal_places (month, seq) VALUES ('${month}', ?)
    ON CONFLICT (month) DO UPDATE SET seq = max(seq, excluded.seq)`,
]

const triggerName = (month: string, verb: string): string => `${tableOf(month)}_no_${verb.toLowerCase()}`

/** A month's append-only table with indexes for the rows of an agent in order, and the numbers of an account's rows by time. */
export const createMonthSql = (month: string): ReadonlyArray<string> => {
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
    `CREATE TABLE ${accountsTable(month)} (
      account INTEGER NOT NULL,
      at BIGINT NOT NULL,
      seq INTEGER NOT NULL,
      PRIMARY KEY (account, at, seq)
    ) WITHOUT ROWID`,
    `CREATE INDEX ${table}_agent ON ${table} (agent) WHERE agent IS NOT NULL`,
    `CREATE UNIQUE INDEX ${table}_request ON ${table} (agent, request_id) WHERE agent IS NOT NULL`,
    ...["UPDATE", "DELETE"].map(
      (verb) => `CREATE TRIGGER ${triggerName(month, verb)} BEFORE ${verb} ON ${table}
        BEGIN SELECT RAISE(ABORT, 'audit is append-only'); END`,
    ),
  ]
}

/** Allows DELETE on a month that is to be dropped. */
export const loosen = (month: string): string => `DROP TRIGGER ${triggerName(month, "DELETE")}`
