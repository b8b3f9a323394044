import type * as Context from "effect/Context"
import type * as Endpoint from "./Endpoint.ts"

export type Endpoints = Readonly<Record<string, Endpoint.Any>>

/** The service of a lane: one method per endpoint, no more and no less. */
export type Methods<Es extends Endpoints> = { readonly [K in keyof Es]: Endpoint.Method<Es[K]> }

/** Endpoints and the tag of the service that answers them. */
export interface Lane<Name extends string, Es extends Endpoints, Tag> {
  readonly name: Name
  readonly endpoints: Es
  readonly tag: Context.Tag<Tag, Methods<Es>>
  /** One sentence for the documents. */
  readonly description: string
}

export const make = <const Name extends string, Es extends Endpoints, Tag>(
  name: Name,
  endpoints: Es,
  tag: Context.Tag<Tag, Methods<Es>>,
  description: string,
): Lane<Name, Es, Tag> => ({ name, endpoints, tag, description })

// biome-ignore lint/suspicious/noExplicitAny: variance, never a value
export type Any = Lane<string, any, any>
export type Tags<L extends Any> = L extends Lane<string, infer _Es, infer Tag> ? Tag : never
export type EndpointsOf<L extends Any> = L extends Lane<string, infer Es, infer _Tag> ? Es[keyof Es] : never
