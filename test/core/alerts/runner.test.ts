import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Accounts } from "../../../core/account/Accounts.ts"
import { Agents } from "../../../core/account/Agents.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import { AlertStore } from "../../../core/alerts/AlertStore.ts"
import { Alerts } from "../../../core/alerts/Alerts.ts"
import { makeRunner } from "../../../core/alerts/runner.ts"
import type { Failure } from "../../../core/Failure.ts"
import { catalogue, watches } from "../../../core/lanes/all.ts"
import { alertsOver, payer } from "../../support/alertGateway.ts"
import { storeAt } from "../../support/place.ts"

type Stop = (account: string, agent: string, keyId: string) => Effect.Effect<unknown, Failure, Accounts | Agents>
const suspend = (account: string) => Effect.flatMap(Accounts, (accounts) => accounts.suspend(account))
const resumeAll = (account: string, agent: string) =>
  Effect.zipRight(
    Effect.flatMap(Accounts, (accounts) => accounts.resume(account)),
    agent === "" ? Effect.void : Effect.flatMap(Agents, (agents) => agents.resume(agent)),
  )
const pauseAgent = (agent: string) => Effect.flatMap(Agents, (agents) => agents.pause(agent))
const revoke = (keyId: string) => Effect.flatMap(Accounts, (accounts) => accounts.revokeKey(keyId))

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
      const { begin } = yield* makeRunner(catalogue, watches)
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

  /** What an owner sees of an alert, but for what makes it this one. */
  const shown = (id: string) =>
    Effect.map(
      Effect.flatMap(Alerts, ({ get }) => get(id)),
      ({ status, reason, crossings, firedAt }) => ({ status, reason, crossings, firedAt }),
    )

  const dollar = 1_000_000
  const caps = { monthlyCap: MicroUsd(0) }
  it.live.each([
    ["too little in the wallet", 9_999, {}, () => Effect.void, "insufficient_funds"],
    ["an agent's cap", dollar, { agent: caps }, () => Effect.void, "agent_budget_exceeded"],
    ["a paused agent", dollar, { agent: {} }, (_: string, agent: string) => pauseAgent(agent), undefined],
    ["a suspended account", dollar, {}, (account: string) => suspend(account), undefined],
    ["a revoked key", dollar, {}, (_: string, __: string, keyId: string) => revoke(keyId), "invalid_api_key"],
  ] as const)("are not looked at with %s: those that would cross and those that would not look the same", (parts) => {
    const [, money, { agent: caps }, stop, reason]: readonly [
      string,
      number,
      { readonly agent?: object },
      Stop,
      string | undefined,
    ] = parts
    let asked = 0
    const alerts = alertsOver(storeAt(":memory:"), () => Effect.sync(() => [50, 60][asked++]!))
    return Effect.gen(function* () {
      const account = yield* payer(money)
      const { create } = yield* Alerts
      const agent = caps === undefined ? {} : { agent: (yield* (yield* Agents).create(account, "one", caps)).id }
      const ids: Array<string> = []
      for (const threshold of [1, 1_000]) {
        const made = yield* create({ account, call: call("KNYC"), threshold, ...agent })
        ids.push(made.id)
        yield* stop(account, agent.agent ?? "", made.keyId)
      }
      const { turn } = yield* makeRunner(catalogue, watches)
      yield* turn
      yield* turn
      assert.strictEqual(asked, 0)
      for (const id of ids) {
        assert.deepStrictEqual(yield* shown(id), {
          // An agent is paused, and an account suspended, for a time.
          status: reason === undefined ? "active" : "paused",
          reason,
          crossings: 0,
          firedAt: undefined,
        } as never)
      }
      yield* resumeAll(account, agent.agent ?? "")
      yield* turn
      assert.strictEqual(asked, reason === undefined ? 1 : 0)
    }).pipe(Effect.scoped, Effect.provide(alerts))
  })

  it.live("count and show charged firings alone: of crossings that the wallet does not cover nothing is seen", () => {
    let level = 50
    const alerts = alertsOver(storeAt(":memory:"), () => Effect.sync(() => level))
    return Effect.gen(function* () {
      // One firing.
      const account = yield* payer(10_000)
      const { create, resume } = yield* Alerts
      // Alerts are looked at in the order of their ids, of which those of one millisecond have none.
      const made = yield* Effect.forEach([1, 2, 1_000], (threshold) =>
        Effect.delay(create({ account, call: call("KNYC"), threshold }), "2 millis"),
      )
      const { turn } = yield* makeRunner(catalogue, watches, { atOnce: 1 })
      yield* turn
      level = 60
      yield* turn
      yield* turn
      const [first, ...others] = yield* Effect.forEach(made, ({ id }) => shown(id))
      assert.deepInclude(first, { status: "paused", reason: "insufficient_funds", crossings: 1 })
      for (const other of others) {
        assert.deepStrictEqual(other, {
          status: "paused",
          reason: "insufficient_funds",
          crossings: 0,
          firedAt: undefined,
        })
      }
      // Paid and resumed, they begin anew; the number of a firing is that of charged ones.
      yield* (yield* Accounts).credit(account, MicroUsd(dollar))
      yield* Effect.forEach(made, ({ id }) => resume(id))
      yield* turn
      level = 70
      yield* turn
      const events = yield* (yield* AlertStore).fired(account, 0, 10)
      assert.deepStrictEqual(
        events.map(({ data }) => [made.findIndex(({ id }) => id === data.alert_id), data.crossing]).sort(),
        [
          [0, 1],
          [0, 2],
          [1, 1],
        ],
      )
    }).pipe(Effect.scoped, Effect.provide(alerts))
  })
})
