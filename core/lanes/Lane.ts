import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Watch from "../alerts/Watch.ts"
import type { ContractPricing } from "../contracts/ContractPricing.ts"
import { type Answer, type Freshness, worst } from "../endpoint/Answer.ts"
import type * as Endpoint from "../endpoint/Endpoint.ts"
import type * as Lane from "../endpoint/Lane.ts"
import * as Rounding from "../endpoint/Rounding.ts"
import type { Finds } from "../find/Findable.ts"
import type { Recompute } from "../record/captures/recompute.ts"
import * as Step from "../Step.ts"

export type * from "../endpoint/Lane.ts"

/** A lane: its endpoints, the service over its ports, how its signals are recomputed, and what they price. */
export interface Definition<L extends Lane.Any, R, Pricer = never, Source = never> {
  readonly lane: L
  /** The service over the lane's ports. */
  readonly layer: Layer.Layer<Lane.Tags<L>, never, R>
  /** Recomputes recorded signals from their inputs, by endpoint id. */
  readonly recomputations: Readonly<Record<string, Recompute>>
  /** Prices and settles venue contracts; absent if the lane's signals price none. */
  readonly pricing?: ContractPricing<Pricer, Source>
  /** What alerts can be set on; absent if there is nothing to watch. */
  readonly watches?: ReadonlyArray<Watch.Any>
  /** What can be found in it by name, besides its endpoints. */
  readonly finds?: Finds
}

/** The identifier of a lane's service in the types of layers. */
export interface Id<Name extends string> {
  readonly lane: Name
}

type Endpoints = Readonly<Record<string, Endpoint.AnyAnswered>>
type ContextOf<T> = T extends Effect.Effect<unknown, unknown, infer R> ? R : never
type NeedsOf<E> = E extends { readonly ports: infer P extends Endpoint.Ports } ? ContextOf<P[keyof P]> : never
type Needs<Es extends Endpoints> = NeedsOf<Es[keyof Es]>

/** A lane whose endpoints have their answers. It is also the tag of its service. */
export interface Defined<Name extends string, Es extends Endpoints, R, Pricer = never, Source = never>
  extends Context.Tag<Id<Name>, Lane.Methods<Es>>,
    Definition<Lane.Lane<Name, Es, Id<Name>>, R, Pricer, Source> {}

/** The tag of a lane's service with the methods of some endpoints, for modules that the lane itself imports. */
export const service = <const Name extends string, Es extends Lane.Endpoints>(
  name: Name,
  _endpoints: Es,
): Context.Tag<Id<Name>, Lane.Methods<Es>> => Context.GenericTag(`market-signals/core/lanes/${name}`)

type Services = Readonly<Record<string, unknown>>

/** The worst freshness of the ports among services. */
const findWorstFreshness = (services: Services): Freshness =>
  Object.values(services).reduce<Freshness>((worstSoFar, one) => {
    const { freshness } = Object(one) as { readonly freshness?: Freshness }
    return freshness === undefined ? worstSoFar : worst(worstSoFar, freshness)
  }, "live")

/** Makes the method of an endpoint over the services that it reads. */
const makeMethod = (lane: string, endpoint: Endpoint.AnyAnswered, services: Services) => {
  const { answer } = endpoint as Endpoint.Answering<unknown, unknown, Endpoint.Ports>
  const worst = findWorstFreshness(services)
  const give = (draft: Endpoint.AnswerDraft<unknown>): Answer<unknown> => {
    const { results, explained, confidence, links = [], freshness = worst, record, extras, ...rest } = draft
    return {
      results,
      reasoning: explained.reasoning,
      citations: explained.citations,
      confidence,
      links,
      freshness,
      ...rest,
      ...(record !== undefined && { record: { lane, endpoint: endpoint.id, ...record } }),
      ...(extras !== undefined && { extras }),
    }
  }
  return Rounding.method(
    endpoint,
    Step.method((params: unknown) => answer(params, services, give)),
  )
}

/** Makes the method of a single endpoint over the services that it reads, without a lane. */
export const method = <E extends Endpoint.AnyAnswered>(
  endpoint: E,
  services: Endpoint.Services<E["ports"]>,
): Endpoint.Method<E, Lane.ContextOf<E>> =>
  makeMethod(endpoint.id, endpoint, services) as Endpoint.Method<E, Lane.ContextOf<E>>

