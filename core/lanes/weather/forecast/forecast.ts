import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Alternative, Confidence, Counterfactual, Link, Suggestion } from "../../../endpoint/Answer.ts"
import * as Endpoint from "../../../endpoint/Endpoint.ts"
import { cite, explain, step } from "../../../endpoint/explain.ts"
import * as Param from "../../../endpoint/Param.ts"
import { fail } from "../../../Failure.ts"
import * as Step from "../../../Step.ts"
import { plural } from "../../../text.ts"
import { hour, iso, minute } from "../../../time.ts"
import { findZone, offsetAt, stampAt } from "../../../zones.ts"
import { suggest } from "../../answers.ts"
import { type Factor, scored, toFlagFactor } from "../../confidence.ts"
import { dataTerms } from "../../fields.ts"
import { checkInUnitedStates, Forecast } from "../fields.ts"
import { Forecasts, type PointForecast } from "../ports.ts"
import { findNearest, type Station, stations } from "../stations.ts"
import { type Alert, listInForce, whyNotInForce } from "./alerts.ts"
import { coverage, cutToWindow, type Period, toLocalTimes } from "./periods.ts"
import { findRiskFlags } from "./riskFlags.ts"

/** A station is suggested within this distance, kilometres. */
const maxSuggestedKm = 40

/** Rounds to four decimals, eleven metres: the upstream's precision. */
const roundDegrees = (degrees: number): number => Math.round(degrees * 10_000) / 10_000

const toShare = (part: number, whole: number): number => Math.min(1, Math.max(0, part / whole))

/**
 * A quality score: 0.95 for a grid updated this minute. It falls with the grid's age (×0.7 at twelve hours, when it is no
 * longer served), with the window (×0.75 at a week), in proportion to the uncovered hours, and by ×0.9 with a quality
 * flag. Not a probability of being right.
 */
export const scoreConfidence = (
  ageMillis: number,
  hours: number,
  covered: number,
  flags: ReadonlyArray<string>,
): Confidence => {
  const factors: ReadonlyArray<Factor> = [
    [`grid ${Math.max(0, Math.round(ageMillis / minute))} min old`, 1 - 0.3 * toShare(ageMillis, 12 * hour)],
    [`${hours} h window`, 1 - 0.25 * toShare(hours, 168)],
    ...(covered < 1 ? [[`periods cover ${Math.floor(covered * 100)} % of the window`, covered] as const] : []),
    ...toFlagFactor(flags, 0.9),
  ]
  return scored("reasoned", 0.95, factors)
}

const findStationNear = (location: PointForecast["location"]): Station | undefined => {
  const closest = findNearest(stations, location, ({ coordinates }) => coordinates)
  return closest.kilometres <= maxSuggestedKm ? closest.place : undefined
}

const pointLinks = ({ lat, lon, grid: { office, x, y } }: PointForecast["location"]): ReadonlyArray<Link> => {
  const path = `/v1/weather/forecast?lat=${lat}&lon=${lon}`
  return [{ id: `${office}/${x},${y}`, endpoints: [path, `${path}&hourly=true`] }]
}

const makeSuggestions = (
  location: PointForecast["location"],
  hours: number,
  hourly: boolean,
): ReadonlyArray<Suggestion> => {
  const { lat, lon } = location
  const station = findStationNear(location)
  return [
    ...(station === undefined
      ? []
      : [
          suggest(
            "weather_signal",
            { station: station.id },
            `Distribution of the official high and low at ${station.name}, nearby.`,
          ),
          suggest("weather_settlement", { station: station.id }, `Latest official report of ${station.name}, nearby.`),
        ]),
    suggest(
      "weather_forecast",
      { lat, lon, hours, hourly: !hourly },
      hourly ? "The same window in half days." : "The same window hour by hour.",
    ),
  ]
}

const listOutOfForce = (alerts: ReadonlyArray<Alert>, now: number): ReadonlyArray<Alternative> =>
  alerts.flatMap((alert) => {
    const why = whyNotInForce(alert, now)
    return why === undefined ? [] : [{ id: alert.id, label: alert.event, score: 0, why: `Not in force: ${why}.` }]
  })

