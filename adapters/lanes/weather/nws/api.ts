import * as HttpClient from "@effect/platform/HttpClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Schema from "effect/Schema"
import { type Failure, fail } from "../../../../core/Failure.ts"
import { turns } from "../../../upstream/turns.ts"
import { getJson, type Manners, toFailure, type Upstream, type UpstreamError } from "../../../upstream/upstream.ts"

/** Where the weather service is asked, and as whom: it refuses requests without a User-Agent. */
export interface Settings {
  readonly nws: string
  readonly userAgent: string
}

/** The National Weather Service's public API, asked politely: a few requests at a time. */
export interface Api {
  readonly upstream: Upstream
  /** The public address of a path, as citations name it wherever we ask. */
  readonly address: (path: string) => string
  readonly get: <A, I>(
    schema: Schema.Schema<A, I>,
    path: string,
    query?: Readonly<Record<string, string>>,
  ) => Effect.Effect<A, UpstreamError>
  /** The same service asked for another media type; the limit on requests is one. */
  readonly accepting: (mediaType: string) => Api
}

/** The service as every reader of a process asks it: one limit on requests. */
export class Nws extends Context.Tag("adapters/lanes/weather/Nws")<Nws, Api>() {}

/** The service's own address. */
export const publicUrl = "https://api.weather.gov"

/** Its rate limit is not published; requests beyond these wait. While it hangs, a crowd is not kept waiting. */
const crowd = { atOnce: 8, atMost: 256 }

/** A forecast takes two questions, one after the other: both fit into the time of a call. */
const allMs = 9_000

const over = (client: HttpClient.HttpClient, upstream: Upstream): Api => ({
  upstream,
  address: (path) => publicUrl + path,
  get: (schema, path, query) => getJson(client, upstream, schema, path, query),
  accepting: (accept) => over(client, { ...upstream, headers: { ...upstream.headers, accept } }),
})

export const layer = (
  { nws, userAgent }: Settings,
  manners: Manners = {},
): Layer.Layer<Nws, never, HttpClient.HttpClient> =>
  Layer.effect(
    Nws,
    Effect.map(HttpClient.HttpClient, (client) =>
      over(client, {
        name: "nws",
        baseUrl: nws.replace(/\/+$/, ""),
        allMs,
        turn: turns("nws", crowd),
        ...manners,
        headers: { accept: "application/geo+json", "user-agent": userAgent, ...manners.headers },
      }),
    ),
  )

/** The kind of problem that an error body names (RFC 9457): the end of its `type`. */
const problemOf = ({ body = "" }: UpstreamError): string | undefined => /\/problems\/(\w{1,64})"/.exec(body)?.[1]

const pointHints = (["lat", "lon"] as const).map((field) => ({
  field,
  action: "change" as const,
  suggestion: `Choose, with its partner, a point on land in the United States: ${field} is outside every forecast grid.`,
}))

/** Offices update their grids hourly; a newer one may be there at any minute. */
export const retryStale = { retryAfterMs: 60_000 }

/** A point without a forecast. */
export const nowhere = (cause?: UpstreamError): Failure =>
  fail("not_found", { detail: "There is no forecast grid at this point.", hints: pointHints, cause })

/**
 * What the weather service's refusals mean to a caller.
 *
 * @param absent the problem that means, with status 404, that there is nothing: forecasts of points at sea are another
 * product, and only of a point, not of a cell, is it final that it lies outside
 */
export const failureOf = (error: UpstreamError, absent = "MarineForecastNotSupported"): Failure => {
  const problem = problemOf(error)
  if (error.status === 404 && problem === absent) return nowhere(error)
  if (problem === "ForecastGridExpired") {
    return fail("data_freshness_stale", {
      detail: "The forecast grid of this point has expired at its office.",
      retryAfterMs: error.retryAfterMs ?? retryStale.retryAfterMs,
      cause: error,
    })
  }
  return toFailure(error)
}
