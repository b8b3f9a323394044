import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as hasher from "../../adapters/runtime/node/hasher.ts"
import * as secrets from "../../adapters/runtime/node/secrets.ts"
import * as accountStore from "../../adapters/store/account/AccountStore.ts"
import * as agentStore from "../../adapters/store/account/AgentStore.ts"
import * as alertStore from "../../adapters/store/events/AlertStore.ts"
import * as stores from "../../adapters/store/open.ts"
import { Accounts } from "../../core/account/Accounts.ts"
import { Agents } from "../../core/account/Agents.ts"
import { MicroUsd } from "../../core/account/Money.ts"
import { Alerts } from "../../core/alerts/Alerts.ts"
import type { Answer } from "../../core/endpoint/Answer.ts"
import { type Handler, LaneSets } from "../../core/endpoint/LaneSets.ts"
import { Gateway } from "../../core/gateway/Gateway.ts"
import { catalogue, watches } from "../../core/lanes/all.ts"
import { signal } from "../../core/lanes/weather/endpoints.ts"

/** A call of this gateway, whose only endpoint is a signal with the centre that a test says. */
export const watched = `${signal.path}?station=KNYC`

const answerOf = (level: number): Answer<unknown> => ({
  results: { target_day: "2026-09-10", projection: { high_f: level, low_f: 0 } },
  reasoning: ["Made up."],
  citations: [{ step: 1, source: "test", locator: "test" }],
  confidence: { score: 1, label: "reasoned", factors: [] },
  links: [],
  freshness: "mock",
})

/** A gateway over a store, with the charges and keys of that store, and the store of its alerts. */
export const gatewayOver = <E, R>(
  store: Layer.Layer<stores.Store, E, R>,
  level: (station: string) => Effect.Effect<number>,
) => {
  const handler: Handler = (params) => Effect.map(level((params as { readonly station: string }).station), answerOf)
  const lanes = new Map([[signal.id, handler]])
  return Gateway.layer(catalogue).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        Layer.succeed(LaneSets, { test: lanes, live: lanes }),
        stores.keyring,
        stores.rateLimits,
        stores.ledger.pipe(Layer.provide(hasher.layer)),
        alertStore.layer,
      ),
    ),
    Layer.provideMerge(store),
    Layer.provide(Gateway.layerDefaults),
    Layer.provideMerge(secrets.layer),
  )
}

/** The same with the commands on alerts and accounts. */
export const alertsOver = <E, R>(
  store: Layer.Layer<stores.Store, E, R>,
  level: (station: string) => Effect.Effect<number>,
) =>
  Alerts.layer(catalogue, watches).pipe(
    Layer.provideMerge(Agents.layer),
    Layer.provideMerge(Accounts.layer),
    Layer.provideMerge(Layer.merge(accountStore.layer, agentStore.layer)),
    Layer.provideMerge(gatewayOver(store, level)),
  )

/** The id of a new account with money. */
export const payer = (micros: number) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const { id } = yield* accounts.create("one")
    yield* accounts.credit(id, MicroUsd(micros))
    return id
  })
