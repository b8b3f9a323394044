/** An endpoint as the client calls it; every endpoint of a catalogue is one. */
export interface CallableEndpoint {
  readonly id: string
  /** `:name` in it is the parameter of that name. */
  readonly path: `/${string}`
  /** Default: GET. POST takes the parameters as a JSON body. */
  readonly method?: string
  /** `none`: no key, plain JSON. */
  readonly auth: string
  /** List price of one call in micro-dollars. */
  readonly priceMicros: number
  /** `development`: charges nothing. */
  readonly status?: string
  readonly params?: Encoded<unknown>
  readonly results?: Encoded<unknown>
}

/** Carries the JSON type of a value. It exists only at compile time unless a schema is given. */
interface Encoded<A> {
  readonly Encoded: A
}

/** An endpoint of this client: the types of its parameters and results without their schemas. */
export interface TypedEndpoint<Params, Results, Auth extends "key" | "none"> extends CallableEndpoint {
  readonly auth: Auth
  readonly params?: Encoded<Params>
  readonly results?: Encoded<Results>
}

/** Parameters as a caller writes them: those with a default are optional. */
export type Input<E extends CallableEndpoint> = NonNullable<E["params"]>["Encoded"]

/** `results` as they arrive. */
export type Results<E extends CallableEndpoint> = NonNullable<E["results"]>["Encoded"]
