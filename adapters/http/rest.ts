import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpRouter from "@effect/platform/HttpRouter"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Catalogue from "../../core/endpoint/Catalogue.ts"
import * as Envelope from "../../core/endpoint/Envelope.ts"
import { type Failure, fail } from "../../core/Failure.ts"
import { Gateway } from "../../core/gateway/Gateway.ts"
import { path as documentPath } from "./discovery/openapi.ts"
import type { Pages } from "./discovery/pages.ts"
import * as Proof from "./proof.ts"
import { split } from "./query.ts"
import * as Scoreboard from "./scoreboard/app.ts"
import * as Wire from "./wire.ts"

/** Whether the process can serve, and what an operator wants to know beside that. */
export interface Readiness {
  readonly report: { readonly status: string } & Readonly<Record<string, unknown>>
  /** Why no paid call can be served. */
  readonly failure?: Failure
}

export type Ready = Effect.Effect<Readiness, Failure>

/** Of what needs nothing. */
export const ready: Ready = Effect.succeed({ report: { status: "ready" } })

/** Where those who watch the server ask how it is. */
export const health: ReadonlySet<string> = new Set(["/healthz", "/readyz"])

const unkept = { "cache-control": "no-store" }

const respond = ({ status, headers, body }: Wire.Wire) => HttpServerResponse.text(body, { status, headers })

/**
 * Everything that is no catalogue call: health, documents, and the envelope for what does not exist.
 *
 * @param entries the calls, by path
 * @param proof the record's, where there is one
 * @param scoreboard the page of the scoreboard and its files, where there is one
 * @param pages what is served at exact paths
 */
export const make = (
  entries: Catalogue.Any["byPath"],
  ready: Ready,
  proof: HttpRouter.HttpRouter | undefined,
  scoreboard: HttpRouter.HttpRouter | undefined,
  pages: Pages,
): Effect.Effect<HttpApp.Default, never, Gateway> =>
  Effect.map(Gateway, (gateway) => {
    const refuse = (failure: Failure, extra?: Record<string, string>, beside?: Readiness["report"]) =>
      Effect.map(gateway.refuse(failure), (served) => {
        const whole =
          beside === undefined
            ? served
            : { ...served, body: Envelope.body({ ...beside, ...(served.body.toValue() as object) }) }
        return respond(Wire.of(whole, { ...Wire.json, ...extra }))
      })
    const preflight = Effect.succeed(HttpServerResponse.empty({ status: 204, headers: Wire.preflight }))

    const contents = pages.has(documentPath) ? `GET ${documentPath}` : "The catalogue"
    const missing = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ method, url }) => {
      const { path } = split(url)
      if (Catalogue.isNotOffered(path)) return refuse(fail("not_offered"))
      if (method === "OPTIONS") return preflight
      const entry = entries.get(path)
      if (entry !== undefined) return refuse(fail("method_not_allowed"), { allow: Wire.allowOf(entry.endpoint) })
      const known =
        pages.has(path) ||
        health.has(path) ||
        (proof !== undefined && Proof.paths.has(path)) ||
        (scoreboard !== undefined && Scoreboard.paths.has(path))
      if (known && method !== "GET" && method !== "HEAD")
        return refuse(fail("method_not_allowed"), { allow: Wire.allow })
      return refuse(
        fail("not_found", {
          detail: "Nothing lives at this path.",
          hints: [{ field: "path", action: "change", suggestion: `${contents} lists every path.` }],
        }),
      )
    })

    const router = HttpRouter.empty.pipe(
      HttpRouter.get("/healthz", Effect.succeed(HttpServerResponse.unsafeJson({ status: "ok" }))),
      HttpRouter.get(
        "/readyz",
        Effect.matchEffect(ready, {
          onFailure: (failure) => refuse(failure),
          onSuccess: (found) =>
            found.failure === undefined
              ? Effect.succeed(HttpServerResponse.unsafeJson(found.report, { headers: unkept }))
              : refuse(found.failure, undefined, found.report),
        }),
      ),
    )
    const served = [proof, scoreboard].reduce<HttpRouter.HttpRouter>(
      (all, each) => (each === undefined ? all : HttpRouter.concat(all, each)),
      router,
    )
    const app = Effect.flatMap(
      HttpServerRequest.HttpServerRequest,
      ({ method, url }) => (method === "GET" || method === "HEAD" ? pages.get(split(url).path) : undefined) ?? served,
    )
    return app.pipe(
      Effect.catchTag("RouteNotFound", () => missing),
      // A bug answers the envelope too; what it was goes to the log alone.
      Effect.catchAllDefect((defect) => refuse(fail("internal_error", { cause: defect }))),
    )
  })