/** The counterfactual lowers all temperatures by 5 °F. */
const colderBy = -5

const makeCounterfactual = (
  periods: ReadonlyArray<Period>,
  alerts: ReadonlyArray<Alert>,
  flags: ReadonlyArray<string>,
): Counterfactual => {
  const changed = findRiskFlags(
    periods.map((period) => ({ ...period, temp_f: period.temp_f + colderBy })),
    alerts,
  )
  return {
    input: "temperature offset, degrees Fahrenheit",
    from: 0,
    to: colderBy,
    // 1 for a flag that the change raises, −1 for one that it clears.
    result: Object.fromEntries(changed.map((flag) => [flag, 1])),
    delta: Object.fromEntries([
      ...changed.filter((flag) => !flags.includes(flag)).map((flag) => [flag, 1] as const),
      ...flags.filter((flag) => !changed.includes(flag)).map((flag) => [flag, -1] as const),
    ]),
  }
}

export const forecast = Endpoint.make("/v1/weather/forecast", {
  ...dataTerms(1_000),
  summary: "Point forecast with active alerts and risk flags",
  use: "Expected temperature, wind, rain and warnings at any US place; probabilities: `weather_signal`.",
  example: { lat: 40.7789, lon: -73.9692, hours: 48 },
  params: Schema.Struct({
    lat: Param.number(-90, 90, "Decimal degrees; a point in the United States."),
    lon: Param.number(-180, 180, "Decimal degrees; a point in the United States."),
    hours: Param.withDefault(Param.integer(12, 168, "Periods that start within this many hours."), 48),
    hourly: Param.withDefault(Param.boolean("Hourly granularity instead of 12-hour periods."), false),
  }),
  check: ({ lat, lon }) => checkInUnitedStates(lat, lon),
  results: Forecast,
  ports: { forecasts: Forecasts },
  answer: function* ({ lat, lon, hours, hourly }, { forecasts }, give) {
    const point = yield* forecasts.point(roundDegrees(lat), roundDegrees(lon), hourly)
    const now = yield* Step.now
    const { location, updatedAt, source, flags } = point
    const zone = findZone(location.timezone)
    const periods = cutToWindow(point.periods, now, hours)
    if (zone === undefined || periods.length === 0) {
      const lacking = zone === undefined ? "a time zone" : `a period in the next ${hours} hours`
      return yield* fail("upstream_unavailable", {
        detail: `Office ${location.grid.office} returned a forecast without ${lacking}.`,
        retryAfterMs: minute,
      })
    }
    const alerts = listInForce(point.alerts, now)
    const risk_flags = findRiskFlags(periods, alerts)
    const unit = hourly ? "hours" : "half-day periods"
    return give({
      results: {
        location,
        generated_at: stampAt(updatedAt, offsetAt(zone, updatedAt)),
        granularity: hourly ? "1h" : "12h",
        periods: toLocalTimes(periods, zone),
        alerts,
        risk_flags,
      },
      explained: explain(
        `${location.lat}, ${location.lon} lies in forecast grid ${location.grid.office} ${location.grid.x},${location.grid.y}.`,
        step(
          `Used ${periods.length} ${unit} that start within ${hours} hours; grid updated ${iso(updatedAt)}.`,
          cite(source, point.locator),
        ),
        step(
          `Used ${plural(alerts.length, "alert")} in force at the point.`,
          cite(point.alertSource, point.alertLocator),
        ),
        `Checked risk-flag thresholds: ${risk_flags.length === 0 ? "none reached" : risk_flags.join(", ")}.`,
      ),
      confidence: scoreConfidence(now - updatedAt, hours, coverage(periods, now, hours), flags),
      links: pointLinks(location),
      extras: {
        alternatives: Effect.sync(() => listOutOfForce(point.alerts, now)),
        counterfactual: Effect.sync(() => makeCounterfactual(periods, alerts, risk_flags)),
        suggestions: makeSuggestions(location, hours, hourly),
      },
    })
  },
})
