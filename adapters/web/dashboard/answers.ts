import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Effect from "effect/Effect"
import { type Failure, fail } from "../../../core/Failure.ts"
import * as Step from "../../../core/Step.ts"
import * as Body from "../../server/http/body.ts"
import { defaultLimits } from "../../server/http/listener.ts"
import type { Route } from "../../server/http/route.ts"
import { Site } from "../../server/http/Site.ts"
import { formPolicy, pageHeaders } from "../view/assets.ts"
import { plain } from "./Frame.tsx"
import type { View } from "./Page.ts"
import { refusedView } from "./Refused.tsx"

type Headers = Readonly<Record<string, string>>

/** An answer to a request of a browser. */
export type Answer<R = never> = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  Failure,
  HttpServerRequest.HttpServerRequest | R | Site
>

/** Of every answer of the dashboard. */
export const headers = {
  ...pageHeaders,
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
} as const

export const html = (text: string, status = 200, more: Headers = {}) =>
  HttpServerResponse.text(text, { status, contentType: "text/html; charset=utf-8", headers: { ...headers, ...more } })

/** The policy of a page whose forms lead to other origins: browsers apply it to redirects too. */
export const formsTo = ({ formsTo: origins = [] }: View): Headers =>
  origins.length === 0 ? {} : { "content-security-policy": formPolicy(origins) }

export const goTo = (path: string, more: Headers = {}) =>
  HttpServerResponse.empty({ status: 303, headers: { ...headers, location: path, ...more } })

export const isPost = ({ method }: HttpServerRequest.HttpServerRequest): boolean => method === "POST"

export const form = Effect.gen(function* () {
  const response = NodeHttpServerRequest.toServerResponse(yield* HttpServerRequest.HttpServerRequest)
  return new URLSearchParams((yield* Step.run(Body.read(response, defaultLimits))).toString("utf8"))
})

export const refusedForm = fail("invalid_request_body", {
  detail: "This form was not sent from a page of this session. Open the page again and repeat it.",
})

export const pageWithoutSession = (view: View, status?: number, more?: Headers) =>
  Effect.map(Site, (site) => html(plain(site, view), status, more))

const titles: Readonly<Partial<Record<Failure["code"], string>>> = {
  not_found: "Page not found",
  storage_unavailable: "The store is busy",
}

/** When a browser may come back. */
export const retryAfter = ({ retryAfterMs }: Failure): Headers =>
  retryAfterMs === undefined ? {} : { "retry-after": String(Math.ceil(retryAfterMs / 1_000)) }

export const refused = (failure: Failure) =>
  Effect.zipRight(
    failure.status >= 500 ? Effect.logWarning("A page of the dashboard failed", failure) : Effect.void,
    Effect.flatMap(Site, (site) =>
      pageWithoutSession(
        refusedView(titles[failure.code] ?? "That did not work", failure, site),
        failure.status,
        retryAfter(failure),
      ),
    ),
  )

/** A route of the dashboard. */
export const route = (
  method: "GET" | "POST",
  path: string,
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, Failure, HttpServerRequest.HttpServerRequest | Site>,
): Route => ({
  method,
  path,
  auth: "none",
  types: ["text/html"],
  limit: "requests",
  handler: { _tag: "App", app },
})
