import type * as HttpClient from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import { type Failure, fail } from "../../../../core/endpoint/Failure.ts"
import { getJson, type Manners, toFailure, type Upstream, UpstreamError } from "../upstream.ts"

/** Where the weather service is asked, and as whom: it refuses requests without a User-Agent. */
export interface Settings {
  readonly nws: string
  readonly userAgent: string
}

/** The National Weather Service's public API, asked politely: a few requests at a time. */
export interface Api {
  readonly upstream: Upstream
  /** The address of a path, as citations name it. */
  readonly address: (path: string) => string
  readonly get: <A, I>(
    schema: Schema.Schema<A, I>,
    path: string,
    query?: Readonly<Record<string, string>>,
  ) => Effect.Effect<A, UpstreamError>
}

/** Its rate limit is not published; requests beyond these wait. */
const atOnce = 8
/** While it hangs, a crowd is not kept waiting: a request beyond these fails at once. */
const atMost = 256

export const make = (client: HttpClient.HttpClient, { nws, userAgent }: Settings, manners: Manners = {}): Api => {
  const upstream: Upstream = {
    name: "nws",
    baseUrl: nws.replace(/\/+$/, ""),
    ...manners,
    headers: { accept: "application/geo+json", "user-agent": userAgent, ...manners.headers },
  }
  const turns = Effect.unsafeMakeSemaphore(atOnce)
  const busy = new UpstreamError({ upstream: upstream.name, reason: "timeout", message: "Too many requests wait." })
  let begun = 0
  return {
    upstream,
    address: (path) => upstream.baseUrl + path,
    get: (schema, path, query) =>
      Effect.suspend(() => {
        if (begun >= atMost) return Effect.fail(busy)
        begun++
        return turns
          .withPermits(1)(getJson(client, upstream, schema, path, query))
          .pipe(Effect.ensuring(Effect.sync(() => begun--)))
      }),
  }
}

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
