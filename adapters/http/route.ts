import type { IncomingMessage, ServerResponse } from "node:http"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import type * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import type * as Effect from "effect/Effect"
import type * as Catalogue from "../../core/endpoint/Catalogue.ts"
import * as Endpoint from "../../core/endpoint/Endpoint.ts"
import type { Failure } from "../../core/Failure.ts"
import { typesOf } from "./query.ts"
import * as Wire from "./wire.ts"

/** Of what a route serves. HEAD comes with GET. */
export type Method = "GET" | "POST" | "PATCH"

/** What an address may ask of some routes without a key, per minute. */
export interface Bucket {
  readonly name: string
  readonly perMinute: number
}

/** A request on its way to an answer in a form of its own. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The path of the request's target. */
  readonly path: string
  /** Who sends it, as limits name clients. */
  readonly address: string | undefined
  /** Its body, within the listener's bounds. */
  readonly body: Effect.Effect<Buffer, Failure>
  /** To be called right before the head of the answer is written. */
  readonly settle: (response: ServerResponse) => void
}

/** Paths whose answers have a form of their own, refusals and other methods included. */
export interface Mount {
  readonly paths: ReadonlySet<string>
  readonly onRequest: (exchange: Exchange) => void
  /** What the listener refuses whatever the path; the body of such a request is not read. */
  readonly onRefused: (exchange: Exchange, failure: Failure) => void
  /** The end was asked for: nothing that lasts may begin, and what has no end of its own must find one. */
  readonly onDrain: () => void
}

/** Answers a request; a failure is answered in the envelope of errors. */
export type App = Effect.Effect<HttpServerResponse.HttpServerResponse, Failure, HttpServerRequest.HttpServerRequest>

export type Handler =
  /** Straight to the gateway, with the headers of its answers. */
  | ({ readonly _tag: "Call"; readonly entry: Catalogue.Entry } & ReturnType<typeof Wire.headersOf>)
  | { readonly _tag: "App"; readonly app: App }
  | { readonly _tag: "Mount"; readonly mount: Mount }

/** What documents say of a route: its endpoint's declaration, or an operation written by hand. */
export type Description =
  | { readonly _tag: "Endpoint"; readonly endpoint: Endpoint.AnyOperation; readonly tag: string }
  | {
      readonly _tag: "Operation"
      readonly operation: Readonly<Record<string, unknown>>
      /** The template that the path is one of, where several routes are described as one. */
      readonly template?: string
    }

/** Everything that is served is a value of this kind. */
export interface Route {
  readonly method: Method
  /** `:name` stands for a segment. */
  readonly path: string
  readonly auth: Endpoint.Auth
  /** The media types of a good answer, the preferred first. */
  readonly types: ReadonlyArray<string>
  /**
   * What a request without a key counts against: nothing; all requests of its address; besides, all calls without a key
   * of its address, on whichever surface; or a bucket in place of these calls. Endpoints behind a key have the key's own
   * limit.
   */
  readonly limit: "none" | "requests" | "calls" | Bucket
  readonly handler: Handler
  /** Absent where documents say nothing of it. */
  readonly description?: Description
}

/** The endpoints of a catalogue. */
export const ofEntries = (entries: ReadonlyArray<Catalogue.Entry>): ReadonlyArray<Route> =>
  entries.map((entry) => {
    const { endpoint, lane } = entry
    return {
      method: Endpoint.methodOf(endpoint),
      path: endpoint.path,
      auth: endpoint.auth,
      types: typesOf(endpoint.rows !== undefined),
      limit: Endpoint.isPlain(endpoint) ? "calls" : "requests",
      handler: { _tag: "Call", entry, ...Wire.headersOf(endpoint) },
      description: { _tag: "Endpoint", endpoint, tag: lane.name },
    }
  })

/** The paths of a mount. It sees to methods, keys and limits itself. */
export const ofMount = (mount: Mount): ReadonlyArray<Route> =>
  [...mount.paths].map((path) => ({
    method: "POST",
    path,
    auth: "none",
    types: ["application/json"],
    limit: "none",
    handler: { _tag: "Mount", mount },
  }))

/** What is served at a path. */
export interface Resource {
  /** By method; HEAD is that of GET. */
  readonly routes: ReadonlyMap<string, Route>
  /** For the `Allow` header. */
  readonly methods: ReadonlyArray<string>
  readonly mount: Mount | undefined
  /** Whether everybody may ask at any time, as those may who watch the server. */
  readonly isUnlimited: boolean
}

export interface Table {
  readonly routes: ReadonlyArray<Route>
  readonly mounts: ReadonlySet<Mount>
  readonly find: (path: string) => Resource | undefined
}

/**
 * What stands in a path for the names of a template, decoded.
 *
 * @returns undefined where the path is not of the template
 */
export const match = (template: string, path: string): Readonly<Record<string, string>> | undefined => {
  const [names, values] = [template.split("/"), path.split("/")]
  if (names.length !== values.length) return undefined
  const found: Record<string, string> = {}
  for (const [at, name] of names.entries()) {
    const value = values[at]!
    if (!name.startsWith(":")) {
      if (name !== value) return undefined
      continue
    }
    try {
      found[name.slice(1)] = decodeURIComponent(value)
    } catch {
      return undefined
    }
    if (value === "") return undefined
  }
  return found
}

const resourceOf = (routes: ReadonlyArray<Route>): Resource => {
  const byMethod = new Map(
    routes.flatMap((route) =>
      (route.method === "GET" ? ["GET", "HEAD"] : [route.method]).map((method) => [method, route] as const),
    ),
  )
  const mounts = routes.flatMap(({ handler }) => (handler._tag === "Mount" ? [handler.mount] : []))
  return {
    routes: byMethod,
    methods: [...byMethod.keys()],
    mount: mounts[0],
    isUnlimited: routes.every(({ limit }) => limit === "none"),
  }
}

/**
 * The table of what a listener serves: routing, `Allow` and limits are read off it.
 *
 * @param auths who may be served there: an operator's route must never lie on the public listener
 * @throws when a method of a path is served twice, or where it must not be
 */
export const table = (routes: ReadonlyArray<Route>, auths: ReadonlyArray<Endpoint.Auth>): Table => {
  const byPath = new Map<string, Array<Route>>()
  for (const route of routes) {
    const { path, method, auth } = route
    if (!auths.includes(auth)) throw new Error(`${method} ${path} must not be served here`)
    const before = byPath.get(path) ?? []
    if (before.some((other) => other.method === method)) throw new Error(`${method} ${path} is served twice`)
    byPath.set(path, [...before, route])
  }
  const exact = new Map<string, Resource>()
  const templates: Array<readonly [string, Resource]> = []
  for (const [path, each] of byPath) {
    if (path.includes("/:")) templates.push([path, resourceOf(each)])
    else exact.set(path, resourceOf(each))
  }
  const byTemplate = (path: string): Resource | undefined =>
    templates.find(([template]) => match(template, path) !== undefined)?.[1]
  return {
    routes,
    mounts: new Set(routes.flatMap(({ handler }) => (handler._tag === "Mount" ? [handler.mount] : []))),
    find: templates.length === 0 ? (path) => exact.get(path) : (path) => exact.get(path) ?? byTemplate(path),
  }
}
