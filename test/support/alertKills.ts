import * as SqlClient from "@effect/sql/SqlClient"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Accounts } from "../../core/account/Accounts.ts"
import { AlertStore } from "../../core/alerts/AlertStore.ts"
import { Alerts } from "../../core/alerts/Alerts.ts"
import { turning } from "../../core/alerts/runner.ts"
import { catalogue, watches } from "../../core/lanes/all.ts"
import { signal } from "../../core/lanes/weather/endpoints.ts"
import { alertsOver, payer, watched } from "./alertGateway.ts"
import { killing } from "./killing.ts"
import { storeAt } from "./place.ts"
import * as processes from "./processes.ts"

const funds = 1_000_000_000_000

/**
 * Kills runners of alerts over one store, and checks that each crossing has one event and one charge.
 *
 * @param place a file of SQLite or the URL of a PostgreSQL database
 * @returns the number of crossings
 */
export const alertKills = (place: string, kills: number, nodes: number): Effect.Effect<number, unknown> => {
  const operator = alertsOver(storeAt(place), () => Effect.succeed(0))
  return Effect.gen(function* () {
    const { id: account, alerts } = yield* Effect.gen(function* () {
      const accounts = yield* Accounts
      const id = yield* payer(funds)
      yield* accounts.setTier(id, { tier: "enterprise", rpm: 10_000_000 })
      const { create } = yield* Alerts
      const made = yield* Effect.forEach([1, 2, 3], () => create({ account: id, call: watched, threshold: 1 }))
      return { id, alerts: made.map((one) => one.id) }
    }).pipe(Effect.provide(operator))
    yield* Effect.promise(() =>
      killing({ nodes, kills, lines: 3 }, () => processes.start("test/support/alertProcess.ts", [place])),
    )
    return yield* Effect.gen(function* () {
      // A crossing that the last one left is fired by whoever comes after it. The level is far from all others: one more crossing.
      const { turn } = yield* turning(catalogue, watches, { takenOverMs: 0 })
      yield* turn
      yield* turn
      const events = yield* Effect.flatMap(AlertStore, ({ fired }) => fired(account, 0, 10_000_000))
      for (const id of alerts) {
        const own = events.filter(({ data }) => data.alert_id === id).sort((a, b) => a.data.crossing - b.data.crossing)
        assert.isAbove(own.length, 1)
        for (const [n, { data }] of own.entries()) {
          assert.strictEqual(data.crossing, n + 1)
          // Each move is counted from the one before: none is lost, and none is there twice.
          if (n > 0) assert.strictEqual(data.changes[0]!.before, own[n - 1]!.data.changes[0]!.value)
        }
      }
      const sql = yield* SqlClient.SqlClient
      const [charges] = yield* sql<{ count: number }>`SELECT COUNT(*) AS count FROM postings WHERE kind = 'charge'`
      assert.strictEqual(Number(charges!.count), events.length)
      const { balance } = yield* (yield* Accounts).balance(account)
      assert.strictEqual(balance, funds - events.length * signal.priceMicros)
      return events.length
    }).pipe(Effect.provide(operator))
  }).pipe(Effect.scoped)
}
