import type * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type { YieldWrap } from "effect/Utils"
import type { Recordable } from "../call/Recordable.ts"
import type { Failure, Hint } from "../Failure.ts"
import type { Step } from "../Step.ts"
import { day } from "../time.ts"
import type { Answer } from "./Answer.ts"
import type { Explained } from "./explain.ts"

/** Data: recorded values. Signal: model output, scored in public. Proof: the track record itself. */
export type Kind = "Data" | "Signal" | "Proof"
/** `key`: an API key, enveloped answer. `none`: no key, plain JSON. `operator`: the operator's token, plain JSON. */
export type Auth = "key" | "none" | "operator"

/** A parameter schema is a struct, so that the errors of all fields can be reported together. */
export type AnyStruct = Schema.Schema.AnyNoContext & { readonly fields: Schema.Struct.Fields }

/** An operation at a method and a path: access, parameters and results. */
export interface Operation<
  Id extends string,
  Params extends AnyStruct,
  Results extends Schema.Schema.AnyNoContext,
  A extends Auth = Auth,
> {
  /** Operation id, tool name and key of everything that is stored about it. */
  readonly id: Id
  /** Default: GET. POST and PATCH take their parameters as a JSON body. */
  readonly method?: "GET" | "POST" | "PATCH" | "DELETE"
  /** `:name` is a path segment with the parameter of that name. */
  readonly path: `/${string}`
  readonly auth: A
  /** Over JSON values; `decode.ts` derives the conversion from text. */
  readonly params: Params
  /** Over wire values. The slim shape omits fields marked `Field.verbose`. */
  readonly results: Results
  /** One line, without a full stop. */
  readonly summary: string
  /** The status of a success: 201 if the operation creates something; default 200. */
  readonly success?: 201
  /**
   * Rules across fields and against the clock, checked on the valid fields and reported together with field errors.
   *
   * @param bad names of the fields that were given with invalid values, so that they do not count as absent
   * @param now epoch milliseconds
   */
  readonly check?: (
    params: Partial<Schema.Schema.Type<Params>>,
    bad: ReadonlySet<string>,
    now: number,
  ) => ReadonlyArray<Hint>
}

/** The names of the fields of a schema; of any schema, any name. */
type FieldOf<Results> = 0 extends 1 & Results ? string : string & keyof Schema.Schema.Encoded<Results>

/** An endpoint of the API: the only definition of its path, price, parameters and fields. */
export interface Endpoint<
  Id extends string,
  Params extends AnyStruct,
  Results extends Schema.Schema.AnyNoContext,
  A extends "key" | "none" = "key" | "none",
> extends Operation<Id, Params, Results, A> {
  readonly path: `/v1/${string}`
  readonly method?: "GET" | "POST" | "DELETE"
  readonly kind: Kind
  /** List price of one call in micro-dollars (1 000 = 0.001 USD). */
  readonly priceMicros: number
  /** Parameters of a call that succeeds in mock mode. */
  readonly example: Schema.Schema.Encoded<Params>
  /** `development`: outside the live catalogue; shows its list price and charges nothing. */
  readonly status?: "live" | "development"
  /** The field of `results` with the rows of a list, for CSV and NDJSON answers. */
  readonly rows?: FieldOf<Results>
  /**
   * Calls write for the account of their key: `additive`, or `destructive` where it cannot be undone. The gateway passes the
   * caller to such a method (`CurrentCaller`), and its answers have no entity tag. Absent: a call changes nothing but its charge.
   */
  readonly writes?: "additive" | "destructive"
  /** Its answers show a secret: an answer that is stored under an idempotency key is sealed. */
  readonly holdsSecret?: true
  /**
   * For a caller that chooses among all endpoints: when to call this one and when another, and where its ids come from, in
   * plain words. Names of endpoints are ids in backquotes.
   */
  readonly use?: string
  /** The section of the reference; absent: its lane's name. */
  readonly section?: string
  /** Announced on every answer by the `Deprecation` and `Sunset` headers. */
  readonly deprecation?: Deprecation
}

