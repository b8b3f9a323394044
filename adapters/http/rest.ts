import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Catalogue from "../../core/endpoint/Catalogue.ts"
import { type Failure, fail } from "../../core/Failure.ts"
import { Gateway } from "../../core/gateway/Gateway.ts"
import { path as documentPath } from "./discovery/openapi.ts"
import { split } from "./query.ts"
import type { Table } from "./route.ts"
import * as Wire from "./wire.ts"

/** How a listener answers what none of its handlers does. */
export interface Surface {
  /** Who may ask at all, whatever the path. */
  readonly admit?: Effect.Effect<void, Failure, HttpServerRequest.HttpServerRequest>
  readonly refuse: (failure: Failure, headers?: Wire.Headers) => Effect.Effect<HttpServerResponse.HttpServerResponse>
  /** What OPTIONS answers wherever it goes; without it, it is a method like others. */
  readonly options?: HttpServerResponse.HttpServerResponse
  /** Paths that were withdrawn. */
  readonly isGone?: (path: string) => boolean
  /** The way on for who asked for a path that does not exist. */
  readonly contents: string
}

/** Everything of a table that is neither a catalogue call nor a mount, and the envelope for what does not exist. */
export const make = (table: Table, surface: Surface): HttpApp.Default => {
  const { admit = Effect.void, refuse, options, isGone, contents } = surface
  const missing = fail("not_found", {
    detail: "Nothing lives at this path.",
    hints: [{ field: "path", action: "change", suggestion: contents }],
  })

  const app = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ method, url }) => {
    const { path } = split(url)
    const resource = table.find(path)
    const handler = resource?.routes.get(method)?.handler
    if (handler?._tag === "App") return handler.app
    if (isGone?.(path)) return refuse(fail("not_offered"))
    if (method === "OPTIONS" && options !== undefined) return Effect.succeed(options)
    if (resource === undefined) return refuse(missing)
    const allow = [...resource.methods, ...(options === undefined ? [] : ["OPTIONS"])].join(", ")
    return refuse(fail("method_not_allowed"), { allow })
  })

  return Effect.zipRight(admit, app).pipe(
    Effect.catchTag("Failure", (failure) => refuse(failure)),
    // A bug answers the envelope too; what it was goes to the log alone.
    Effect.catchAllDefect((defect) => refuse(fail("internal_error", { cause: defect }))),
  )
}

/** That of the public listener. */
export const publicSurface = (table: Table): Effect.Effect<Surface, never, Gateway> =>
  Effect.map(Gateway, (gateway) => ({
    refuse: (failure, own) =>
      Effect.map(gateway.refuse(failure), (served) => {
        const { status, headers, body } = Wire.of(served, { ...Wire.json, ...own })
        return HttpServerResponse.text(body, { status, headers })
      }),
    options: HttpServerResponse.empty({ status: 204, headers: Wire.preflight }),
    isGone: Catalogue.isNotOffered,
    contents: `${table.find(documentPath) === undefined ? "The catalogue" : `GET ${documentPath}`} lists every path.`,
  }))
