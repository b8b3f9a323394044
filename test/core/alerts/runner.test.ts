import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { AlertStore } from "../../../core/alerts/AlertStore.ts"
import { Alerts } from "../../../core/alerts/Alerts.ts"
import { turning } from "../../../core/alerts/runner.ts"
import { catalogue, watches } from "../../../core/lanes/all.ts"
import { alertsOver, payer } from "../../support/alertGateway.ts"
import { storeAt } from "../../support/place.ts"

const call = (station: string) => `/v1/weather/signal?station=${station}`

describe("the runner of alerts", () => {
  it.live("does not wait with other calls for a source that does not answer, and asks it once", () => {
    let [level, asked] = [50, 0]
    const hanging = Effect.zipRight(
      Effect.sync(() => asked++),
      Effect.never,
    )
    const alerts = alertsOver(storeAt(":memory:"), (station) =>
      station === "KMIA" ? hanging : Effect.sync(() => level),
    )
    return Effect.gen(function* () {
      const account = yield* payer(1_000_000)
      const { create } = yield* Alerts
      yield* create({ account, call: call("KMIA"), threshold: 1 })
      const { id } = yield* create({ account, call: call("KNYC"), threshold: 1 })
      const { begin } = yield* turning(catalogue, watches)
      yield* begin
      yield* Effect.sleep(50)
      level = 60
      yield* begin
      const store = yield* AlertStore
      const fired = yield* Effect.repeat(Effect.delay(store.fired(account, 0, 10), 5), {
        until: (events) => events.length > 0,
      })
      assert.deepStrictEqual(
        fired.map(({ data }) => [data.alert_id, data.changes]),
        [[id, [{ subject: "2026-09-10", measure: "high_f", value: 60, before: 50 }]]],
      )
      assert.strictEqual(asked, 1)
    }).pipe(Effect.scoped, Effect.provide(alerts))
  })
})
