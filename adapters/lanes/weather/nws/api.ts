import * as Context from "effect/Context"
import { type Failure, fail } from "../../../../core/Failure.ts"
import type * as Upstream from "../../../runtime/upstream/Definition.ts"
import { toFailure, UpstreamError } from "../../../runtime/upstream/upstream.ts"

/** The process-wide client of the service, with one limit on requests. */
export class Nws extends Context.Tag("market-signals/adapters/lanes/weather/Nws")<Nws, Upstream.Source>() {}

export const title = "The National Weather Service"

/** The problem in an error body (RFC 9457): the end of its `type`. */
export const parseProblem = ({ body = "" }: UpstreamError): string | undefined =>
  /\/problems\/(\w{1,64})"/.exec(body)?.[1]

const atSea = "MarineForecastNotSupported"

/** Whether a cell does not exist any more: the service has moved it, or its point is at sea. */
export const isGone = ({ cause }: Failure): boolean =>
  cause instanceof UpstreamError && cause.status === 404 && parseProblem(cause) === atSea

/** A registered station exists, so a missing cell is the source's failure. */
export const withoutCell = (cause: unknown): Failure =>
  fail("upstream_unavailable", {
    detail: "The weather service has no forecast cell of this station now.",
    ...retryStale,
    cause,
  })

const pointHints = (["lat", "lon"] as const).map((field) => ({
  field,
  action: "change" as const,
  suggestion: "No forecast grid covers this lat and lon. Choose a point on land in the United States.",
}))

/** Offices update their grids at any minute. */
export const retryStale = { retryAfterMs: 60_000 }

export const nowhere = (cause?: UpstreamError): Failure =>
  fail("not_found", { detail: "There is no forecast grid at this point.", hints: pointHints, cause })

/**
 * The failure for an error of the weather service.
 *
 * @param absent the problem that, with status 404, means no forecast: points at sea have another product, and only a
 * point, not a cell, is known to lie outside all grids
 */
export const toNwsFailure = (error: UpstreamError, absent = atSea): Failure => {
  const problem = parseProblem(error)
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