/** Makes the methods of endpoints over the services that each reads. */
const makeMethods = <Es extends Endpoints>(
  name: string,
  endpoints: Es,
): Effect.Effect<Lane.Methods<Es>, never, Needs<Es>> =>
  Effect.map(
    Effect.forEach(Object.entries<Endpoint.AnyAnswered>(endpoints), ([key, endpoint]) =>
      Effect.map(
        Effect.all(endpoint.ports as Readonly<Record<string, Effect.Effect<unknown, never, Needs<Es>>>>),
        (services) => [key, makeMethod(name, endpoint, services)] as const,
      ),
    ),
    (methods) => Object.fromEntries(methods) as unknown as Lane.Methods<Es>,
  )

/**
 * Defines a lane of endpoints that have their answers.
 *
 * @param name part of the names of its service and of its configuration
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import * as Schema from "effect/Schema"
 * import * as Endpoint from "../endpoint/Endpoint.ts"
 * import { cite, explain, step } from "../endpoint/explain.ts"
 * import * as Field from "../endpoint/Field.ts"
 * import * as Param from "../endpoint/Param.ts"
 * import * as Port from "../endpoint/Port.ts"
 * import { recorded } from "./confidence.ts"
 * import { dataTerms } from "./fields.ts"
 * import * as Lane from "./Lane.ts"
 *
 * const Levels = Port.define("tides/Levels")<{ readonly latest: (station: string) => Effect.Effect<number> }>()
 * const latest = Endpoint.make("/v1/tides/latest", {
 *   ...dataTerms(1_000),
 *   summary: "Latest level of a station",
 *   example: { station: "8518750" },
 *   params: Schema.Struct({ station: Param.text(64, "A station.") }),
 *   results: Schema.Struct({ station: Field.text(), level_cm: Field.integer() }),
 *   ports: { levels: Levels },
 *   answer: function* ({ station }, { levels }, give) {
 *     const level_cm = yield* levels.latest(station)
 *     return give({
 *       results: { station, level_cm },
 *       explained: explain(step(`Read station ${station}.`, cite("gauges", station))),
 *       confidence: recorded(1, "a reading"),
 *     })
 *   },
 * })
 * const Tides = Lane.define("tides", { description: "Levels of the sea.", endpoints: { latest } })
 *
 * const levels = Layer.succeed(Levels, { freshness: "mock", latest: () => Effect.succeed(120) })
 * const call = Effect.flatMap(Tides, (tides) => tides.latest({ station: "8518750" }))
 * Effect.runSync(Effect.provide(call, Layer.provide(Tides.layer, levels))).results // { station: "8518750", level_cm: 120 }
 * ```
 */
export const define = <
  const Name extends string,
  Es extends Endpoints,
  Inside = never,
  Below = never,
  Pricer = never,
  Source = never,
>(
  name: Name,
  definition: Pick<Lane.Any, "description"> &
    Partial<Pick<Lane.Any, "about">> &
    Partial<Pick<Definition<Lane.Any, never, Pricer, Source>, "finds" | "recomputations" | "pricing" | "watches">> & {
      readonly endpoints: Es
      /** Services of the lane's own that endpoints share, such as a cache. */
      readonly inside?: Layer.Layer<Inside, never, Below>
    },
): Defined<Name, Es, Exclude<Needs<Es>, Inside> | Below, Pricer, Source> => {
  const { description, about = "market", endpoints, inside, recomputations = {}, ...rest } = definition
  const tag = service(name, endpoints)
  const layer = Layer.effect(
    tag,
    Effect.map(makeMethods(name, endpoints), (methods) => tag.of(methods)),
  )
  return Object.assign(tag, {
    lane: { name, endpoints, tag, description, about },
    layer: (inside === undefined ? layer : Layer.provide(layer, inside)) as Layer.Layer<
      Id<Name>,
      never,
      Exclude<Needs<Es>, Inside> | Below
    >,
    recomputations,
    ...rest,
  })
}
