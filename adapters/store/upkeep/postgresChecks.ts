import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { maxErrorMs } from "../engine/postgres/clock.ts"
import { minServerVersion } from "../engine/postgres/ready.ts"
import * as Roles from "../engine/postgres/roles.ts"
import { beginPatient, transaction } from "../engine/storage.ts"
import { readVersion } from "../schema/migrate.ts"
import { type Check, type CheckResult, finding, judgeDamage, judgeSchema, note, ok } from "./checks.ts"
import { inPostgres } from "./damage.ts"

type Look = Effect.Effect<CheckResult, SqlError, SqlClient.SqlClient>

const row = <Row extends object>(text: string): Effect.Effect<Row, SqlError, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.map(sql.unsafe<Row>(text), ([first]) => first!))

const setting = (name: string, judge: (value: string) => CheckResult): Check<SqlClient.SqlClient> => ({
  name,
  look: Effect.map(row<{ value: string }>(`SELECT current_setting('${name}') AS value`), ({ value }) => judge(value)),
})

const mustBeOn = (name: string, harm: string): Check<SqlClient.SqlClient> =>
  setting(name, (value) => (value === "off" ? finding(`${name} is off: ${harm}.`, `Set ${name} = on.`) : ok(value)))

const remake = "Make a new one with TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'."

const checkDatabase = (column: string, wanted: string): Look =>
  Effect.map(
    row<{ found: string }>(`SELECT ${column} AS found FROM pg_database WHERE datname = current_database()`),
    ({ found }) => (found === wanted ? ok(found) : finding(`The database has ${found}; ${wanted} is needed.`, remake)),
  )

const checkStandbys: Look = Effect.map(
  row<{ names: string; connected: number }>(
    "SELECT current_setting('synchronous_standby_names') AS names, (SELECT count(*) FROM pg_stat_replication) AS connected",
  ),
  ({ names, connected }) =>
    names !== ""
      ? ok(names)
      : connected === 0
        ? note("No standby: what is lost with this server's disk is lost.")
        : finding(
            "A standby is connected and no commit waits for one: a failover would lose the last charges.",
            "Set synchronous_standby_names, such as 'ANY 1 (a, b)'.",
          ),
)

const checkClock: Look = Effect.gen(function* () {
  const own = yield* Clock.currentTimeMillis
  const begun = performance.now()
  const { now } = yield* row<{ now: number }>("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now")
  const half = (performance.now() - begun) / 2
  if (half > maxErrorMs) {
    return finding(
      `The store answers after ${Math.round(2 * half)} ms: a node that knows its time to more than ${maxErrorMs} ms is not ready.`,
      "Bring nodes and store closer together.",
    )
  }
  const off = Math.round(own + half - now)
  const message = `This machine's clock is ${Math.abs(off)} ms ${off < 0 ? "behind" : "ahead of"} the store's.`
  return Math.abs(off) > 1_000 ? note(`${message} Nodes go by the store's.`) : ok(message)
})

const checkRole: Look = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { role: name } = yield* Roles.readOwnRole
  const { all, owned } = yield* row<{ all: boolean; owned: number }>(`
    SELECT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS all,
      (SELECT count(*) FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
        AND pg_has_role(c.relowner, 'USAGE')) AS owned`)
  const remedy = `Nodes need a role of their own: as the owner, run market-signals store roles --node NAME`
  if (all) return finding(`Role ${name} is a superuser, whom nothing refuses a TRUNCATE of journal.`, remedy)
  if (owned > 0) return finding(`Role ${name} owns ${owned} tables: it may TRUNCATE journal.`, remedy)
  const [{ makes }] = (yield* sql<{ makes: boolean }>`
    SELECT coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS makes`) as [{ readonly makes: boolean }]
  return makes
    ? finding(
        `Role ${name} may make tables.`,
        `As the owner, run: REVOKE CREATE ON SCHEMA public FROM PUBLIC, "${name}"`,
      )
    : ok(`${name} owns nothing.`)
})

/** Most tables that a finding names. */
const maxTablesNamed = 3

const checkRights: Look = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { role: own } = yield* Roles.readOwnRole
  const all = [...new Set([own, ...(yield* Roles.listNodes)])]
  const rows = yield* sql.unsafe<{ role: string; verb: string; name: string }>(
    `SELECT r.rolname AS role, v.verb, k.name
     FROM pg_roles r, (VALUES ('TRUNCATE'), ('UPDATE'), ('DELETE')) v (verb), (${Roles.appendOnlyTables}) k
     WHERE r.rolname = ANY ($1) AND NOT r.rolsuper
       AND NOT pg_has_role(r.oid, (SELECT relowner FROM pg_class WHERE oid = k.oid), 'USAGE')
       AND has_table_privilege(r.oid, k.oid, v.verb)
     ORDER BY r.rolname, v.verb DESC, k.name = 'journal' DESC, k.name`,
    [all],
  )
  const first = rows[0]
  if (first === undefined) return ok("No node may change an append-only table.")
  const roles = [...new Set(rows.map(({ role: name }) => name))]
  const messages = roles.map((name) => {
    const grants = rows.filter((each) => each.role === name)
    const shown = grants.slice(0, maxTablesNamed).map(({ verb, name: table }) => `${verb} ${table}`)
    return `Role ${name} may ${shown.join(", ")}${grants.length > maxTablesNamed ? ` and ${grants.length - maxTablesNamed} more` : ""}.`
  })
  return finding(
    messages.join(" "),
    `As the owner, run: ${roles.map((name) => `market-signals store roles --node ${name}`).join("; ")}`,
  )
})

/** A read of all may take as long as it takes. */
const checkPages = Effect.flatMap(SqlClient.SqlClient, (sql) => transaction(sql, inPostgres, beginPatient))

/** Checks of a PostgreSQL store; nothing is written. */
export const checks: ReadonlyArray<Check<SqlClient.SqlClient>> = [
  {
    name: "server",
    look: Effect.map(
      row<{ number: number; shown: string; readonly: string }>(`
        SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS shown,
          current_setting('transaction_read_only') AS readonly`),
      ({ number, shown, readonly }) =>
        number < minServerVersion
          ? finding(`The server is PostgreSQL ${shown}.`, "Version 15 or newer is needed.")
          : readonly === "on"
            ? finding("The server is read-only.", "DATABASE_URL must name the primary.")
            : ok(`PostgreSQL ${shown}`),
    ),
  },
  { name: "pages", look: Effect.map(checkPages, judgeDamage) },
  { name: "encoding", look: checkDatabase("pg_encoding_to_char(encoding)", "UTF8") },
  { name: "collation", look: checkDatabase("datcollate", "C") },
  mustBeOn("synchronous_commit", "an answer comes before its charge is on disk"),
  mustBeOn("fsync", "a crash of the machine destroys the store"),
  mustBeOn("full_page_writes", "a crash of the machine may leave torn pages"),
  { name: "synchronous_standby_names", look: checkStandbys },
  { name: "clock", look: checkClock },
  { name: "schema", look: Effect.map(readVersion, judgeSchema) },
  { name: "role", look: checkRole },
  { name: "grants", look: checkRights },
]
