import type { CallableEndpoint, Input, Results } from "./endpointTypes.ts"
import { type CommonOptions, type DryRun, type Endpoints, type EnvelopeFields, endpoints } from "./generated.ts"
import * as platform from "./platform.ts"
import { defaultRetries, type Retries, request, type Transport } from "./transport.ts"

export interface ClientOptions {
  /** Base URL of the service, such as `https://api.example.com`. */
  readonly baseUrl: string
  /** The API key; endpoints without a key need none. */
  readonly key?: string
  readonly retries?: Partial<Retries>
  /** Sends requests; default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
  /** Waits between attempts. */
  readonly sleep?: Transport["sleep"]
}

export interface CallOptions extends Omit<CommonOptions, "dry_run"> {
  /** Aborts the call; a call whose charge has begun is still charged. */
  readonly signal?: AbortSignal
  /**
   * A UUIDv4 for this call; generated if absent. All attempts send the same one, so that the call is charged once even
   * if answers get lost.
   */
  readonly idempotencyKey?: string
}

/** `results` filtered by `fields`. */
type Part<A> =
  A extends ReadonlyArray<infer Item>
    ? ReadonlyArray<Part<Item>>
    : A extends object
      ? { readonly [K in keyof A]?: Part<A[K]> }
      : A
type Shape<E extends CallableEndpoint, O extends CallOptions> = O extends { readonly fields: ReadonlyArray<string> }
  ? Part<Results<E>>
  : Results<E>

/** The body of a 200: the envelope with a key, plain results without. */
export type Answer<E extends CallableEndpoint, O extends CallOptions = CallOptions> = E["auth"] extends "none"
  ? Shape<E, O>
  : { readonly results: Shape<E, O> } & EnvelopeFields

/** An endpoint as a method: parameters are optional if none is required. */
type Method<E extends CallableEndpoint> = <const O extends CallOptions = Record<never, never>>(
  ...args: Record<never, never> extends Input<E> ? [params?: Input<E>, options?: O] : [params: Input<E>, options?: O]
) => Promise<Answer<E, O>>

/** A method per endpoint, named by its id. */
export type Methods = { readonly [Id in keyof Endpoints]: Method<Endpoints[Id]> }

export interface Client extends Methods {
  /** Calls an endpoint value, also of your own catalogue. */
  readonly call: <E extends CallableEndpoint, const O extends CallOptions = Record<never, never>>(
    endpoint: E,
    params: Input<E>,
    options?: O,
  ) => Promise<Answer<E, O>>
  /** The pages of a list, each fetched on demand and charged as one call. */
  readonly pages: <
    E extends CallableEndpoint,
    const O extends Omit<CallOptions, "idempotencyKey"> = Record<never, never>,
  >(
    endpoint: E,
    params: Input<E>,
    options?: O,
  ) => AsyncGenerator<Answer<E, O>, void, undefined>
  /** Checks a call and quotes its price, for free. */
  readonly dryRun: <E extends CallableEndpoint>(
    endpoint: E,
    params: Input<E>,
    options?: Pick<CallOptions, "signal">,
  ) => Promise<{ readonly results: DryRun } & EnvelopeFields>
}

type Params = Readonly<Record<string, unknown>>

/** Parameters as a query string; lists are comma-separated. */
const queryOf = (params: Params): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) if (value !== undefined) query.set(name, String(value))
  const text = query.toString()
  return text === "" ? "" : `?${text}`
}

const asText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

/** A path with the parameters that it names, and the other parameters. */
const fill = (path: string, params: Params): readonly [path: string, rest: Params] => {
  const rest = { ...params }
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    delete rest[name]
    return encodeURIComponent(String(params[name]))
  })
  return [filled, rest]
}

/** The parameters of the next page; undefined on the last one. */
const nextOf = (params: Params, body: Params): Params | undefined => {
  const cursor = asText((body["_meta"] as Params | undefined)?.["next_cursor"]) ?? asText(body["next_cursor"])
  if (cursor !== undefined) return { ...params, cursor }
  const nextBefore = asText(body["next_before"])
  const { cursor: _, ...rest } = params
  return nextBefore === undefined ? undefined : { ...rest, before: nextBefore }
}

/**
 * A typed HTTP client. It uses the platform's `fetch` only and runs in Node, Deno and browsers.
 *
 * Network errors, 408, recoverable 5xx, `idempotency_in_progress` and 429 within `retries.maxDelayMs` are retried under
 * one `Idempotency-Key`. A final failure rejects with `InsufficientFunds`, `RateLimited`, `BudgetExceeded`,
 * `ServiceError` or `Unreachable`.
 *
 * @throws TypeError when the base URL does not begin with http: or https:
 *
 * @example
 * ```ts
 * import { makeClient } from "./Client.ts"
 *
 * const latestReport = async (key: string) => {
 *   const client = makeClient({ baseUrl: "http://127.0.0.1:8080", key })
 *   const { results } = await client.weather_settlement({ station: "KNYC" })
 *   return results
 * }
 * ```
 */
export const makeClient = (options: ClientOptions): Client => {
  const baseUrl = options.baseUrl.replace(/\/+$/, "")
  if (!/^https?:\/\/./i.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw new TypeError(`baseUrl must begin with http:// or https://; got ${JSON.stringify(options.baseUrl)}.`)
  }
  const transport: Transport = {
    send: options.fetch ?? platform.send,
    sleep: options.sleep ?? platform.sleep,
    retries: { ...defaultRetries, ...options.retries },
  }

  const send = (
    endpoint: CallableEndpoint,
    params: Params,
    { signal, idempotencyKey }: CallOptions,
  ): Promise<unknown> => {
    const { method = "GET" } = endpoint
    const isPost = method === "POST"
    const [path, rest] = fill(endpoint.path, params)
    const isPaid = endpoint.priceMicros > 0 && endpoint.status !== "development"
    const headers: Record<string, string> = {
      accept: "application/json",
      ...(options.key === undefined || endpoint.auth === "none" ? {} : { authorization: `Bearer ${options.key}` }),
      ...(isPost ? { "content-type": "application/json" } : {}),
      ...(idempotencyKey !== undefined
        ? { "idempotency-key": idempotencyKey }
        : isPaid || isPost
          ? { "idempotency-key": platform.uuid() }
          : {}),
    }
    return request(transport, `${baseUrl}${path}${isPost ? "" : queryOf(rest)}`, {
      method,
      headers,
      ...(isPost ? { body: JSON.stringify(rest) } : {}),
      ...(signal === undefined ? {} : { signal }),
    })
  }

  const call = (endpoint: CallableEndpoint, params: Params, { fields, verbose, include, ...rest }: CallOptions = {}) =>
    send(endpoint, { fields, verbose, include, ...params }, rest)

  async function* pages(endpoint: CallableEndpoint, params: Params, rest: CallOptions = {}) {
    for (let asked: Params | undefined = params; asked !== undefined; ) {
      const body = (await call(endpoint, asked, rest)) as Params
      yield body
      asked = nextOf(asked, body)
    }
  }

  const methods = Object.fromEntries(
    Object.values<CallableEndpoint>({ ...endpoints }).map((endpoint) => [
      endpoint.id,
      (params: Params = {}, rest: CallOptions = {}) => call(endpoint, params, rest),
    ]),
  )
  return {
    ...methods,
    call,
    pages,
    dryRun: (endpoint: CallableEndpoint, params: Params, rest: CallOptions = {}) =>
      send(endpoint, { ...params, dry_run: true }, rest),
  } as unknown as Client
}
