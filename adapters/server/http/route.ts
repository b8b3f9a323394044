import type { IncomingMessage, ServerResponse } from "node:http"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import type * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import type * as Effect from "effect/Effect"
import type * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import type { Failure } from "../../../core/Failure.ts"
import type * as Step from "../../../core/Step.ts"
import { listMediaTypes } from "./query.ts"
import type { Site } from "./Site.ts"
import * as Wire from "./wire.ts"

/** A GET route also answers HEAD. */
export type Method = "GET" | "POST" | "PATCH" | "DELETE"

/** A limit that only some routes have: keyless requests per minute and address. */
export interface RouteLimit {
  readonly name: string
  readonly perMinute: number
}

/** A request to a mount. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The path of the request's target. */
  readonly path: string
  /** The client as rate limits name it: an IPv4 address or an IPv6 /64. */
  readonly address: string | undefined
  /** Reads the body, within the listener's limits. */
  readonly body: Step.Step<Buffer, Failure>
  /** Call it right before the response head is written. */
  readonly closeIfDraining: (response: ServerResponse) => void
}

/** Paths of another protocol: it answers every method and every error in its own format. */
export interface Mount {
  readonly paths: ReadonlySet<string>
  readonly onRequest: (exchange: Exchange) => void
  /** Answers a request that the listener rejects before routing. Its body is not read. */
  readonly onRefused: (exchange: Exchange, failure: Failure) => void
  /** The server is shutting down: open no new stream and end each open one once its calls are answered. */
  readonly onDrain: () => void
}

/** Answers a request; a failure becomes the error envelope. */
export type App = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  Failure,
  HttpServerRequest.HttpServerRequest | Site
>

export type RouteHandler =
  /** Straight to the gateway, with response headers computed once. */
  | ({ readonly _tag: "Call"; readonly entry: Catalogue.Entry } & ReturnType<typeof Wire.makeHeaders>)
  | { readonly _tag: "App"; readonly app: App }
  | { readonly _tag: "Mount"; readonly mount: Mount }

/** A route in the OpenAPI document: its endpoint's declaration, or a handwritten operation. */
export type RouteDescription =
  | { readonly _tag: "Endpoint"; readonly endpoint: Endpoint.AnyOperation; readonly tag: string }
  | {
      readonly _tag: "Operation"
      readonly operation: Readonly<Record<string, unknown>>
      /** The path's template, where several routes share one operation. */
      readonly template?: string
    }

/** One method of one path. Everything that a listener serves is a route. */
export interface Route {
  readonly method: Method
  /** `:name` matches one segment. */
  readonly path: string
  readonly auth: Endpoint.Auth
  /** Media types of a 2xx, the preferred one first. */
  readonly types: ReadonlyArray<string>
  /**
   * The limit of a request without a key: `none`; `requests`, all requests of its address; `calls`, in addition the
   * keyless calls of its address over HTTP and MCP; a `RouteLimit` replaces `calls`. A request with a key counts
   * against the key.
   */
  readonly limit: "none" | "requests" | "calls" | RouteLimit
  readonly handler: RouteHandler
  /** Absent: not in the OpenAPI document. */
  readonly description?: RouteDescription
}

/** Routes of a catalogue's endpoints. */
export const fromEntries = (entries: ReadonlyArray<Catalogue.Entry>): ReadonlyArray<Route> =>
  entries.map((entry) => {
    const { endpoint, lane } = entry
    return {
      method: Endpoint.methodOf(endpoint),
      path: endpoint.path,
      auth: endpoint.auth,
      types: listMediaTypes(endpoint.rows !== undefined),
      limit: Endpoint.isKeyless(endpoint) ? "calls" : "requests",
      handler: { _tag: "Call", entry, ...Wire.makeHeaders(endpoint) },
      description: { _tag: "Endpoint", endpoint, tag: Endpoint.sectionOf(endpoint, lane) },
    }
  })

/** Routes of a mount, which checks methods, keys and limits itself. */
export const fromMount = (mount: Mount): ReadonlyArray<Route> =>
  [...mount.paths].map((path) => ({
    method: "POST",
    path,
    auth: "none",
    types: ["application/json"],
    limit: "none",
    handler: { _tag: "Mount", mount },
  }))

/** All routes of one path. */
export interface Resource {
  /** By method; HEAD maps to the GET route. */
  readonly routes: ReadonlyMap<string, Route>
  /** For the `Allow` header. */
  readonly methods: ReadonlyArray<string>
  readonly mount: Mount | undefined
  /** True for the health routes and for those that limit their callers themselves. */
  readonly isUnlimited: boolean
}

export interface Table {
  readonly routes: ReadonlyArray<Route>
  readonly mounts: ReadonlySet<Mount>
  readonly find: (path: string) => Resource | undefined
}

/**
 * The values of a template's `:names` in a path, decoded.
 *
 * @returns undefined if the path does not match
 */
export const matchPath = (template: string, path: string): Readonly<Record<string, string>> | undefined => {
  const [names, values] = [template.split("/"), path.split("/")]
  if (names.length !== values.length) return undefined
  const params: Record<string, string> = {}
  for (const [at, name] of names.entries()) {
    const value = values[at]!
    if (!name.startsWith(":")) {
      if (name !== value) return undefined
      continue
    }
    try {
      params[name.slice(1)] = decodeURIComponent(value)
    } catch {
      return undefined
    }
    if (value === "") return undefined
  }
  return params
}

const makeResource = (routes: ReadonlyArray<Route>): Resource => {
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
 * A listener's routes by path, from which routing, `Allow` and limits are derived.
 *
 * @param auths the kinds allowed here: an operator's route must never be on the public listener
 * @throws if a method of a path is declared twice or a route's auth is not in `auths`
 */
export const makeTable = (routes: ReadonlyArray<Route>, auths: ReadonlyArray<Endpoint.Auth>): Table => {
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
    if (path.includes("/:")) templates.push([path, makeResource(each)])
    else exact.set(path, makeResource(each))
  }
  const byTemplate = (path: string): Resource | undefined =>
    templates.find(([template]) => matchPath(template, path) !== undefined)?.[1]
  return {
    routes,
    mounts: new Set(routes.flatMap(({ handler }) => (handler._tag === "Mount" ? [handler.mount] : []))),
    find: templates.length === 0 ? (path) => exact.get(path) : (path) => exact.get(path) ?? byTemplate(path),
  }
}
