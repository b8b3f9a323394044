import * as Reactivity from "@effect/experimental/Reactivity"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { make } from "../../adapters/store/engine/sqlite/client.ts"
import { open } from "../../adapters/store/engine/sqlite/driver.ts"
import * as sqlite from "../../adapters/store/engine/sqlite/open.ts"

/** Runs against a store and closes it. */
export const using = <A, E>(file: string, effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.provide(effect, Layer.fresh(sqlite.layer(file)))

/** A connection with SQLite's own settings. */
const bare = (file: string) => Layer.provide(Layer.scopedContext(make(open, file)), Reactivity.layer)

/** Runs against a database as any other program would: no migrations, SQLite's own settings. */
export const withOther = <A, E>(file: string, effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.provide(effect, Layer.fresh(bare(file)))

/** Another program's connection to a store that is open. */
export const otherClient = (file: string) =>
  Effect.map(Layer.build(bare(file)), (context) => Context.get(context, SqlClient.SqlClient))

export const rowsOf = (statement: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<Record<string, unknown>>(statement))

export const valueOf = (statement: string) => Effect.map(rowsOf(statement), ([row]) => Object.values(row ?? {})[0])

/** Every table, its definition and its rows. */
export const dump = Effect.gen(function* () {
  const schema = yield* rowsOf("SELECT * FROM sqlite_master ORDER BY name")
  const tables = schema.filter(({ type }) => type === "table")
  const rows = yield* Effect.forEach(tables, ({ name }) => rowsOf(`SELECT * FROM "${name}" ORDER BY 1`))
  return { schema, rows }
})

export const defectOf = (exit: Exit.Exit<unknown, unknown>): string =>
  Exit.isFailure(exit) ? Cause.pretty(exit.cause, { renderErrorCause: true }) : ""

/** An account with two keys, ten dollars and one charge, and one climate report. */
export const populated = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO accounts ${sql.insert({ id: "acct_1", name: "one", created_at: 1 })}`
  yield* sql`INSERT INTO wallets ${sql.insert({ account_id: "acct_1", balance_micros: 9_000_000 })}`
  yield* sql`INSERT INTO api_keys ${sql.insert(key)}`
  yield* sql`INSERT INTO journal ${sql.insert({ ...posting, id: "txn_1", kind: "credit", debit: "cash", credit: "wallet:acct_1", micros: 10_000_000 })}`
  yield* sql`INSERT INTO journal ${sql.insert(posting)}`
  yield* sql`INSERT INTO climate_reports ${sql.insert(report)}`
})

export const key = {
  id: "key_1",
  account_id: "acct_1",
  hash: "a".repeat(64),
  last_four: "wxyz",
  environment: "live",
  tier: "indie",
  per_minute: 60,
  created_at: 1,
}
export const posting = {
  id: "req_1",
  at: 2,
  kind: "charge",
  account_id: "acct_1",
  debit: "wallet:acct_1",
  credit: "revenue",
  micros: 1_000_000,
}
export const report = {
  station: "KNYC",
  day: "2026-07-08",
  product_id: "202607090626-KOKX-CDUS41-CLINYC",
  issued_at: 3,
  status: "final",
  source: "test",
  received_at: 4,
  headline: "CENTRAL PARK NY",
  correction: 0,
  flags: "",
  text: "…",
}

export const inserted = (table: string, row: Record<string, unknown>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`INSERT INTO ${sql(table)} ${sql.insert(row as never)}`)
