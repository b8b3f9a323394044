import * as Either from "effect/Either"
import { hour } from "../../../time.ts"
import type { GridForecast, Observation } from "../ports.ts"
import type { ClimateReport } from "../reports/ClimateReport.ts"
import { climateDay, type Station } from "../stations.ts"
import { bucketName, type Calibration, calibrationAt, fewest, type StationStates } from "./calibration.ts"
import {
  certainly,
  forecastLaw,
  highSoFar,
  hundredths,
  lowestOf,
  type Prediction,
  type Printed,
  runningOfficial,
  unconditioned,
} from "./extremes.ts"
import {
  backedHours,
  covers,
  type DayForecast,
  dayForecast,
  forecastHours,
  projectedHigh,
  projectedLow,
} from "./projection.ts"
import { runningOf } from "./sameDay.ts"
import { daysUntil, leadDays } from "./temperature.ts"

/** Another formula or constant is another name; the number behind it is the revision of what was learned. */
const model = "temperature-t8-1"

/** Everything that a day's outlook is computed from. */
export interface Inputs {
  readonly station: Station
  /** The climate day, today or later. */
  readonly day: string
  /** Epoch milliseconds. */
  readonly now: number
  readonly grid: GridForecast
  /** In order of time; used when the day is today, with those of the hours before it. */
  readonly readings: ReadonlyArray<Observation>
  /** The newest report of the day, when there is one: what it says so far, or finally. */
  readonly official?: Pick<ClimateReport, "highF" | "lowF" | "status"> & { readonly issuedAt: number }
  readonly states: StationStates
}

export interface Outlook {
  readonly high: Prediction
  readonly low: Prediction
  /** The forecast high as published, before anything was learned or read. */
  readonly forecastHigh: number
  /** Epoch milliseconds at which the high is expected, or was read. */
  readonly peakAt: number
  /** Hours of the climate day, 0–24, that a reading (when over) or a forecast (when not) stands behind. */
  readonly hoursCovered: number
  readonly leadDays: number
  /** `final`: a final report is in. `intraday`: readings decide. Else what the spread was learned from. */
  readonly stage: Calibration["stage"] | "intraday" | "final"
  readonly calibration: Calibration
  /** Hourly readings that it is conditioned on; 0 for a day to come. */
  readonly readings: number
  readonly version: string
}

/** Too few hours of the day are backed to say anything of its extremes. */
export interface Uncovered {
  readonly hoursCovered: number
}

/** Local standard time at which an evening low is usually in. */
const eveningLow = 23 * hour

/**
 * How long before its issue a report of the day that has begun may already have been closed: it is made for a full hour,
 * in daylight time where that is kept, and waits to be sent.
 */
const closed = 2 * hour

/** The grid still shows the whole afternoon, or its maximum: what it projects is the day's high, not the evening's. */
const showsAfternoon = (day: DayForecast): boolean => day.maxima.length > 0 || covers(forecastHours(day), "afternoon")

const after = (readings: ReadonlyArray<Observation>, time: number): ReadonlyArray<Observation> =>
  readings.filter(({ at }) => at > time)

/**
 * The distribution of a climate day's official high and low: the forecast, corrected by what its errors have taught, with
 * Student t tails; on the day itself conditioned on what was read so far; one value once the final report is in.
 *
 * Deterministic: the same inputs give the same outlook.
 *
 * @returns left when fewer than two thirds of the morning, the afternoon or the evening are backed by readings or forecast
 */
export const outlook = ({
  station,
  day,
  now,
  grid,
  readings,
  official,
  states,
}: Inputs): Either.Either<Outlook, Uncovered> => {
  const forecast = dayForecast(grid, station, day)
  const isToday = climateDay(station, now) === day
  const read = isToday ? readings.filter(({ at }) => at <= now) : []
  const ofDay = read.filter(({ at }) => at >= forecast.start)
  const hours = backedHours(forecast, ofDay, now)
  const hoursCovered = hours.filter(Boolean).length
  const peak = projectedHigh(forecast)
  const covered = covers(hours, "morning") && covers(hours, "afternoon") && covers(hours, "evening")
  if (peak === undefined || !covered) return Either.left({ hoursCovered })

  const running = runningOf(read, forecast.start)
  const lead = leadDays(station, "high", day, now)
  const calibration = calibrationAt(station, "high", day, lead, states.high)
  const before = forecastLaw(peak.tempF, calibration)
  const projected = showsAfternoon(forecast) ? peak.tempF : Math.max(peak.tempF, running?.high ?? peak.tempF)
  const since = official === undefined ? undefined : runningOf(after(read, official.issuedAt - closed), forecast.start)
  const printed = (tempF: number | undefined, extremeSince: number | undefined): Printed | undefined =>
    tempF === undefined ? undefined : { tempF, ...(extremeSince === undefined ? {} : { since: extremeSince }) }
  const high =
    running === undefined
      ? { prediction: unconditioned(before), ruled: false }
      : highSoFar(
          station,
          running,
          runningOfficial(running.high, printed(official?.highF, since?.high), 1),
          projected + calibration.bias,
          before,
        )

  const { morning, evening } = projectedLow(forecast, isToday ? now : forecast.start, running?.low)
  const lows = (
    [
      [morning, leadDays(station, "low", day, now)],
      [evening, daysUntil(forecast.start + eveningLow, now)],
    ] as const
  ).flatMap(([tempF, leadOfLow]) => {
    if (tempF === undefined) return []
    const learned = calibrationAt(station, "low", day, leadOfLow, states.low)
    return [{ law: forecastLaw(tempF, learned), revision: learned.revision }]
  })
  const low = lowestOf(
    lows.map(({ law }) => law),
    running === undefined ? undefined : runningOfficial(running.low, printed(official?.lowF, since?.low), -1),
  )

  const { highF = undefined, lowF = undefined } = official?.status === "final" ? official : {}
  const stage = highF !== undefined ? "final" : high.ruled ? "intraday" : calibration.stage
  return Either.right({
    high: highF === undefined ? high.prediction : certainly(highF),
    low: lowF === undefined ? low : certainly(lowF),
    forecastHigh: peak.tempF,
    peakAt: running !== undefined && running.high > peak.tempF ? running.highAt : peak.at,
    hoursCovered,
    leadDays: stage === "intraday" || stage === "final" ? 0 : hundredths(lead),
    stage,
    calibration,
    readings: ofDay.length,
    version: `${model}.${Math.max(calibration.revision, ...lows.map(({ revision }) => revision))}`,
  })
}

/** What the spread rests on, in words. */
export const calibrationText = ({ stage, calibration, readings }: Outlook): string => {
  const { state, bucket } = calibration
  const learned =
    calibration.stage === "prior"
      ? `prior: published errors by lead, station and season; ${state.n} of ${fewest} own errors counted`
      : `${calibration.stage}: ${state.n} errors at leads of ${bucketName(bucket)}, ${state.first} to ${state.last}`
  switch (stage) {
    case "final":
      return "final: the official report is in"
    case "intraday":
      return `intraday: same-day rule on ${readings} readings; forecast ${learned}`
    default:
      return learned
  }
}
