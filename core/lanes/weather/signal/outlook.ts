import * as Either from "effect/Either"
import { plural } from "../../../text.ts"
import { hour } from "../../../time.ts"
import type { GridForecast, Observation } from "../ports.ts"
import type { ClimateReport } from "../reports/ClimateReport.ts"
import { climateDay, type Station } from "../stations.ts"
import { bucketName, type Calibration, calibrationAt, fewest, type StationStates } from "./calibration.ts"
import {
  conditionedHigh,
  conditionedLow,
  type ExtremeDistribution,
  forecastLaw,
  fromForecast,
  type Printed,
  pointMass,
  round2,
  runningOfficial,
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

/** A change of a formula or constant changes this name. The version adds the revision of the calibration. */
const model = "temperature-t8-1"

/** The inputs of a day's outlook. */
export interface Inputs {
  readonly station: Station
  /** The climate day, today or later. */
  readonly day: string
  /** Epoch milliseconds. */
  readonly now: number
  readonly grid: GridForecast
  /** In order of time, from the hours before the day on; used only when the day is today. */
  readonly readings: ReadonlyArray<Observation>
  /** The newest report of the day, preliminary or final. */
  readonly official?: Pick<ClimateReport, "highF" | "lowF" | "status"> & { readonly issuedAt: number }
  readonly states: StationStates
}

export interface Outlook {
  readonly high: ExtremeDistribution
  readonly low: ExtremeDistribution
  /** The forecast high as published, before bias correction and observations. */
  readonly forecastHigh: number
  /** Epoch milliseconds at which the high is expected, or was observed. */
  readonly peakAt: number
  /** Hours of the climate day, 0–24, with an observation (past hours) or a forecast (future hours). */
  readonly hoursCovered: number
  readonly leadDays: number
  /** `final`: the final report. `intraday`: the same-day rule. Otherwise the stage of the calibration. */
  readonly stage: Calibration["stage"] | "intraday" | "final"
  readonly calibration: Calibration
  /** Number of observations used; 0 for a future day. */
  readonly readings: number
  readonly version: string
}

/** Too few hours of the day have a forecast or an observation. */
export interface Uncovered {
  readonly hoursCovered: number
}

/** Local standard time by which an evening low has usually occurred. */
const eveningLow = 23 * hour

/**
 * The longest time between the end of the period of a current day's report and its issue: the report covers full hours,
 * in daylight time where it applies, and is sent later.
 */
const closed = 2 * hour

/** Whether the grid still covers the afternoon, or has its maximum: its high is then the day's, not the evening's. */
const showsAfternoon = (day: DayForecast): boolean => day.maxima.length > 0 || covers(forecastHours(day), "afternoon")

const after = (readings: ReadonlyArray<Observation>, time: number): ReadonlyArray<Observation> =>
  readings.filter(({ at }) => at > time)

/**
 * The distribution of a climate day's official high and low: the bias-corrected forecast with Student t tails; on the day
 * itself conditioned on the observations so far; a point mass after the final report.
 *
 * Deterministic: the same inputs give the same outlook.
 *
 * @returns left when under two thirds of the morning, afternoon or evening have a forecast or an observation
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
      ? { prediction: fromForecast(before), ruled: false }
      : conditionedHigh(
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
  const low = conditionedLow(
    lows.map(({ law }) => law),
    running === undefined ? undefined : runningOfficial(running.low, printed(official?.lowF, since?.low), -1),
  )

  const { highF = undefined, lowF = undefined } = official?.status === "final" ? official : {}
  const stage = highF !== undefined ? "final" : high.ruled ? "intraday" : calibration.stage
  return Either.right({
    high: highF === undefined ? high.prediction : pointMass(highF),
    low: lowF === undefined ? low : pointMass(lowF),
    forecastHigh: peak.tempF,
    peakAt: running !== undefined && running.high > peak.tempF ? running.highAt : peak.at,
    hoursCovered,
    leadDays: stage === "intraday" || stage === "final" ? 0 : round2(lead),
    stage,
    calibration,
    readings: ofDay.length,
    version: `${model}.${Math.max(calibration.revision, ...lows.map(({ revision }) => revision))}`,
  })
}

/** The errors that the spread was fitted on, in words. */
export const calibrationText = ({ stage, calibration, readings }: Outlook): string => {
  const { state, bucket } = calibration
  const learned =
    calibration.stage === "prior"
      ? `prior: published errors by lead, station and season; ${state.n} of ${fewest} own errors`
      : `${calibration.stage}: ${state.n} errors at leads of ${bucketName(bucket)}, ${state.first} to ${state.last}`
  switch (stage) {
    case "final":
      return "final: official report"
    case "intraday":
      return `intraday: same-day rule on ${plural(readings, "observation")}; forecast ${learned}`
    default:
      return learned
  }
}
