import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { Freshness } from "./Answer.ts"

/** The identifier of a port in the types of layers. */
export interface Id<Key extends string> {
  readonly port: Key
}

/** A port's service: its methods, and the mode of its data. */
export type Service<Methods> = Methods & { readonly freshness: Freshness }

export interface Port<Key extends string, Service> extends Context.Tag<Id<Key>, Service> {}

/** A port that a program may leave out: `layerNone` replaces its source. */
export interface OptionalPort<Key extends string, Service> extends Port<Key, Service> {
  readonly layerNone: Layer.Layer<Id<Key>>
}

interface Defining<Key extends string> {
  <Methods>(): Port<Key, Service<Methods>>
  /** @param none what answers without a source */
  <Methods>(none: Methods): OptionalPort<Key, Service<Methods>>
}

interface DefiningPlain<Key extends string> {
  <Service>(): Port<Key, Service>
  <Service>(none: Service): OptionalPort<Key, Service>
}

const makeTag = (key: string, none: object | undefined) => {
  const tag = Context.GenericTag<unknown, object>(`market-signals/core/lanes/${key}`)
  return none === undefined ? tag : Object.assign(tag, { layerNone: Layer.succeed(tag, none) })
}

/**
 * A port: an interface that a lane reads and others provide.
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
export const define = <const Key extends string>(key: Key): Defining<Key> =>
  ((none?: object) => makeTag(key, none && { freshness: "live", ...none })) as Defining<Key>

/** A port without a mode of its data: what jobs read and write. */
export const plain = <const Key extends string>(key: Key): DefiningPlain<Key> =>
  ((none?: object) => makeTag(key, none)) as DefiningPlain<Key>
