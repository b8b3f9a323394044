import * as HttpClient from "@effect/platform/HttpClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Failure, fail } from "../../../../core/Failure.ts"
import * as Breaker from "../../../runtime/upstream/breaker.ts"
import { concurrencyLimit } from "../../../runtime/upstream/concurrencyLimit.ts"
import {
  callBudget,
  type GetJson,
  getJson,
  isOverload,
  type RequestPolicy,
  toFailure,
  type Upstream,
  type UpstreamError,
} from "../../../runtime/upstream/upstream.ts"

/** Address of the weather service, and our user agent: requests without one are rejected. */
export interface Settings {
  readonly nws: string
  readonly userAgent: string
}

/** Client of the National Weather Service's public API: at most 8 requests at a time. */
export interface Api {
  readonly upstream: Upstream
  /** The public address of a path, for citations. */
  readonly address: (path: string) => string
  readonly get: GetJson
  /** The same client for another media type; shares the limit on requests. */
  readonly accepting: (mediaType: string) => Api
}

/** The process-wide client of the service, with one limit on requests. */
export class Nws extends Context.Tag("market-signals/adapters/lanes/weather/Nws")<Nws, Api>() {}

/** The service's name in a sentence. */
export const title = "The National Weather Service"

/** The service's public address. */
export const publicUrl = "https://api.weather.gov"

/** 8 requests at a time, at most 256 running or queued; the service's rate limit is not published. */
const crowd = { atOnce: 8, atMost: 256 }

/** The problem in an error body (RFC 9457): the end of its `type`. */
const problemOf = ({ body = "" }: UpstreamError): string | undefined => /\/problems\/(\w{1,64})"/.exec(body)?.[1]

/** Its delivery network blocks whoever asks too often for some seconds, with 403; a problem may be of one grid alone. */
const asksForPause = (error: UpstreamError): boolean =>
  (error.status === 403 || isOverload(error)) && (error.status === 429 || problemOf(error) === undefined)

const over = (client: HttpClient.HttpClient, upstream: Upstream): Api => ({
  upstream,
  address: (path) => publicUrl + path,
  get: (schema, path, query) => getJson(client, upstream, schema, path, query),
  accepting: (accept) => over(client, { ...upstream, headers: { ...upstream.headers, accept } }),
})

export const layer = (
  { nws, userAgent }: Settings,
  policy: RequestPolicy = {},
): Layer.Layer<Nws, never, HttpClient.HttpClient> =>
  Layer.effect(
    Nws,
    Effect.map(HttpClient.HttpClient, (client) =>
      over(client, {
        ...Breaker.breakerNamed("nws", title),
        baseUrl: nws.replace(/\/+$/, ""),
        slot: concurrencyLimit("nws", crowd, title),
        isOverload: asksForPause,
        ...callBudget,
        ...policy,
        headers: { accept: "application/geo+json", "user-agent": userAgent, ...policy.headers },
      }),
    ),
  )

const pointHints = (["lat", "lon"] as const).map((field) => ({
  field,
  action: "change" as const,
  suggestion: "No forecast grid covers this lat and lon. Choose a point on land in the United States.",
}))

/** Offices update their grids at any minute. */
export const retryStale = { retryAfterMs: 60_000 }

/** A point without a forecast. */
export const nowhere = (cause?: UpstreamError): Failure =>
  fail("not_found", { detail: "There is no forecast grid at this point.", hints: pointHints, cause })

/**
 * The failure for an error of the weather service.
 *
 * @param absent the problem that, with status 404, means no forecast: points at sea have another product, and only a
 * point, not a cell, is known to lie outside all grids
 */
export const failureOf = (error: UpstreamError, absent = "MarineForecastNotSupported"): Failure => {
  const problem = problemOf(error)
  if (error.status === 404 && problem === absent) return nowhere(error)
  if (problem === "ForecastGridExpired") {
    return fail("data_freshness_stale", {
      detail: "The forecast office's grid for this point has expired.",
      retryAfterMs: error.retryAfterMs ?? retryStale.retryAfterMs,
      cause: error,
    })
  }
  return toFailure(error)
}
