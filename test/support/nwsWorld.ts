import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as forecasts from "../../adapters/lanes/weather/nws/forecasts.ts"
import * as observations from "../../adapters/lanes/weather/nws/observations.ts"
import * as Nws from "../../adapters/lanes/weather/nws/source.ts"
import type { RequestPolicy } from "../../adapters/runtime/upstream/upstream.ts"
import type { Failure } from "../../core/Failure.ts"
import { Feeds } from "../../core/feeds/Feeds.ts"
import { Forecasts, Observations } from "../../core/lanes/weather/ports.ts"
import { clockAt, type SetClock } from "./clock.ts"
import { nwsRoutes } from "./nws.ts"
import { patient } from "./policy.ts"
import { type Replay, type Route, replay } from "./replay.ts"

/** When a test of a world begins: an afternoon in summer. */
export const now = Date.UTC(2026, 6, 9, 18, 20)

export interface World {
  readonly nws: Replay
  readonly clock: SetClock
  readonly forecasts: typeof Forecasts.Service
  readonly observations: typeof Observations.Service
}

/** Both ports over one weather service; `more` routes come before the good ones. */
export const world = (
  more: ReadonlyArray<Route> = [],
  policy: RequestPolicy = patient,
): Effect.Effect<World, never, Scope.Scope> =>
  Effect.gen(function* () {
    const clock = clockAt(now)
    const nws = yield* replay([...more, ...nwsRoutes(() => clock.unsafeCurrentTimeMillis())])
    const service = Nws.layer({ nws: nws.url, userAgent: "tests" }, policy)
    const ports = Layer.merge(forecasts.layer, observations.layer).pipe(Layer.provide(service))
    const context = yield* Layer.build(ports.pipe(Layer.provide([FetchHttpClient.layer, Feeds.layerNone])))
    return yield* Effect.provide(
      Effect.all({ forecasts: Forecasts, observations: Observations }).pipe(
        Effect.map((both) => ({ nws, clock, ...both })),
      ),
      context,
    )
  })

/** A test of a world, by its own clock. */
export const within = (
  sentence: string,
  body: (world: World) => Effect.Effect<void, Failure>,
  more: ReadonlyArray<Route> = [],
  policy: RequestPolicy = patient,
) =>
  it.scopedLive(sentence, () => Effect.flatMap(world(more, policy), (made) => Effect.withClock(body(made), made.clock)))
