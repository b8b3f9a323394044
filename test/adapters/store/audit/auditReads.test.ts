import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type AuditRow, readAgentTrail, readPage, toAudit } from "../../../../adapters/store/audit/auditReads.ts"
import { Sqlite } from "../../../../adapters/store/engine/sqlite/client.ts"
import * as sqlite from "../../../../adapters/store/engine/sqlite/open.ts"
import * as AuditRows from "../../../../adapters/store/trail/rows.ts"
import type { Audit } from "../../../../core/account/Ledger.ts"
import { MicroUsd } from "../../../../core/account/Money.ts"

const line = (n: number, more: Partial<Audit> = {}): Audit => ({
  at: n,
  requestId: `req_${n}`,
  accountId: "acct_1",
  agentId: "agt_1",
  keyId: "key_1",
  endpoint: "weather_settlement",
  paramsHash: "ab".repeat(32),
  status: 200,
  charged: MicroUsd(10),
  latencyMs: 1,
  calls: 1,
  ...more,
})

type Months = Readonly<Record<string, ReadonlyArray<Audit>>>

/** A test over a trail with some months. */
const over = <A, E>(months: Months, work: (sql: SqlClient.SqlClient) => Effect.Effect<A, E, Sqlite>) =>
  Effect.gen(function* () {
    const { writeTo } = AuditRows.make((yield* Sqlite).db)
    for (const [month, lines] of Object.entries(months)) for (const each of lines) writeTo(month, each)
    return yield* work(yield* SqlClient.SqlClient)
  }).pipe(Effect.provide(sqlite.layer(":memory:")))

/** Hides the rows before a place, as a drop does first. */
const keep = (first: number) =>
  Effect.map(Sqlite, ({ db }) => void db.prepare("UPDATE places SET seq = ? WHERE name = 'kept'").run(first))

const idsOf = (rows: ReadonlyArray<Audit> | undefined) => rows?.map(({ requestId }) => requestId)

const twoMonths: Months = {
  "2026-07": [line(1), line(2, { agentId: "agt_2" }), line(3)],
  "2026-08": [line(4), line(5)],
}

describe("a row of the audit trail", () => {
  const row: AuditRow = {
    seq: 7,
    at: 1,
    request_id: "req_1",
    account_id: "acct_1",
    agent_id: null,
    key_id: "key_1",
    endpoint: "weather_settlement",
    params_hash: "",
    status: 404,
    code: "not_found",
    charged_micros: MicroUsd(0),
    latency_ms: 3,
    calls: 2,
  }

  it("is read without its number and without what is absent", () => {
    const { agentId: _, ...rest } = line(1, { paramsHash: "", status: 404, code: "not_found", latencyMs: 3, calls: 2 })
    assert.deepStrictEqual(toAudit(row), { ...rest, charged: MicroUsd(0) })
    assert.strictEqual(toAudit({ ...row, agent_id: "agt_1" }).agentId, "agt_1")
  })

  it("is refused with a charge that is no whole number", () => {
    assert.throws(() => toAudit({ ...row, charged_micros: 0.5 as MicroUsd }))
  })
})

describe("a page of a month", () => {
  it.effect("has a next one only if it is full", () =>
    over(twoMonths, (sql) =>
      Effect.gen(function* () {
        const page = (after: number, limit: number) =>
          Effect.map(readPage(sql, "2026-07", after, limit), ({ rows, ...next }) => [
            ...rows.map(({ request_id }) => request_id),
            next,
          ])
        assert.deepStrictEqual(yield* page(0, 4), ["req_1", "req_2", "req_3", {}])
        assert.deepStrictEqual(yield* page(0, 3), ["req_1", "req_2", "req_3", { next: 3 }])
        assert.deepStrictEqual(yield* page(0, 2), ["req_1", "req_2", { next: 2 }])
        assert.deepStrictEqual(yield* page(2, 2), ["req_3", {}])
        assert.deepStrictEqual(yield* page(3, 2), [{}])
        const { rows, next } = yield* readPage(sql, "2026-08", 0, 1)
        assert.deepStrictEqual([rows.map(({ request_id }) => request_id), next], [["req_4"], 4])
        assert.deepStrictEqual((yield* readPage(sql, "2026-08", 4, 2)).rows.length, 1)
      }),
    ),
  )
})

describe("the trail of an agent", () => {
  it.effect("is without a month that is being dropped", () =>
    over(twoMonths, (sql) =>
      Effect.gen(function* () {
        yield* keep(4)
        assert.deepStrictEqual(idsOf(yield* readAgentTrail(sql, "agt_1", undefined, 9)), ["req_4", "req_5"])
        assert.isUndefined(yield* readAgentTrail(sql, "agt_1", "req_1", 9))
      }),
    ),
  )
})
