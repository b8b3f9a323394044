import type * as Schema from "effect/Schema"
import * as Endpoint from "../../core/endpoint/Endpoint.ts"
import type { beside } from "../../core/endpoint/EnvelopeSchema.ts"
import type { Extra } from "../../core/endpoint/Options.ts"
import type { DryRun } from "../../core/lanes/account/dryRun.ts"
import { type ById, endpoints, planEstimate, self } from "./endpoints.ts"
import * as platform from "./platform.ts"
import { defaultRetries, type Retries, request, type Transport } from "./transport.ts"

export interface Options {
  /** Where the service is, such as `https://api.example.com`. */
  readonly baseUrl: string
  /** The API key; endpoints without a key answer without one. */
  readonly key?: string
  readonly retries?: Partial<Retries>
  /** What sends requests; the global one where it is left out. */
  readonly fetch?: typeof globalThis.fetch
  /** What waits between attempts. */
  readonly sleep?: Transport["sleep"]
}

export interface CallOptions {
  /** Dotted paths relative to `results`: those fields alone. */
  readonly fields?: ReadonlyArray<string>
  /** The full shape. */
  readonly verbose?: boolean
  readonly include?: ReadonlyArray<Extra>
  /** Ends the call; a call whose charge has begun is charged all the same. */
  readonly signal?: AbortSignal
  /**
   * A UUIDv4 that stands for this call; one is made where it is left out. Every attempt carries the same, so that a
   * call is charged once whatever happens to its answers.
   */
  readonly idempotencyKey?: string
}

/** What stands beside `results` in an answer behind a key. */
type Beside = Schema.Struct.Encoded<typeof beside>
/** What `fields` leaves. */
type Part<A> =
  A extends ReadonlyArray<infer Item>
    ? ReadonlyArray<Part<Item>>
    : A extends object
      ? { readonly [K in keyof A]?: Part<A[K]> }
      : A
type Shape<E extends Endpoint.Any, O extends CallOptions> = O extends { readonly fields: ReadonlyArray<string> }
  ? Part<Endpoint.Results<E>>
  : Endpoint.Results<E>

/** The body of a 200: the envelope behind a key, plain results where none is needed. */
export type Answer<E extends Endpoint.Any, O extends CallOptions = CallOptions> = E["auth"] extends "none"
  ? Shape<E, O>
  : { readonly results: Shape<E, O> } & Beside

/** A call as a method: parameters may be left out where none is required. */
type Method<E extends Endpoint.Any> = <const O extends CallOptions = Record<never, never>>(
  ...args: Record<never, never> extends Endpoint.Input<E>
    ? [params?: Endpoint.Input<E>, options?: O]
    : [params: Endpoint.Input<E>, options?: O]
) => Promise<Answer<E, O>>

/** A method per endpoint, named by its id. */
export type Methods = { readonly [Id in keyof ById]: Method<ById[Id]> }

/** A planned call: an endpoint's id or path, and its parameters. */
export type Planned = Endpoint.Input<typeof planEstimate>["calls"][number]

export interface Client extends Methods {
  /** Any endpoint as a value, those of a catalogue of one's own included. */
  readonly call: <E extends Endpoint.Any, const O extends CallOptions = Record<never, never>>(
    endpoint: E,
    params: Endpoint.Input<E>,
    options?: O,
  ) => Promise<Answer<E, O>>
  /** Every page of a list in turn, as each is asked for. Each page is a call with a price of its own. */
  readonly pages: <E extends Endpoint.Any, const O extends Omit<CallOptions, "idempotencyKey"> = Record<never, never>>(
    endpoint: E,
    params: Endpoint.Input<E>,
    options?: O,
  ) => AsyncGenerator<Answer<E, O>, void, undefined>
  /** Checks a call and quotes it; nothing is charged. */
  readonly dryRun: <E extends Endpoint.Any>(
    endpoint: E,
    params: Endpoint.Input<E>,
    options?: Pick<CallOptions, "signal">,
  ) => Promise<{ readonly results: typeof DryRun.Encoded } & Beside>
  /** What a plan of calls would cost, and the first of them that would fail. */
  readonly plan: (
    calls: ReadonlyArray<Planned>,
    options?: Pick<CallOptions, "signal">,
  ) => Promise<Answer<typeof planEstimate>>
  /** This key's limits, caps and spend. */
  readonly key: (options?: Pick<CallOptions, "signal">) => Promise<Answer<typeof self>>
}

