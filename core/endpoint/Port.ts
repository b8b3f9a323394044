import * as Context from "effect/Context"
import type { Freshness } from "./Answer.ts"

/** The identifier of a port in the types of layers, with the type of its service. */
export interface Id<Key extends string, Service> {
  readonly port: Key
  readonly Type: Service
}

/** A port's service: its methods, and the mode of its data. */
export type Service<Methods> = Methods & { readonly freshness: Freshness }

export interface Port<Key extends string, Methods> extends Context.Tag<Id<Key, Service<Methods>>, Service<Methods>> {}

/**
 * A port: what a lane reads, and others provide.
 *
 * @param key `lane/Name`
 *
 * @example
 * ```ts
 * import type * as Effect from "effect/Effect"
 * import * as Port from "./Port.ts"
 *
 * const Readings = Port.define("tides/Readings")<{
 *   readonly latest: (station: string) => Effect.Effect<number>
 * }>()
 * Readings.key // "market-signals/core/lanes/tides/Readings"
 * ```
 */
export const define =
  <const Key extends string>(key: Key) =>
  <Methods>(): Port<Key, Methods> =>
    Context.GenericTag(`market-signals/core/lanes/${key}`)
