import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import { nearest } from "../../../core/endpoint/nearest.ts"
import { change, type Failure, fail } from "../../../core/Failure.ts"
import { Gateway } from "../../../core/gateway/Gateway.ts"
import { capabilitiesPath } from "../../describe/paths.ts"
import { selectMediaType, splitTarget } from "./query.ts"
import type { Table } from "./route.ts"
import { Site } from "./Site.ts"
import * as Wire from "./wire.ts"

/** A listener's answers to requests that no route handles. */
export interface Surface {
  /** Checked before routing. */
  readonly admit?: Effect.Effect<void, Failure, HttpServerRequest.HttpServerRequest>
  readonly refuse: (failure: Failure, headers?: Wire.Headers) => Effect.Effect<HttpServerResponse.HttpServerResponse>
  /** The answer to OPTIONS on every path. Absent: OPTIONS is a method like any other. */
  readonly options?: Effect.Effect<HttpServerResponse.HttpServerResponse>
  /** Whether a path was withdrawn (410). */
  readonly isGone?: (path: string) => boolean
  readonly headers?: Wire.Headers
  /** The last hint of a 404: where all paths are listed. */
  readonly contents: string
  /** Answers a failed request that accepts pages. Absent: all failures are answered in the envelope. */
  readonly page?: (site: Site, path: string, failure: Failure) => Effect.Effect<HttpServerResponse.HttpServerResponse>
}

const html = "text/html; charset=utf-8"

/** Pages in place of the error envelope, for requests that accept pages. */
export interface FailurePages {
  readonly render: (site: Site, path: string, failure: Failure) => string
  readonly headers: Wire.Headers
}

/** Paths for programs, which get the error envelope whatever they accept. */
const programPaths = ["/v1", "/mcp", "/admin", "/schemas", "/.well-known"]

/** Whether a failure is answered with a page: the client prefers HTML, and the path is not for programs. */
const wantsPage = (path: string, accept: string | undefined): boolean =>
  accept !== undefined &&
  selectMediaType(accept, ["application/json", "text/html"]) === "text/html" &&
  !programPaths.some((each) => path === each || path.startsWith(`${each}/`))

/** Answers every request that is neither a catalogue call nor a mount's. */
export const make = (table: Table, surface: Surface): HttpApp.Default => {
  const { admit = Effect.void, refuse, options, isGone, contents, page, headers = {} } = surface
  const paths = [...new Set(table.routes.map((route) => route.path))].filter((path) => !path.includes(":"))
  const noSuchPath = (path: string): Failure => {
    const near = nearest(paths, path, undefined, Math.max(1, Math.floor(path.length / 4)))
    return fail("not_found", {
      detail: "There is no endpoint at this path.",
      hints: [...(near === undefined ? [] : [change("path", `Did you mean ${near}?`)]), change("path", contents)],
    })
  }

  const site: Site = { served: (path) => table.find(path) !== undefined }

  const answerFailure = (failure: Failure, isPage = failure.status === 429 || failure.status >= 500) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ method, url, headers }) => {
      const { path } = splitTarget(url)
      const isReader = (method === "GET" || method === "HEAD") && wantsPage(path, headers["accept"])
      return page !== undefined && isPage && isReader ? page(site, path, failure) : refuse(failure)
    })

  const app = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ method, url }) => {
    const { path } = splitTarget(url)
    const resource = table.find(path)
    const handler = resource?.routes.get(method)?.handler
    if (handler?._tag === "App") return Effect.provideService(handler.app, Site, site)
    if (isGone?.(path)) return refuse(fail("not_offered"))
    if (method === "OPTIONS" && options !== undefined) return options
    if (resource === undefined) return answerFailure(noSuchPath(path), true)
    const allow = [...resource.methods, ...(options === undefined ? [] : ["OPTIONS"])].join(", ")
    return refuse(fail("method_not_allowed", { hints: [change("method", `Send ${allow}.`)] }), { allow })
  })

  return Effect.zipRight(admit, app).pipe(
    // A bug is answered like any failure; its cause is only logged.
    Effect.catchAllDefect((defect) => fail("internal_error", { cause: defect })),
    Effect.catchTag("Failure", (failure) => answerFailure(failure)),
    Effect.map(HttpServerResponse.setHeaders(headers)),
  )
}

/** A browser that has used https once never falls back to http (RFC 6797). */
const strictTransport = { "strict-transport-security": "max-age=31536000" } as const

/**
 * The surface of the public listener.
 *
 * @param pages the pages of failures
 * @param baseUrl the public URL of the service
 */
export const publicSurface = (
  table: Table,
  pages: FailurePages,
  baseUrl = "",
): Effect.Effect<Surface, never, Gateway> =>
  Effect.map(Gateway, (gateway) => ({
    refuse: (failure, own) =>
      Effect.map(gateway.errorReply(failure), (served) => {
        const { status, headers, body } = Wire.of(served, { ...Wire.jsonHeaders, ...own })
        return HttpServerResponse.text(body, { status, headers })
      }),
    options: Effect.map(gateway.nextRequestId(), (id) =>
      HttpServerResponse.empty({ status: 204, headers: { ...Wire.preflight, "x-request-id": id } }),
    ),
    isGone: Catalogue.isNotOffered,
    page: (site, path, failure) =>
      Effect.map(gateway.errorReply(failure), (served) => {
        const { status, headers } = Wire.of(served, { ...Wire.jsonHeaders, ...pages.headers, vary: "Accept" })
        return HttpServerResponse.text(pages.render(site, path, failure), { status, headers, contentType: html })
      }),
    headers: baseUrl.startsWith("https:") ? strictTransport : {},
    contents: `${table.find(capabilitiesPath) === undefined ? "The catalogue" : `GET ${capabilitiesPath}`} lists every endpoint.`,
  }))
