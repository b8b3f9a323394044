import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Struct from "effect/Struct"
import * as Client from "../../adapters/client/mod.ts"
import { OwnerLost } from "../../adapters/store/engine/sqlite/owner.ts"
import { display } from "../../core/account/Money.ts"
import type * as Catalogue from "../../core/endpoint/Catalogue.ts"
import type * as decode from "../../core/endpoint/decode.ts"
import * as Endpoint from "../../core/endpoint/Endpoint.ts"
import * as CommonOptions from "../../core/endpoint/Options.ts"
import * as Shape from "../../core/endpoint/Shape.ts"
import { Gateway } from "../../core/gateway/Gateway.ts"
import { catalogue } from "../../core/lanes/all.ts"
import { callerKey } from "../config/caller.ts"
import { keyPlaces, warnOfKey } from "../keyNotice.ts"
import { takeStore } from "./ask.ts"
import { optional, text } from "./parameters.ts"
import { family, make } from "./parser.ts"
import { json } from "./shared.ts"

const url = optional(text("url", "Server URL. Without it, the server of the store is asked, or the call runs here."))

const printed = (body: unknown, asJson: boolean) => Console.log(JSON.stringify(body, null, asJson ? 0 : 2))

const refused = ({ path }: Endpoint.Any, status: number) => Effect.fail(new Error(`${path} answered ${status}.`))

/** A call over HTTP. The server's error body is printed unchanged. */
const remote = (
  endpoint: Endpoint.Any,
  server: Pick<Client.ClientOptions, "baseUrl" | "fetch" | "retries">,
  params: Readonly<Record<string, unknown>>,
  authorization: Option.Option<string>,
  asJson: boolean,
) =>
  Effect.tryPromise({
    try: (signal) => {
      const key = Option.map(authorization, (header) => header.slice("Bearer ".length))
      const client = Client.makeClient({
        ...server,
        ...Option.match(key, { onNone: () => ({}), onSome: (key) => ({ key }) }),
      })
      return client.call(endpoint, params, { signal })
    },
    catch: (error) =>
      server.fetch !== undefined && error instanceof Client.Unreachable
        ? new OwnerLost({
            message: "The server ended before it answered. Check whether the call was charged.",
            cause: error,
          })
        : (error as Error),
  }).pipe(
    Effect.flatMap((body) => printed(body, asJson)),
    Effect.catchIf(
      (error) => error instanceof Client.ServiceError,
      (error) => Effect.zipRight(printed({ error: error.payload }, asJson), refused(endpoint, error.status)),
    ),
  )

/** A call in this process, over the configured store. */
const local = (entry: Catalogue.Entry, raw: decode.Raw, authorization: string | undefined, asJson: boolean) =>
  Effect.gen(function* () {
    const [App, { config }] = yield* Effect.promise(() => Promise.all([import("../app.ts"), import("../Config.ts")]))
    const settings = yield* config
    const { body, status } = yield* Effect.flatMap(Gateway, ({ serve }) =>
      serve(entry, raw, { authorization, keyPlace: keyPlaces.command }),
    ).pipe(Effect.provide(App.gateway(settings).pipe(Layer.provide(App.store(settings)))))
    const answer = body.toValue() as { readonly error?: { readonly docs_url: string } }
    // The page of the error is on a server whose address may not be configured.
    const hasPage = answer.error === undefined || Option.isSome(settings.http.baseUrl)
    yield* printed(hasPage ? answer : { error: Struct.omit(answer.error, "docs_url") }, asJson)
    if (status !== 200) return yield* refused(entry.endpoint, status)
  })

const isJson = /^[[{]|^(true|false)$/

/** An option of a POST endpoint: lists, objects and booleans are JSON; other text stays text, which the endpoint refuses. */
const posted = (text: string): unknown =>
  isJson.test(text)
    ? Either.getOrElse(
        Either.try(() => JSON.parse(text) as unknown),
        () => text,
      )
    : text

/**
 * One command per endpoint. Its options are the endpoint's parameters, as text that the endpoint's schema decodes or, for POST,
 * as JSON.
 */
const makeCommand = (entry: Catalogue.Entry) => {
  const { endpoint } = entry
  const options = Object.fromEntries(
    Shape.fieldsOf(CommonOptions.input(endpoint)).map(({ name, shape: { description = "" } }) => {
      const example = (endpoint.example as Readonly<Record<string, unknown>>)[name]
      const given = typeof example === "object" ? JSON.stringify(example) : example
      return [name, { ...optional(text(name, description)), ...(given !== undefined && { example: String(given) }) }]
    }),
  )
  return make(
    endpoint.id,
    `${endpoint.summary} (${display(endpoint.priceMicros)})`,
    { url, options, json },
    ({ url, options: given, json: asJson }) =>
      Effect.gen(function* () {
        const entries = Object.entries(given).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, value] as const],
        )
        const authorization = yield* callerKey
        if (endpoint.auth === "key") yield* warnOfKey(Option.getOrUndefined(authorization), keyPlaces.command)
        const isPosted = Endpoint.methodOf(endpoint) === "POST"
        const value = Object.fromEntries(entries.map(([name, text]) => [name, isPosted ? posted(text) : text]))
        if (url !== undefined) return yield* remote(endpoint, { baseUrl: url }, value, authorization, asJson)
        const taken = yield* takeStore(`call ${endpoint.id}`)
        if (taken?._tag === "Asked") {
          const server = { baseUrl: "http://localhost", fetch: taken.ask, retries: { attempts: 1 } }
          return yield* remote(endpoint, server, value, authorization, asJson)
        }
        const raw: decode.Raw = isPosted ? { _tag: "Json", value } : { _tag: "Text", entries }
        yield* local(entry, raw, Option.getOrUndefined(authorization), asJson)
      }).pipe(Effect.scoped),
  )
}

export const call = family(
  "call",
  "Call an endpoint with the key in MARKET_SIGNALS_KEY, in this process or, with --url, over HTTP.",
  catalogue.entries.map(makeCommand),
)
