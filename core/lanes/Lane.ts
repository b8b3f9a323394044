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

export * from "../endpoint/Lane.ts"

/** A lane of this library: its endpoints, the service over its ports, and how its signals are recomputed and priced. */
export interface Definition<L extends Lane.Any, R, Pricer = never, Source = never> {
  readonly lane: L
  /** The service over the lane's ports. */
  readonly layer: Layer.Layer<Lane.Tags<L>, never, R>
  /** Recomputes recorded signals from their inputs, by endpoint id. */
  readonly recomputations: Readonly<Record<string, Recompute>>
  /** Prices and settles venue contracts; absent for a lane whose signals price none. */
  readonly pricing?: ContractPricing<Pricer, Source>
  /** What alerts can be set on; absent for a lane with nothing to watch. */
  readonly watches?: ReadonlyArray<Watch.Any>
  /** What can be found in it by name; absent: its endpoints alone. */
  readonly finds?: Finds
}

/** The identifier of a lane's service in the types of layers. */
export interface Id<Name extends string> {
  readonly lane: Name
}

type Endpoints = Readonly<Record<string, Endpoint.AnyAnswered>>
/** The contexts of several effects; of none, none. */
type ContextOf<T> = T extends Effect.Effect<unknown, unknown, infer R> ? R : never
type NeedsOf<E> = E extends { readonly ports: infer P extends Endpoint.Ports } ? ContextOf<P[keyof P]> : never
type Needs<Es extends Endpoints> = NeedsOf<Es[keyof Es]>

/** A lane with the answers of its endpoints. It is the tag of its service, too. */
export interface Defined<Name extends string, Es extends Endpoints, R, Pricer = never, Source = never>
  extends Context.Tag<Id<Name>, Lane.Methods<Es>>,
    Definition<Lane.Lane<Name, Es, Id<Name>>, R, Pricer, Source> {}

/** The service of a lane, for what stands below the lane: the methods of some of its endpoints. */
export const service = <const Name extends string, Es extends Lane.Endpoints>(
  name: Name,
  _endpoints: Es,
): Context.Tag<Id<Name>, Lane.Methods<Es>> => Context.GenericTag(`market-signals/core/lanes/${name}`)

type Services = Readonly<Record<string, unknown>>

/** The worst mode of the ports among services. */
const worstFreshness = (services: Services): Freshness =>
  Object.values(services).reduce<Freshness>((before, one) => {
    const { freshness } = Object(one) as { readonly freshness?: Freshness }
    return freshness === undefined ? before : worst(before, freshness)
  }, "live")

/** The method of an endpoint over what it reads. */
const buildMethod = (lane: string, endpoint: Endpoint.AnyAnswered, services: Services) => {
  const { answer } = endpoint as Endpoint.Answering<unknown, unknown, Endpoint.Ports>
  const worst = worstFreshness(services)
  const give = (given: Endpoint.AnswerDraft<unknown>): Answer<unknown> => {
    const { results, explained, confidence, links = [], freshness = worst, record, extras, ...rest } = given
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

/** The method of an endpoint by itself, over what it reads. */
export const method = <E extends Endpoint.AnyAnswered>(
  endpoint: E,
  services: Endpoint.Services<E["ports"]>,
): Endpoint.Method<E, Lane.ContextOf<E>> =>
  buildMethod(endpoint.id, endpoint, services) as Endpoint.Method<E, Lane.ContextOf<E>>

/** The methods of endpoints, over what each reads. */
const buildMethods = <Es extends Endpoints>(
  name: string,
  endpoints: Es,
): Effect.Effect<Lane.Methods<Es>, never, Needs<Es>> =>
  Effect.map(
    Effect.forEach(Object.entries<Endpoint.AnyAnswered>(endpoints), ([key, endpoint]) =>
      Effect.map(
        Effect.all(endpoint.ports as Readonly<Record<string, Effect.Effect<unknown, never, Needs<Es>>>>),
        (services) => [key, buildMethod(name, endpoint, services)] as const,
      ),
    ),
    (methods) => Object.fromEntries(methods) as unknown as Lane.Methods<Es>,
  )

/**
 * A lane of endpoints that have their answers.
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
  given: Pick<Lane.Any, "description"> &
    Partial<Pick<Lane.Any, "about">> &
    Partial<Pick<Definition<Lane.Any, never, Pricer, Source>, "finds" | "recomputations" | "pricing" | "watches">> & {
      readonly endpoints: Es
      /** Services of its own that endpoints share, such as what is kept between calls. */
      readonly inside?: Layer.Layer<Inside, never, Below>
    },
): Defined<Name, Es, Exclude<Needs<Es>, Inside> | Below, Pricer, Source> => {
  const { description, about = "market", endpoints, inside, recomputations = {}, ...rest } = given
  const tag = service(name, endpoints)
  const layer = Layer.effect(
    tag,
    Effect.map(buildMethods(name, endpoints), (methods) => tag.of(methods)),
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
