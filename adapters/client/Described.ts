/** An endpoint as a request is made of it. Endpoints of a catalogue are such values too. */
export interface Target {
  readonly id: string
  readonly path: `/${string}`
  /** Default: GET. POST takes the parameters as a JSON body. `:name` in the path is the parameter of that name. */
  readonly method?: string
  /** `none`: no key, plain JSON. */
  readonly auth: string
  /** List price of one call in micro-dollars. */
  readonly priceMicros: number
  /** `development`: charges nothing. */
  readonly status?: string
  readonly params?: Wire<unknown>
  readonly results?: Wire<unknown>
}

/** The type of JSON values. It has no value at run time where no schema stands for it. */
interface Wire<A> {
  readonly Encoded: A
}

/** An endpoint of this client: the types of its parameters and results without their schemas. */
export interface Described<Params, Results, Auth extends "key" | "none"> extends Target {
  readonly auth: Auth
  readonly params?: Wire<Params>
  readonly results?: Wire<Results>
}

/** Parameters as a caller writes them: those with a default are optional. */
export type Input<E extends Target> = NonNullable<E["params"]>["Encoded"]

/** `results` as they arrive. */
export type Results<E extends Target> = NonNullable<E["results"]>["Encoded"]
