import type * as Context from "effect/Context"
import type * as Endpoint from "./Endpoint.ts"

export type Endpoints = Readonly<Record<string, Endpoint.Any>>

/**
 * The service of a lane: exactly one method per endpoint.
 *
 * @typeParam R context that the gateway provides with a call; never for lanes about the market
 */
export type Methods<Es extends Endpoints, R = never> = {
  readonly [K in keyof Es]: Endpoint.Method<Es[K], R | ContextOf<Es[K]>>
}
// biome-ignore lint/suspicious/noExplicitAny: variance, never a value
export type ContextOf<E> = E extends Endpoint.Answering<any, any, any, infer C> ? C : never

/**
 * `market`: sold per call to keys with the lane's scope; live keys get live data, and signals are recorded.
 *
 * `caller`: about the calling key, for any scope; free, never replayed, not part of the catalogue.
 *
 * `account`: the account's resources, for live keys that name the lane's scope; free, not part of the catalogue.
 */
export type About = "market" | "caller" | "account"

/** Endpoints and the tag of their service. */
export interface Lane<Name extends string, Es extends Endpoints, Tag, Service = Methods<Es>> {
  readonly name: Name
  readonly endpoints: Es
  readonly tag: Context.Tag<Tag, Service>
  /** One sentence for the documents. */
  readonly description: string
  readonly about: About
}

// biome-ignore lint/suspicious/noExplicitAny: variance, never a value
export type Any = Lane<string, any, any, any>
export type Tags<L extends Any> = L extends Lane<string, infer _Es, infer Tag, infer _S> ? Tag : never
export type EndpointsOf<L extends Any> = L extends Lane<string, infer Es, infer _Tag, infer _S> ? Es[keyof Es] : never
