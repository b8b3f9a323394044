import type * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import {
  defectOf,
  dump,
  inserted,
  key,
  populated,
  posting,
  report,
  rowsOf,
  using,
  valueOf,
} from "../../../support/sqlite.ts"

describe("the schema", () => {
  const refused = (name: string, effect: Effect.Effect<unknown, unknown, SqlClient.SqlClient>, message: RegExp) =>
    it.effect(name, () =>
      using(
        ":memory:",
        Effect.gen(function* () {
          yield* populated
          const before = yield* dump
          const exit = yield* Effect.exit(effect)
          assert.match(defectOf(exit), message)
          assert.deepStrictEqual(yield* dump, before)
        }),
      ),
    )

  it.effect("has append-only tables: money, the record, scored rows, and the weather model's calibrations", () =>
    using(
      ":memory:",
      Effect.gen(function* () {
        const tables = yield* rowsOf(`
          SELECT tbl_name AS name FROM sqlite_schema
          WHERE type = 'trigger' AND name IN (tbl_name || '_no_update', tbl_name || '_no_delete')
            AND sql LIKE '% BEFORE ' || substr(name, -6) || ' ON ' || tbl_name || '%BEGIN SELECT RAISE(ABORT, %'
          GROUP BY 1 HAVING COUNT(*) = 2 ORDER BY 1`)
        const names = `
          audit_accounts audit_agents audit_callers audit_ends audit_rows bench_models bench_opinions
          capture_outcomes captured_contracts captures changes climate_reports journal mlb_pitched_games
          mlb_pitcher_careers order_facts orders outbox pool_weights record_checkpoints record_inputs
          record_leaves settled_rows temperature_calibrations temperature_forecasts temperature_residuals
          temperature_steps venue_readings weather_voids`
        assert.strictEqual(tables.map(({ name }) => name).join(" "), names.trim().replaceAll(/\s+/g, " "))
      }),
    ),
  )

  it.effect("numbers no delivery as one that was deleted", () =>
    using(
      ":memory:",
      Effect.gen(function* () {
        yield* populated
        const webhook = { id: "whk_1", account_id: "acct_1", url: "", status: "active", secret: "", created_at: 1 }
        yield* inserted("webhooks", webhook)
        const of = { webhook_id: "whk_1", event_id: "evt_1", type: "x", cause: "test" }
        for (const seq of [1, 2, 3]) {
          yield* inserted("webhook_deliveries", { ...of, created_at: 1, due_at: 1 })
          assert.strictEqual(yield* valueOf("SELECT seq FROM webhook_deliveries"), seq)
          yield* rowsOf("DELETE FROM webhook_deliveries")
        }
      }),
    ),
  )

  describe("rejects invalid rows", () => {
    const rows: ReadonlyArray<readonly [name: string, table: string, row: Record<string, unknown>, message: RegExp]> = [
      ["a charge of 0", "journal", { ...posting, id: "x", micros: 0 }, /CHECK constraint failed: micros > 0/],
      ["a negative charge", "journal", { ...posting, id: "x", micros: -1 }, /CHECK constraint failed: micros > 0/],
      ["a posting to its own ledger", "journal", { ...posting, id: "x", credit: posting.debit }, /: credit <> debit/],
      ["half a micro-dollar", "journal", { ...posting, id: "x", micros: 0.5 }, /failed: typeof\(micros\) = 'integer'/],
      ["an amount in words", "journal", { ...posting, id: "x", micros: "one" }, /failed: typeof\(micros\) = 'integer'/],
      ["a charge of another wallet", "journal", { ...posting, id: "x", debit: "wallet:acct_2" }, /failed: CASE kind/],
      ["a credit out of the wallet", "journal", { ...posting, id: "x", kind: "credit" }, /failed: CASE kind/],
      ["an unknown kind of posting", "journal", { ...posting, id: "x", kind: "gift" }, /CHECK constraint failed: kind/],
      ["a posting twice", "journal", posting, /UNIQUE constraint failed: journal\.account_id, journal\.id/],
      ["a posting without an id", "journal", { ...posting, id: null }, /NOT NULL constraint failed: journal\.id/],
      ["an unknown environment", "api_keys", { ...key, id: "x", hash: "x", environment: "prod" }, /CHECK constraint/],
      [
        "a key without calls",
        "api_keys",
        { ...key, id: "x", hash: "x", per_minute: 0 },
        /CHECK constraint failed: per/,
      ],
      ["a hash twice", "api_keys", { ...key, id: "x" }, /UNIQUE constraint failed: api_keys\.hash/],
      ["a name twice", "accounts", { id: "x", name: "one", created_at: 1 }, /UNIQUE constraint failed: accounts\.name/],
      ["a second wallet", "wallets", { account_id: "acct_1", balance_micros: 0 }, /UNIQUE constraint failed: wallets/],
      [
        "an unknown status",
        "climate_reports",
        { ...report, day: "x", status: "draft" },
        /CHECK constraint failed: sta/,
      ],
      ["a correction flag of 2", "climate_reports", { ...report, day: "x", correction: 2 }, /CHECK .* failed: corr/],
    ]
    for (const [name, table, row, message] of rows) refused(name, inserted(table, row), message)
    refused(
      "a balance below zero",
      rowsOf("UPDATE wallets SET balance_micros = balance_micros - 9000001"),
      /CHECK constraint failed: balance_micros >= 0/,
    )
    refused(
      "a balance with a fraction",
      rowsOf("UPDATE wallets SET balance_micros = balance_micros * 0.3333333"),
      /CHECK constraint failed: typeof\(balance_micros\) = 'integer'/,
    )
  })

  describe("rejects rows without an owner", () => {
    const rows: ReadonlyArray<readonly [table: string, row: Record<string, unknown>]> = [
      ["api_keys", { ...key, id: "x", hash: "x", account_id: "acct_2" }],
      ["wallets", { account_id: "acct_2", balance_micros: 0 }],
      ["journal", { ...posting, id: "x", account_id: "acct_2", debit: "wallet:acct_2" }],
      ["journal", { ...posting, id: "x", key_id: "key_2" }],
    ]
    for (const [table, row] of rows) {
      refused(`${table} ${JSON.stringify(row)}`, inserted(table, row), /FOREIGN KEY constraint failed/)
    }
    refused("an account that still has rows", rowsOf("DELETE FROM accounts"), /FOREIGN KEY constraint failed/)

    it.effect("keys and alerts of another account's agent", () =>
      using(
        ":memory:",
        Effect.gen(function* () {
          yield* populated
          yield* inserted("accounts", { id: "acct_2", name: "two", created_at: 1 })
          for (const account_id of ["acct_1", "acct_2"]) {
            yield* inserted("agents", { id: account_id, account_id, name: "a", status: "active", created_at: 1 })
          }
          const alert = { account_id: "acct_1", key_id: "key_1", key_hash: "", call: "" }
          const rows = [
            ["api_keys", { ...key, id: "x", hash: "x" }],
            ["alerts", { ...alert, id: "x", status: "active", created_at: 1 }],
          ] as const
          for (const [table, row] of rows) {
            const exit = yield* Effect.exit(inserted(table, { ...row, agent_id: "acct_2" }))
            assert.match(defectOf(exit), /FOREIGN KEY constraint failed/)
            yield* inserted(table, { ...row, agent_id: "acct_1" })
          }
        }),
      ),
    )
  })
})
