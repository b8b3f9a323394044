import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { RateLimits } from "../../../core/account/RateLimits.ts"
import type { Gateway } from "../../../core/gateway/Gateway.ts"
import * as Exposition from "../../runtime/telemetry/exposition.ts"
import * as OwnListener from "./ownListener.ts"
import type { Surface } from "./rest.ts"
import { type Route, table } from "./route.ts"
import type * as Server from "./server.ts"

const path = "/metrics"

/** The metrics' URL or the path of their Unix socket; undefined where they are off. */
export class MetricsAddress extends Context.Tag("adapters/server/http/MetricsAddress")<
  MetricsAddress,
  { readonly at: string | undefined }
>() {}

const surface: Surface = {
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
    app: Effect.map(text, (found) =>
      HttpServerResponse.text(found, { contentType: Exposition.contentType, headers: { "cache-control": "no-store" } }),
    ),
  },
})

/**
 * The metrics on a listener of their own, until the scope closes: without a key, so it belongs on a network that only the
 * operator reaches. They have no account, key or parameter.
 */
export const layer = (
  text: Effect.Effect<string>,
  options: OwnListener.Options,
): Layer.Layer<MetricsAddress, Server.ListenError, Gateway | RateLimits> =>
  Layer.scoped(
    MetricsAddress,
    Effect.map(OwnListener.serve(table([route(text)], ["operator"]), surface, options), (at) => ({
      at: "path" in options.place ? at : `${at}${path}`,
    })),
  )
