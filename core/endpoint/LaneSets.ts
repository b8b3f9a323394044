import type * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { type Failure, fail } from "../Failure.ts"
import * as Step from "../Step.ts"
import type { Answer } from "./Answer.ts"
import type * as Catalogue from "./Catalogue.ts"
import type * as Lane from "./Lane.ts"
import * as Rounding from "./Rounding.ts"

/** Runs a method of a lane; its answer may be done when it returns. */
export type Handler<R = never> = (params: unknown) => Step.Step<Answer<unknown>, Failure, R>
export type LaneSet<R = never> = ReadonlyMap<string, Handler<R>>

/**
 * The method of each endpoint id, read once from a context. Endpoints of an absent lane answer 503.
 *
 * @param clock of the calls that run without a fiber; without it a method that reads the time waits for one
 */
export const fromContext = <R = never>(
  catalogue: Catalogue.Any,
  context: Context.Context<never>,
  clock?: Clock.Clock,
): LaneSet<R> =>
  new Map(
    catalogue.entries.map(({ endpoint, lane, method }): [string, Handler<R>] => {
      const service = Context.getOption(
        context,
        lane.tag as unknown as Context.Tag<
          never,
          Readonly<Record<string, (params: unknown) => Effect.Effect<Answer<unknown>, Failure, R>>>
        >,
      )
      return [
        endpoint.id,
        Option.isSome(service)
          ? Step.eager(Rounding.method(endpoint, service.value[method]!), clock)
          : () => Effect.fail(fail("data_provider_unavailable")),
      ]
    }),
  )

/** Builds a layer with its own memo map, so that the test set and the live set get separate services of one layer. */
export const build = <L extends Lane.Any, E, R>(
  catalogue: Catalogue.Catalogue<L>,
  layer: Layer.Layer<Lane.Tags<L>, E, R>,
): Effect.Effect<LaneSet, E, R | Scope.Scope> =>
  Effect.zipWith(Layer.build(layer), Effect.clock, (context, clock) =>
    fromContext(catalogue, context as Context.Context<never>, clock),
  )

/** The lanes of test keys and the lanes of live keys. */
export class LaneSets extends Context.Tag("market-signals/core/endpoint/LaneSets")<
  LaneSets,
  { readonly test: LaneSet; readonly live: LaneSet }
>() {
  static layer<L extends Lane.Any, E1, R1, E2, R2>(
    catalogue: Catalogue.Catalogue<L>,
    sets: { readonly test: Layer.Layer<Lane.Tags<L>, E1, R1>; readonly live: Layer.Layer<Lane.Tags<L>, E2, R2> },
  ): Layer.Layer<LaneSets, E1 | E2, Exclude<R1 | R2, Scope.Scope>> {
    return Layer.scoped(LaneSets, Effect.all({ test: build(catalogue, sets.test), live: build(catalogue, sets.live) }))
  }
}