/** The deprecation of an endpoint: its first day and the last day of the endpoint, YYYY-MM-DD. */
export interface Deprecation {
  readonly since: string
  readonly sunset: string
  /** URL of the migration notes. */
  readonly link?: string
}

/** Minimum number of days between a deprecation and the sunset. */
export const noticeDays = 90

type Underscored<Text extends string> = Text extends `${infer Head}/${infer Tail}`
  ? `${Underscored<Head>}_${Underscored<Tail>}`
  : Text extends `${infer Head}-${infer Tail}`
    ? `${Head}_${Underscored<Tail>}`
    : Text

/** The id of an endpoint's path. `/v1/nfl/fair-line` → `nfl_fair_line`. */
export type IdOf<Path extends string> = Path extends `/v1/${infer Rest}` ? Underscored<Rest> : string

/** A path as a name: its words with underscores, without the version. */
export const nameOf = (path: string): string =>
  path
    .replace(/^\/v1\//, "")
    .replace(/[^a-zA-Z0-9]+/g, "_")
    .replace(/^_|_$/g, "")

/** An endpoint as it is written: its id derives from its path. */
export type Definition<
  Params extends AnyStruct,
  Results extends Schema.Schema.AnyNoContext,
  A extends "key" | "none",
> = Omit<Endpoint<string, Params, Results, A>, "id" | "path">

/** What an endpoint reads, by name: ports and other services, each taken once, when its lane is built. */
export type Ports = Readonly<Record<string, Effect.Effect<unknown, never, unknown>>>
export type Services<P extends Ports> = { readonly [K in keyof P]: Effect.Effect.Success<P[K]> }

/** What an endpoint answers. Its lane adds the mode of its ports, and the record's lane and endpoint. */
export interface AnswerDraft<Results>
  extends Omit<Answer<Results>, "reasoning" | "citations" | "links" | "freshness" | "record"> {
  readonly explained: Explained
  readonly links?: Answer<Results>["links"]
  /** Default: the worst of the ports that this endpoint reads. */
  readonly freshness?: Answer<Results>["freshness"]
  readonly record?: Omit<Recordable<Results>, "lane" | "endpoint">
}

/**
 * A generator that answers a call, as `Step.method` runs it: without a fiber where nothing waits.
 *
 * @param give makes the answer; through it a wrong field is an error at that field
 */
export type AnswerGenerator<Params, Results, S, C = never> = (
  params: Params,
  ports: S,
  give: (given: AnswerDraft<Results>) => Answer<Results>,
  // biome-ignore lint/suspicious/noExplicitAny: the successes of a generator's effects
) => Generator<YieldWrap<Step<any, Failure, C>>, Answer<Results>, never>

/** The ports of an endpoint and the generator that answers from them. */
export interface Answering<Params, Results, P extends Ports, C = never> {
  readonly ports: P
  readonly answer: AnswerGenerator<Params, Results, Services<P>, C>
}

/**
 * An endpoint with its answer.
 *
 * @typeParam C context that the gateway provides with a call
 */
export interface Answered<
  Id extends string,
  Params extends AnyStruct,
  Results extends Schema.Schema.AnyNoContext,
  A extends "key" | "none",
  P extends Ports,
  C = never,
> extends Endpoint<Id, Params, Results, A>,
    Answering<Schema.Schema.Type<Params>, Schema.Schema.Encoded<Results>, P, C> {}

export const make = <
  const Path extends `/v1/${string}`,
  Params extends AnyStruct,
  Results extends Schema.Schema.AnyNoContext,
  const A extends "key" | "none",
  P extends Ports,
  C = never,
>(
  path: Path,
  definition: Definition<Params, Results, A> &
    Answering<Schema.Schema.Type<Params>, Schema.Schema.Encoded<Results>, P, C>,
): Answered<IdOf<Path>, Params, Results, A, P, C> => {
  const { ports, answer } = definition
  return { ...declare<Path, Params, Results, A>({ path, ...definition }), ports, answer }
}

/**
 * An endpoint without its answer, which is made elsewhere.
 *
 * @throws when a path is not of lower-case words of letters and digits, or a sunset has less than 90 days of notice, so
 * that such a service does not start
 */
export const declare = <
  const Path extends `/v1/${string}`,
  Params extends AnyStruct,
  Results extends Schema.Schema.AnyNoContext,
  const A extends "key" | "none",
>(
  definition: Definition<Params, Results, A> & { readonly path: Path },
): Endpoint<IdOf<Path>, Params, Results, A> => {
  const { deprecation, path } = definition
  if (!/^\/v1(\/[a-z0-9]+(-[a-z0-9]+)*)+$/.test(path)) throw new Error(`${path}: a path is lower-case words`)
  const id = nameOf(path) as IdOf<Path>
  if (deprecation !== undefined) {
    const days = (Date.parse(deprecation.sunset) - Date.parse(deprecation.since)) / day
    if (!(days >= noticeDays)) throw new Error(`${id}: a sunset needs ${noticeDays} days of notice`)
  }
  return { ...definition, id }
}

/**
 * The same endpoint at another list price.
 *
 * @param micros whole micro-dollars
 */
export const withPrice = <E extends Any>(endpoint: E, micros: number): E => {
  if (!Number.isSafeInteger(micros) || micros < 0)
    throw new Error(`${endpoint.id}: a price is 0 or more whole micro-dollars`)
  return { ...endpoint, priceMicros: micros }
}

/** The same endpoint at another path, which several methods may share; its id stays. */
export const atPath = <E extends Any>(endpoint: E, method: "GET" | "POST" | "DELETE", path: `/v1/${string}`): E => ({
  ...endpoint,
  method,
  path,
})

// biome-ignore lint/suspicious/noExplicitAny: variance, never a value
export type Any = Endpoint<string, any, any>
// biome-ignore lint/suspicious/noExplicitAny: variance, never a value
export type AnyAnswered = Answered<string, any, any, any, any, any>
// biome-ignore lint/suspicious/noExplicitAny: variance, never a value
export type AnyOperation = Operation<string, any, any>

/** Parameters as a caller writes them: defaults are optional. */
export type Input<E extends Any> = Schema.Schema.Encoded<E["params"]>
/** Parameters of a lane's method: defaults filled in, ranges checked. */
export type Params<E extends Any> = Schema.Schema.Type<E["params"]>
/** Wire value of `results`. */
export type Results<E extends Any> = Schema.Schema.Encoded<E["results"]>

export type Method<E extends Any, R = never> = (params: Params<E>) => Effect.Effect<Answer<Results<E>>, Failure, R>

/** The charge of one call for a live key, micro-dollars. */
export const charge = (endpoint: Any): number => (endpoint.status === "development" ? 0 : endpoint.priceMicros)

export const methodOf = <M extends string>({ method }: { readonly method?: M }): M | "GET" => method ?? "GET"

export const sectionOf = ({ section }: Pick<Any, "section">, lane: { readonly name: string }): string =>
  section ?? lane.name

/** Whether an operation is an endpoint of the catalogue, free or paid, and not the operator's. */
export const isSold = (operation: AnyOperation): operation is Any => operation.auth !== "operator"

/** Operations without API key and envelope: proofs, settled rows, the operator's. */
export const isKeyless = ({ auth }: AnyOperation): boolean => auth !== "key"

export const hasBody = (operation: AnyOperation): boolean => operation.method === "POST" || operation.method === "PATCH"

/** A path as documents write it: `/v1/alerts/{alert}`. */
export const pathTemplate = ({ path }: Pick<AnyOperation, "path">): string => path.replace(/:(\w+)/g, "{$1}")

export const pathParamNames = ({ path }: AnyOperation): ReadonlySet<string> =>
  new Set([...path.matchAll(/:(\w+)/g)].map(([, name]) => name!))
