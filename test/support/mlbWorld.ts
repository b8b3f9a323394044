import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as mlb from "../../adapters/lanes/baseball/mlb/layer.ts"
import type { RequestPolicy } from "../../adapters/runtime/upstream/upstream.ts"
import { Feeds } from "../../core/feeds/Feeds.ts"
import { SeasonLines, Slates } from "../../core/lanes/baseball/ports.ts"
import { clockAt, type SetClock } from "./clock.ts"
import { game, mlbRoutes, now } from "./mlb.ts"
import { patient } from "./policy.ts"
import { type Replay, type Route, replay } from "./replay.ts"

export interface World {
  readonly upstream: Replay
  readonly clock: SetClock
  readonly slates: typeof Slates.Service
  readonly lines: typeof SeasonLines.Service
}

/** Both ports over one statistics service. */
export const world = (
  routes: ReadonlyArray<Route>,
  policy: RequestPolicy = patient,
): Effect.Effect<World, never, Scope.Scope> =>
  Effect.gen(function* () {
    const upstream = yield* replay(routes)
    const context = yield* Layer.build(
      mlb
        .layer({ mlb: upstream.url, userAgent: "tests" }, policy)
        .pipe(Layer.provide([FetchHttpClient.layer, Feeds.layerNone])),
    )
    return yield* Effect.provide(
      Effect.map(Effect.all({ slates: Slates, lines: SeasonLines }), (both) => ({
        upstream,
        clock: clockAt(now),
        ...both,
      })),
      context,
    )
  })

/** A test over a real socket, by a clock of its own; `more` routes come before the good ones. */
export const within = (
  sentence: string,
  body: (world: World) => Effect.Effect<void, unknown>,
  more: ReadonlyArray<Route> = [],
  policy: RequestPolicy = patient,
) =>
  it.scopedLive(sentence, () =>
    Effect.flatMap(world([...more, ...mlbRoutes(() => [{ game: game() }])], policy), (made) =>
      Effect.withClock(body(made), made.clock),
    ),
  )
