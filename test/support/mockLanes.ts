import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { baseball } from "../../adapters/lanes/baseball/module.ts"
import { crypto } from "../../adapters/lanes/crypto/module.ts"
import { football } from "../../adapters/lanes/football/module.ts"
import * as mock from "../../adapters/lanes/markets/mock/markets.ts"
import { weather } from "../../adapters/lanes/weather/module.ts"
import * as secrets from "../../adapters/runtime/node/secrets.ts"
import type { Priced } from "../../core/contracts/Contract.ts"
import type { Failure } from "../../core/Failure.ts"
import { Feeds } from "../../core/feeds/Feeds.ts"
import { Baseball } from "../../core/lanes/baseball/Baseball.ts"
import { Crypto } from "../../core/lanes/crypto/Crypto.ts"
import { Football } from "../../core/lanes/football/Football.ts"
import { Markets } from "../../core/lanes/markets/Markets.ts"
import { OpenContracts, SettledRows } from "../../core/lanes/markets/ports.ts"
import { Weather } from "../../core/lanes/weather/Weather.ts"
import { type CurrentRow, domains } from "../../core/record/scoreboard/Settled.ts"
import { clockAt } from "./clock.ts"

/** The lanes that price contracts, over their generated ports. */
export const mockLanes = Layer.mergeAll(Weather.layer, Crypto.layer, Football.layer, Baseball.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(weather.mock, crypto.mock, football.mock, baseball.mock)),
  Layer.provide([secrets.layer, Feeds.layerNone]),
)

/** The markets lane over them, with their ports and its own. */
export const mockMarkets = Markets.layer.pipe(
  Layer.provideMerge(mock.layer),
  Layer.provideMerge(mockLanes),
  Layer.provideMerge(Feeds.layerNone),
)

const once = ManagedRuntime.make(mockMarkets)

/** The same, built once for all that a file asks of it: its record takes a while. */
export const mockMarketsOnce = Layer.effectContext(Effect.map(once.runtimeEffect, ({ context }) => context))

const asOf =
  (now: number) =>
  <A, R>(effect: Effect.Effect<A, Failure, R>) =>
    effect.pipe(Effect.withClock(clockAt(now)), Effect.orDie)

/** The contracts that the generated venue lists at a time. */
export const mockOpen = (now: number): Effect.Effect<ReadonlyArray<Priced>> =>
  Effect.flatMap(OpenContracts, ({ open }) => open).pipe(
    Effect.map(({ contracts }) => contracts),
    asOf(now),
    Effect.provide(mockMarketsOnce),
  )

/** The rows of the generated record at a time. */
export const mockRows = (now: number): Effect.Effect<ReadonlyArray<CurrentRow>> =>
  Effect.flatMap(SettledRows, ({ after }) =>
    Effect.forEach(domains, (domain) => after(domain, undefined, 10_000)),
  ).pipe(
    Effect.map((rows) => rows.flat()),
    asOf(now),
    Effect.provide(mockMarketsOnce),
  )
