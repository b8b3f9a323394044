import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as AuditRows from "../../../../../adapters/store/trail/rows.ts"
import { readTrail, trail, trailWriter } from "../../../../../adapters/store/upkeep/copy/audit.ts"
import type { Row } from "../../../../../adapters/store/upkeep/copy/canonical.ts"
import { open } from "../../../../../adapters/store/upkeep/copy/End.ts"
import type { Audit } from "../../../../../core/account/Ledger.ts"
import { MicroUsd } from "../../../../../core/account/Money.ts"
import { folder } from "../../../../support/store.ts"

const line = (n: number, charged: number): Audit => ({
  at: n,
  requestId: `req_${n}`,
  accountId: `acct_${n % 2}`,
  keyId: "key_1",
  endpoint: "weather_settlement",
  paramsHash: "ab".repeat(32),
  status: 200,
  charged: MicroUsd(charged),
  latencyMs: 1,
})

const stores = Effect.gen(function* () {
  const path = yield* folder
  const source = yield* open("--to", { _tag: "Sqlite", file: join(path, "a.db") })
  const { begin, writeTo } = AuditRows.make(source.db!)
  for (const month of ["2026-08", "2026-07", "2026-06"]) begin(month)
  writeTo("2026-08", line(3, 0))
  writeTo("2026-07", line(2, 10))
  writeTo("2026-07", line(1, 20))
  writeTo("2026-06", line(9, 5))
  source.db!.exec("UPDATE audit_months SET dropping = 1 WHERE month = '2026-06'")
  return { source, target: yield* open("--to", { _tag: "Sqlite", file: join(path, "b.db") }) }
})

describe("the audit trail of a copy", () => {
  it("has the month of a row before its columns, and is known by month and request", () => {
    assert.deepStrictEqual(
      trail.columns.map(({ name }) => name),
      [
        "month",
        "request_id",
        "at",
        "account_id",
        "agent_id",
        "key_id",
        "endpoint",
        "params_hash",
        "status",
        "code",
        "charged_micros",
        "latency_ms",
        "calls",
      ],
    )
    assert.deepStrictEqual(trail.key, ["month", "request_id"])
  })

  it.scoped("is read month by month in the order of writing, without one that is being dropped", () =>
    Effect.gen(function* () {
      const { source } = yield* stores
      const seen: Array<unknown> = []
      const see = (...what: ReadonlyArray<unknown>) => Effect.sync(() => void seen.push(what.join(" ")))
      yield* readTrail(
        source,
        (month, rows) => see(month, ...rows.map((row) => row[1])),
        (month) => see("begin", month),
        (month) => see("end", month),
      )
      assert.deepStrictEqual(seen, [
        "begin 2026-07",
        "2026-07 req_2 req_1",
        "end 2026-07",
        "begin 2026-08",
        "2026-08 req_3",
        "end 2026-08",
      ])
    }),
  )

  it.scoped(
    "is the same in the target, where all rows are folded and none is to be posted to the journal any more",
    () =>
      Effect.gen(function* () {
        const { source, target } = yield* stores
        const { begin, put, end } = trailWriter(target, [])
        yield* readTrail(source, put, begin, end)
        const all = (from: typeof source) =>
          Effect.gen(function* () {
            const rows: Array<Row> = []
            yield* readTrail(from, (_, some) => Effect.sync(() => void rows.push(...some)))
            return rows
          })
        const copied = yield* all(target)
        assert.strictEqual(copied.length, 3)
        assert.deepStrictEqual(copied, yield* all(source))
        const rowsOf = (text: string) => target.db!.prepare(text).raw().all()
        // The journal itself is copied as a table of its own.
        assert.deepStrictEqual(rowsOf("SELECT id FROM journal"), [])
        assert.deepStrictEqual(rowsOf("SELECT month, seq FROM journal_places ORDER BY month"), [
          ["2026-07", 2],
          ["2026-08", 1],
        ])
        assert.deepStrictEqual(rowsOf("SELECT month, account, seq FROM audit_folds WHERE month <> '' ORDER BY month"), [
          ["2026-07", 0, 2],
          ["2026-08", 0, 1],
        ])
        assert.deepStrictEqual(rowsOf("SELECT at, seq FROM audit_2026_07_accounts ORDER BY seq"), [
          [2, 1],
          [1, 2],
        ])
      }),
  )

  it.scoped("is an error where a row cannot be written", () =>
    Effect.gen(function* () {
      const { target } = yield* stores
      const { put } = trailWriter(target, [])
      const error = yield* Effect.flip(put("2026-07", [["2026-07", "req_1"]]))
      assert.strictEqual(error._tag, "SqlError")
    }),
  )
})
