import type * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type { Failure, Hint } from "../Failure.ts"
import { day } from "../time.ts"
import type { Answer } from "./Answer.ts"

/** Data: recorded values. Signal: model output, scored in public. Proof: the track record itself. */
export type Kind = "Data" | "Signal" | "Proof"
/** `key`: any valid API key, enveloped answer. `none`: no key, plain JSON. `operator`: the operator's token, plain JSON. */
export type Auth = "key" | "none" | "operator"

/** A parameter schema is a struct, so that one bad field does not hide what is wrong with the others. */
export type AnyStruct = Schema.Schema.AnyNoContext & { readonly fields: Schema.Struct.Fields }

/** What is served at a method and a path: who may ask, what it takes and what it answers. */
export interface Operation<
  Id extends string,
  Params extends AnyStruct,
  Results extends Schema.Schema.AnyNoContext,
  A extends Auth = Auth,
> {
  readonly id: Id
  /** GET where it is left out. The others take their parameters as a JSON body. */
  readonly method?: "GET" | "POST" | "PATCH"
  /** `:name` stands for a segment, which is the parameter of that name. */
  readonly path: `/${string}`
  readonly auth: A
  /** Over JSON values; how text becomes them is derived (`decode.ts`). */
  readonly params: Params
  /** Over wire values. Fields marked `Field.verbose` are left out of the slim shape. */
  readonly results: Results
  /** One line, without a full stop. */
  readonly summary: string
  /** The status of an answer that went well: 201 for what makes something, 200 where it is left out. */
  readonly success?: 201
  /**
   * Rules across fields and against the clock, run over the fields that are good and reported together with field errors.
   *
   * @param bad names of the fields that were given and are not good: they are neither absent nor usable
   * @param now epoch milliseconds
   */
  readonly check?: (
    params: Partial<Schema.Schema.Type<Params>>,
    bad: ReadonlySet<string>,
    now: number,
  ) => ReadonlyArray<Hint>
}

/** One thing the service sells. The only place where its path, price, parameters and fields are written. */
export interface Endpoint<
  Id extends string,
  Params extends AnyStruct,
  Results extends Schema.Schema.AnyNoContext,
  A extends "key" | "none" = "key" | "none",
> extends Operation<Id, Params, Results, A> {
  readonly path: `/v1/${string}`
  readonly method?: "GET" | "POST"
  readonly kind: Kind
  /** List price of one call in micro-dollars (1 000 = 0.001 USD). */
  readonly priceMicros: number
  /** A call that answers in mock mode. */
  readonly example: Schema.Schema.Encoded<Params>
  /** `development`: outside the live catalogue; shows its list price and charges nothing. */
  readonly status?: "live" | "development"
  /** The field of `results` that holds the rows of a list: what CSV and NDJSON answers consist of. */
  readonly rows?: string & keyof Schema.Schema.Encoded<Results>
  /** Announced on every answer by the `Deprecation` and `Sunset` headers. */
  readonly deprecation?: Deprecation
}

/** The end of an endpoint: the day since when it is deprecated and the day after which it may be gone, YYYY-MM-DD. */
export interface Deprecation {
  readonly since: string
  readonly sunset: string
  /** Where the way on is described. */
  readonly link?: string
}

/** Users have at least so many days between the announcement and the end. */
export const noticeDays = 90

/** @throws when an endpoint would end with less notice than promised: a service that does so must not start. */
export const make = <
  const Id extends string,
  Params extends AnyStruct,
  Results extends Schema.Schema.AnyNoContext,
  const A extends "key" | "none",
>(
  endpoint: Endpoint<Id, Params, Results, A>,
): Endpoint<Id, Params, Results, A> => {
  const { deprecation } = endpoint
  if (deprecation !== undefined) {
    const days = (Date.parse(deprecation.sunset) - Date.parse(deprecation.since)) / day
    if (!(days >= noticeDays)) throw new Error(`${endpoint.id}: a sunset needs ${noticeDays} days of notice`)
  }
  return endpoint
}

/**
 * The same endpoint at another list price.
 *
 * @param micros whole micro-dollars
 */
export const priced = <E extends Any>(endpoint: E, micros: number): E => {
  if (!Number.isSafeInteger(micros) || micros < 0)
    throw new Error(`${endpoint.id}: a price is 0 or more whole micro-dollars`)
  return { ...endpoint, priceMicros: micros }
}

// biome-ignore lint/suspicious/noExplicitAny: variance, never a value
export type Any = Endpoint<string, any, any>
// biome-ignore lint/suspicious/noExplicitAny: variance, never a value
export type AnyOperation = Operation<string, any, any>

/** What a caller writes: defaults may be left out. */
export type Input<E extends Any> = Schema.Schema.Encoded<E["params"]>
/** What a lane's method receives: defaults filled in, ranges checked. */
export type Params<E extends Any> = Schema.Schema.Type<E["params"]>
/** What leaves on the wire under `results`. */
export type Results<E extends Any> = Schema.Schema.Encoded<E["results"]>

export type Method<E extends Any, R = never> = (params: Params<E>) => Effect.Effect<Answer<Results<E>>, Failure, R>

/** What one call costs a live key. */
export const charge = (endpoint: Any): number => (endpoint.status === "development" ? 0 : endpoint.priceMicros)

export const methodOf = <M extends string>({ method }: { readonly method?: M }): M | "GET" => method ?? "GET"

/** Whether an operation is one that the service sells, at whatever price. */
export const isSold = (operation: AnyOperation): operation is Any => operation.auth !== "operator"

/** Proof and the settled rows, and what the operator does: no key, no envelope. */
export const isPlain = ({ auth }: AnyOperation): boolean => auth !== "key"

/** The names of the parameters that stand in a path. */
export const inPath = ({ path }: AnyOperation): ReadonlySet<string> =>
  new Set([...path.matchAll(/:(\w+)/g)].map(([, name]) => name!))
