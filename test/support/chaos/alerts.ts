import { ok, strictEqual } from "node:assert"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { Accounts } from "../../../core/account/Accounts.ts"
import { AlertStore } from "../../../core/alerts/AlertStore.ts"
import { Alerts } from "../../../core/alerts/Alerts.ts"
import { makeRunner } from "../../../core/alerts/runner.ts"
import { catalogue, watches } from "../../../core/lanes/all.ts"
import { signal } from "../../../core/lanes/weather/endpoints.ts"
import { alertsOver, gatewayOver, payer, watched } from "../alertGateway.ts"
import { storeAt } from "../place.ts"
import { say } from "../say.ts"
import type { Workload } from "./chaos.ts"

const funds = 1_000_000_000_000

/** Looks at the alerts again and again, each time at a temperature that has moved by a degree for each five milliseconds. */
export const work = (place: string) =>
  Effect.flatMap(makeRunner(catalogue, watches, { takenOverMs: 50 }), ({ turn }) =>
    Effect.forever(
      Effect.zipRight(
        turn,
        Effect.sync(() => say("looked")),
      ),
    ),
  ).pipe(
    Effect.scoped,
    Effect.provide(gatewayOver(storeAt(place), () => Effect.sync(() => Math.floor(Date.now() / 5)))),
  )

/** Each crossing has one event and one charge. */
export const alerts: Workload = {
  name: "alerts",
  prepare: ({ place, rounds }) => {
    const operator = alertsOver(storeAt(place), () => Effect.succeed(0))
    return Effect.gen(function* () {
      const account = yield* payer(funds)
      yield* (yield* Accounts).setTier(account, { tier: "enterprise", rpm: 10_000_000 })
      const { create } = yield* Alerts
      const made = yield* Effect.forEach([1, 2, 3], () => create({ account, call: watched, threshold: 1 }))
      const book = (isLast: boolean) =>
        Effect.gen(function* () {
          // A crossing that one left is fired by whoever comes after it. The level is far from all others: one more crossing.
          const { turn } = yield* makeRunner(catalogue, watches, { takenOverMs: 0 })
          yield* turn
          yield* turn
          const events = yield* Effect.flatMap(AlertStore, ({ fired }) => fired(account, 0, 10_000_000))
          for (const { id } of made) {
            const own = events
              .filter(({ data }) => data.alert_id === id)
              .sort((a, b) => a.data.crossing - b.data.crossing)
            ok(own.length > 1)
            for (const [n, { data }] of own.entries()) {
              strictEqual(data.crossing, n + 1)
              // Each move is counted from the one before: none is lost, and none is there twice.
              if (n > 0) strictEqual(data.changes[0]!.before, own[n - 1]!.data.changes[0]!.value)
            }
          }
          const sql = yield* SqlClient.SqlClient
          const [charges] = yield* sql<{ count: number }>`SELECT COUNT(*) AS count FROM postings WHERE kind = 'charge'`
          strictEqual(Number(charges!.count), events.length)
          const { balance } = yield* (yield* Accounts).balance(account)
          strictEqual(balance, funds - events.length * signal.priceMicros)
          if (!isLast) return
          ok(events.length > rounds)
          yield* Effect.logInfo(`${events.length} crossings`)
        }).pipe(Effect.scoped, Effect.provide(operator))
      return { given: {}, book: (_: unknown, isLast: boolean) => book(isLast) }
    }).pipe(Effect.provide(operator))
  },
}
