import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Scope } from "effect/Scope"
import type { RateLimits } from "../../../core/account/RateLimits.ts"
import type { Gateway } from "../../../core/gateway/Gateway.ts"
import * as Exposition from "../../runtime/telemetry/exposition.ts"
import type { Admin } from "./admin.ts"
import * as ClientAddress from "./clientAddress.ts"
import * as Listener from "./listener.ts"
import * as Rest from "./rest.ts"
import { makeTable, type Route, type Table } from "./route.ts"
import * as Server from "./server.ts"

export interface Options {
  readonly listenOn: Server.ListenAddress
  readonly limits?: Partial<Server.Limits>
  /** Longest time that running calls may take during shutdown, milliseconds. */
  readonly drainMs?: number
}

/**
 * A listener for the operator's own routes, until the scope closes.
 *
 * @returns its URL
 */
const serve = (
  routes: Table,
  surface: Rest.Surface,
  { listenOn: place, limits: given, drainMs }: Options,
): Effect.Effect<string, Server.ListenError, Gateway | RateLimits | Scope> =>
  Effect.gen(function* () {
    const limits = { ...Server.defaultLimits, ...given }
    const trusts = ClientAddress.trustsNobody
    const rest = Rest.make(routes, surface)
    const listener = yield* Listener.make({ table: routes, rest, isUnlimited: true, limits, trusts })
    const { family, address, port } = yield* Server.serve(listener, place, limits, trusts, drainMs)
    return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`
  })

/** The admin API's URL; undefined where it is off. */
export class AdminAddress extends Context.Tag("market-signals/adapters/server/http/AdminAddress")<
  AdminAddress,
  { readonly address: string | undefined }
>() {}

/** The admin API on a listener of its own, until the scope closes. */
export const layerAdmin = (
  { table: routes, surface }: Admin,
  options: Options,
): Layer.Layer<AdminAddress, Server.ListenError, Gateway | RateLimits> =>
  Layer.scoped(
    AdminAddress,
    Effect.map(serve(routes, surface, options), (address) => ({ address })),
  )

const path = "/metrics"

/** The metrics' URL; undefined where they are off. */
export class MetricsAddress extends Context.Tag("market-signals/adapters/server/http/MetricsAddress")<
  MetricsAddress,
  { readonly address: string | undefined }
>() {}

const surface: Rest.Surface = {
  refuse: ({ status, message }, headers = {}) =>
    Effect.succeed(HttpServerResponse.text(`${message}\n`, { status, headers })),
  contents: `GET ${path} has the metrics.`,
}

const route = (text: Effect.Effect<string>): Route => ({
  method: "GET",
  path,
  auth: "operator",
  types: ["text/plain"],
  limit: "none",
  handler: {
    _tag: "App",
    app: Effect.map(text, (metrics) =>
      HttpServerResponse.text(metrics, {
        contentType: Exposition.contentType,
        headers: { "cache-control": "no-store" },
      }),
    ),
  },
})

/**
 * The metrics on a listener of their own, until the scope closes: without a key, so it belongs on a network that only the
 * operator reaches. They have no account, key or parameter.
 */
export const layerMetrics = (
  text: Effect.Effect<string>,
  options: Options,
): Layer.Layer<MetricsAddress, Server.ListenError, Gateway | RateLimits> =>
  Layer.scoped(
    MetricsAddress,
    Effect.map(serve(makeTable([route(text)], ["operator"]), surface, options), (address) => ({
      address: "path" in options.listenOn ? address : `${address}${path}`,
    })),
  )