type Params = Readonly<Record<string, unknown>>

/** Parameters as a query string; lists with commas. */
const queryOf = (params: Params): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) if (value !== undefined) query.set(name, String(value))
  const text = query.toString()
  return text === "" ? "" : `?${text}`
}

const asText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

/** What asks for the next page; undefined on the last one. */
const nextOf = (params: Params, body: Params): Params | undefined => {
  const cursor = asText((body["_meta"] as Params | undefined)?.["next_cursor"]) ?? asText(body["next_cursor"])
  if (cursor !== undefined) return { ...params, cursor }
  const before = asText(body["next_before"])
  const { cursor: _, ...rest } = params
  return before === undefined ? undefined : { ...rest, before }
}

/**
 * A client of the service over HTTP. Uses the platform's `fetch` and nothing else: it runs in Node, Deno and browsers.
 *
 * Attempts are repeated when the network fails, on 408 and 5xx that are recoverable and on 429 within
 * `retries.longestMs`, all under one `Idempotency-Key`. What fails for good rejects with `InsufficientFunds`, `RateLimited`, `BudgetExceeded`,
 * `ServiceError` or `Unreachable`.
 *
 * @example
 * const client = make({ baseUrl: "http://127.0.0.1:8080", key })
 * const { results } = await client.weather_settlement({ station: "KNYC" })
 */
export const make = (options: Options): Client => {
  const baseUrl = options.baseUrl.replace(/\/+$/, "")
  const transport: Transport = {
    send: options.fetch ?? platform.send,
    sleep: options.sleep ?? platform.sleep,
    retries: { ...defaultRetries, ...options.retries },
  }

  const send = (endpoint: Endpoint.Any, params: Params, { signal, idempotencyKey }: CallOptions): Promise<unknown> => {
    const isPost = Endpoint.methodOf(endpoint) === "POST"
    const paid = Endpoint.charge(endpoint) > 0
    const headers: Record<string, string> = {
      accept: "application/json",
      ...(options.key === undefined || endpoint.auth === "none" ? {} : { authorization: `Bearer ${options.key}` }),
      ...(isPost ? { "content-type": "application/json" } : {}),
      ...(idempotencyKey !== undefined
        ? { "idempotency-key": idempotencyKey }
        : paid
          ? { "idempotency-key": platform.uuid() }
          : {}),
    }
    return request(transport, `${baseUrl}${endpoint.path}${isPost ? "" : queryOf(params)}`, {
      method: isPost ? "POST" : "GET",
      headers,
      ...(isPost ? { body: JSON.stringify(params) } : {}),
      ...(signal === undefined ? {} : { signal }),
    })
  }

  const call = (endpoint: Endpoint.Any, params: Params, { fields, verbose, include, ...rest }: CallOptions = {}) =>
    send(endpoint, { fields, verbose, include, ...params }, rest)

  async function* pages(endpoint: Endpoint.Any, params: Params, rest: CallOptions = {}) {
    for (let asked: Params | undefined = params; asked !== undefined; ) {
      const body = (await call(endpoint, asked, rest)) as Params
      yield body
      asked = nextOf(asked, body)
    }
  }

  const methods = Object.fromEntries(
    Object.values<Endpoint.Any>(endpoints).map((endpoint) => [
      endpoint.id,
      (params: Params = {}, rest: CallOptions = {}) => call(endpoint, params, rest),
    ]),
  )
  return {
    ...methods,
    call,
    pages,
    dryRun: (endpoint: Endpoint.Any, params: Params, rest: CallOptions = {}) =>
      send(endpoint, { ...params, dry_run: true }, rest),
    plan: (calls: ReadonlyArray<Planned>, rest: CallOptions = {}) => send(planEstimate, { calls }, rest),
    key: (rest: CallOptions = {}) => send(self, {}, rest),
  } as unknown as Client
}
