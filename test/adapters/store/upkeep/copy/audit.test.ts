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
  const { writeTo } = AuditRows.make(source.db!)
  writeTo("2026-06", line(9, 5))
  writeTo("2026-07", line(2, 10))
  writeTo("2026-07", line(1, 20))
  writeTo("2026-08", line(3, 0))
  // As a drop of June does first.
  source.db!.exec(`UPDATE places SET seq = 2 WHERE name = 'kept'; DELETE FROM audit_begins WHERE month = '2026-06';
    DELETE FROM audit_months WHERE month = '2026-06'`)
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

  it.scoped("is read month by month in the order of writing, without one that is dropped", () =>
    Effect.gen(function* () {
      const { source } = yield* stores
      const seen: Array<unknown> = []
      const see = (...what: ReadonlyArray<unknown>) => Effect.sync(() => void seen.push(what.join(" ")))
      yield* readTrail(
        source,
        (month, rows) => see(month, ...rows.map((row) => row[1])),
        (month) => see("begin", month),
      )
      assert.deepStrictEqual(seen, ["begin 2026-07", "2026-07 req_2 req_1", "begin 2026-08", "2026-08 req_3"])
    }),
  )

  it.scoped(
    "is the same in the target, where all rows are folded and none is to be posted to the journal any more",
    () =>
      Effect.gen(function* () {
        const { source, target } = yield* stores
        const { begin, put, end } = trailWriter(target, [])
        yield* readTrail(source, put, begin)
        yield* end
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
        assert.deepStrictEqual(
          rowsOf("SELECT name, seq FROM places WHERE name IN ('folded', 'kept', 'posted') ORDER BY 1"),
          [
            ["folded", 3],
            ["kept", 1],
            ["posted", 3],
          ],
        )
        assert.deepStrictEqual(rowsOf("SELECT seq, month FROM audit_begins ORDER BY seq"), [
          [1, "2026-07"],
          [3, "2026-08"],
        ])
        assert.deepStrictEqual(rowsOf("SELECT at, seq FROM audit_index ORDER BY seq"), [
          [2, 1],
          [1, 2],
          [3, 3],
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
