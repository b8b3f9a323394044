import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as shadowLog from "../../../../adapters/store/record/ShadowLog.ts"
import { type Comparison, ShadowLog } from "../../../../core/shadow/ShadowLog.ts"
import { anyStore } from "../../../support/anyStore.ts"

const comparison = (at: number, changes: Partial<Comparison> = {}): Comparison => ({
  at,
  port: "weather/ClimateReports",
  method: "versions",
  args: '["KNYC"]',
  agreed: true,
  liveMs: 10,
  dropped: 0,
  ...changes,
})

const store = (kept?: number) => Layer.provideMerge(shadowLog.layer(kept), anyStore)

for (const [where, layer] of [
  ["in memory", Layer.suspend(() => ShadowLog.layerMemory([]))],
  ["in a store", store()],
] as const) {
  describe(`a shadow log ${where}`, () => {
    it.effect("sums up agreement by port and method, and shows the last differences", () =>
      Effect.gen(function* () {
        const { record, agreement, differences } = yield* ShadowLog
        assert.deepStrictEqual(yield* agreement, [])
        const different = comparison(3, { agreed: false, difference: "0.high: 85 | 84", liveMs: 21 })
        const failed = comparison(4, {
          method: "latestFinalDay",
          agreed: false,
          difference: "mock: answers; live: timeout",
          failure: "timeout",
          liveMs: 10_000,
          dropped: 3,
        })
        yield* record([comparison(1), comparison(2, { liveMs: 13 })])
        yield* record([])
        yield* record([different, failed])
        yield* record([comparison(5, { port: "crypto/Tape", method: "window" })])
        assert.deepStrictEqual(yield* agreement, [
          {
            port: "crypto/Tape",
            method: "window",
            compared: 1,
            agreed: 1,
            failed: 0,
            dropped: 0,
            meanMs: 10,
            maxMs: 10,
          },
          {
            port: "weather/ClimateReports",
            method: "latestFinalDay",
            compared: 1,
            agreed: 0,
            failed: 1,
            dropped: 3,
            meanMs: 10_000,
            maxMs: 10_000,
          },
          {
            port: "weather/ClimateReports",
            method: "versions",
            compared: 3,
            agreed: 2,
            failed: 0,
            dropped: 0,
            meanMs: 15,
            maxMs: 21,
          },
        ])
        assert.deepStrictEqual(yield* differences(10), [failed, different])
        assert.deepStrictEqual(yield* differences(1), [failed])
        assert.deepStrictEqual(yield* differences(0), [])
      }).pipe(Effect.provide(layer)),
    )
  })
}

describe("a shadow log in a store", () => {
  it.effect("stores the newest comparisons", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { record } = yield* ShadowLog
      for (let at = 0; at < 30; at += 3) {
        yield* record([comparison(at), comparison(at + 1), comparison(at + 2)])
        const rows = yield* sql<{ at: number }>`SELECT at FROM shadow_log ORDER BY at`
        const newest = Array.from({ length: at + 3 }, (_, n) => n).slice(-10)
        assert.deepStrictEqual(
          rows.map((row) => row.at),
          newest,
        )
      }
    }).pipe(Effect.provide(store(10))),
  )
})
