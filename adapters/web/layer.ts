import type { RequestListener } from "node:http"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type { RateLimits } from "../../core/account/RateLimits.ts"
import * as Catalogue from "../../core/endpoint/Catalogue.ts"
import type { Gateway } from "../../core/gateway/Gateway.ts"
import { fromListener, type Handler } from "../server/http/handler.ts"
import * as HttpServer from "../server/http/server.ts"
import * as Discovery from "./docs/pages.ts"
import { failurePages } from "./NotFound.tsx"
import * as StatusPage from "./StatusPage.tsx"

interface Facts {
  /** Facts for the documents; without them only the error and webhook pages are served. */
  readonly discovery?: Discovery.Options
}

export interface ListenerOptions extends Omit<HttpServer.ListenerOptions, "documents" | "baseUrl">, Facts {}

export interface Options extends Omit<HttpServer.Options, "documents" | "baseUrl">, Facts {}

const withDocuments = <A extends Facts>(catalogue: Catalogue.Any, { discovery, ...options }: A) => ({
  ...options,
  ...(discovery === undefined ? {} : { baseUrl: discovery.baseUrl }),
  documents: {
    routes: (served, ready) => {
      if (discovery === undefined) return Effect.succeed(Discovery.common())
      // A lane in development answers nothing, and is neither up nor down.
      const answering = new Set(Catalogue.live(catalogue).map(({ lane }) => lane.name))
      const modes = Object.entries(discovery.freshness ?? {}).filter(([lane]) => answering.has(lane))
      const status = StatusPage.make(ready, Object.fromEntries(modes), discovery.laneDays)
      return Effect.map(Discovery.make(catalogue, discovery, [...served, status]), (pages) => [status, ...pages])
    },
    failures: failurePages,
  } satisfies HttpServer.Documents,
})

/** The catalogue with its documents and pages on a socket until the scope closes. */
export const layer = (
  catalogue: Catalogue.Any,
  options: Options,
): Layer.Layer<HttpServer.HttpAddress, HttpServer.ListenError, Gateway | RateLimits> =>
  HttpServer.layer(catalogue, withDocuments(catalogue, options))

/**
 * The same as a listener of `node:http`, for a server of one's own. Limits of connections, slow readers and malformed
 * requests are that server's; event streams end when the scope closes.
 */
export const makeListener = (
  catalogue: Catalogue.Any,
  options: ListenerOptions = {},
): Effect.Effect<RequestListener, never, HttpServer.Needs> =>
  HttpServer.makeListener(catalogue, withDocuments(catalogue, options))

/** The same as a function from `Request` to `Response`, for frameworks and runtimes that have those. */
export const makeHandler = (
  catalogue: Catalogue.Any,
  options: ListenerOptions = {},
): Effect.Effect<Handler, never, HttpServer.Needs> => Effect.map(makeListener(catalogue, options), fromListener)
