import * as Either from "effect/Either"
import { ifDefined } from "../../../ifDefined.ts"
import { plural } from "../../../text.ts"
import { day as dayLength, hour, minute } from "../../../time.ts"
import { findZone, offsetAt } from "../../../zones.ts"
import type { Guidance } from "../guidance/Guidance.ts"
import type { GridForecast, Observation } from "../ports.ts"
import type { ClimateReport } from "../reports/ClimateReport.ts"
import { climateDay, climateDayStart, type Station } from "../stations.ts"
import type { Basis } from "../venue/agreement.ts"
import {
  bucketName,
  type Calibration,
  calibrationAt,
  isWithdrawn,
  minErrors,
  type StationStates,
  stackedCalibration,
} from "./calibration.ts"
import { changeRule, changeTerms, withChange } from "./change.ts"
import {
  afterFinalReport,
  conditioned,
  conditionedLow,
  type ExtremeDistribution,
  forecastDistribution,
  fromForecast,
  type Rest,
  round2,
} from "./extremes.ts"
import { spansOfGroups } from "./metarGroups.ts"
import {
  backedHours,
  covers,
  type DayForecast,
  dayForecast,
  extremeAhead,
  forecastAt,
  projectedHigh,
  projectedLow,
} from "./projection.ts"
import { officialSoFar, type Span } from "./runningExtreme.ts"
import { isRuled, type Running, restOfDay, summarizeReadings } from "./sameDay.ts"
import { stepScale } from "./steps.ts"
import { daysUntil, leadDays, type Variable, variables } from "./temperature.ts"

/** Usual time from VALID AS OF to the issue. */
const usualDelay = 45 * minute

const printed = /^(\d{1,2}):?(\d{2}) ([AP])M$/

/** Milliseconds after midnight of a 12-hour clock as printed: `0400 PM`, `4:00 PM`. */
const parseClock = (text: string): number | undefined => {
  const [, hours, minutes, half] = printed.exec(text) ?? []
  return hours === undefined
    ? undefined
    : ((Number(hours) % 12) + (half === "P" ? 12 : 0)) * hour + Number(minutes) * minute
}

/**
 * The time up to which a report covers its day, epoch milliseconds: the last time before the issue at which the office's
 * clocks, in daylight time where it is used, showed the printed VALID AS OF. Without that line, or if that time is before
 * the day or after the issue, 45 minutes before the issue.
 */
export const validUntil = (
  station: Pick<Station, "standardOffset" | "tz">,
  day: string,
  { validAsOf, issuedAt }: Pick<ClimateReport, "validAsOf"> & { readonly issuedAt: number },
): number => {
  const start = climateDayStart(station, day)
  const fallback = Math.max(start, issuedAt - usualDelay)
  const clock = validAsOf === undefined ? undefined : parseClock(validAsOf)
  if (clock === undefined) return fallback
  const zone = findZone(station.tz)
  const offset = zone === undefined ? station.standardOffset * hour : offsetAt(zone, issuedAt)
  const midnight = Math.floor((issuedAt + offset) / dayLength) * dayLength - offset
  const last = midnight + clock <= issuedAt ? midnight + clock : midnight + clock - dayLength
  return last < start ? fallback : last
}

/** Another formula or constant is another name; the number behind it is the revision of what was learned. */
export const model = "temperature-t8-3"

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
  /** The newest report of the day, when there is one: what it says so far, or finally. */
  readonly official?: Pick<ClimateReport, "highF" | "lowF" | "status" | "validAsOf"> & { readonly issuedAt: number }
  readonly states: StationStates
  /**
   * The archived forecast of the high of the day before, at the same lead, degrees Fahrenheit; absent where there is none or
   * no rule of changes, and in records from before there was one.
   */
  readonly dayBeforeF?: number
  /** Other sources' forecasts of the day; absent in records from before there were any. */
  readonly guidance?: ReadonlyArray<Guidance>
  /** How the venue's source differs from the report, for contracts on it; absent in records from before it was measured. */
  readonly basis?: Basis
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
  /** The day so far as the observations prove it; absent without one. */
  readonly running?: Running
  readonly version: string
}

/** Too few hours of the day have a forecast or an observation. */
interface Uncovered {
  readonly hoursCovered: number
}

/** Local standard time by which an evening low has usually occurred. */
const eveningLow = 23 * hour

/** The last minutes before the time up to which a report holds are seldom in it. */
const margin = 10 * minute

/** The known official extremes of the day: of its report, up to its validity time, and of the observations' groups. */
const officialSpans = (
  { station, day, official }: Inputs,
  read: ReadonlyArray<Observation>,
  start: number,
): ReadonlyArray<Span> => {
  const groups = spansOfGroups(read, start)
  if (official === undefined) return groups
  const { highF, lowF } = official
  const to = validUntil(station, day, official) - margin
  return [...groups, { from: start, to, ...ifDefined("high", highF), ...ifDefined("low", lowF) }]
}

/** The rest of the day after the last observation; undefined if no hour of the day is left. */
const restAfter = (
  station: Station,
  variable: Variable,
  running: Running,
  forecast: DayForecast,
  bias: number,
  scale: number,
): Rest => {
  const from = Math.floor((running.at - forecast.start) / hour) + 1
  const extreme = extremeAhead(forecast, from, variable === "high" ? 1 : -1)
  const now = forecastAt(forecast, running.at)
  return extreme === undefined
    ? undefined
    : restOfDay(
        station,
        variable,
        running,
        { extreme: extreme + bias, ...(now === undefined ? {} : { now: now + bias }) },
        scale,
      )
}

/** The predictive parameters of a forecast, with the other sources where their weights are in use. */
const learnedAt = (
  { station, day, states, guidance = [] }: Inputs,
  variable: Variable,
  lead: number,
  forecastF: number,
): Calibration =>
  stackedCalibration(
    calibrationAt(station, variable, day, lead, states[variable]),
    forecastF,
    guidance.filter((each) => each.variable === variable),
  )

/** What a day-ahead high's law learns from the forecast of the day before; its other sources have their own weights. */
const changedAt = ({ station, day, dayBeforeF }: Inputs, calibration: Calibration, forecastF: number): Calibration => {
  const rule = changeRule(station, "high", calibration.bucket)
  if (rule === undefined || dayBeforeF === undefined || calibration.sources !== undefined) return calibration
  const byF = forecastF - dayBeforeF
  const changed = withChange(calibration, rule, changeTerms(day, byF))
  return { ...changed, change: { byF, addedF: changed.bias - calibration.bias } }
}

/** The forecast minima of the day's cold ends, each as it was learned at its lead; `bias` is the first one's. */
const learnedLows = (inputs: Inputs, forecast: DayForecast, isToday: boolean, running: Running | undefined) => {
  const { station, day, now, states } = inputs
  const { start } = forecast
  const lowAt = (lead: number) => calibrationAt(station, "low", day, lead, states.low)
  const { morning, evening } = projectedLow(forecast, isToday ? now : start, running?.low)
  const leads = [leadDays(station, "low", day, now), daysUntil(start + eveningLow, now)] as const
  // The other sources' minimum is the lower one of the two; on the day itself it is the morning's.
  const coldest = Math.min(morning ?? Number.POSITIVE_INFINITY, evening ?? Number.POSITIVE_INFINITY)
  const ends = ([morning, evening] as const).flatMap((tempF, at) =>
    tempF === undefined
      ? []
      : [
          {
            tempF,
            learned:
              tempF === coldest && (at === 0 || !isToday)
                ? learnedAt(inputs, "low", leads[at]!, tempF)
                : lowAt(leads[at]!),
          },
        ],
  )
  return { ends, bias: (ends[0]?.learned ?? lowAt(leads[1])).bias }
}

/** The model's name, another one where other sources have a weight, and the newest revision of what it has learned. */
const modelVersion = (
  { steps }: StationStates,
  learned: ReadonlyArray<Calibration>,
  running: Running | undefined,
): string => {
  const name = learned.some(({ sources }) => sources !== undefined) ? `${model}-stacked` : model
  // Distances from observations to reports count where there are observations.
  const distances = running === undefined ? [] : variables.map((variable) => steps?.[variable]?.revision ?? 0)
  return `${name}.${Math.max(...learned.map(({ revision }) => revision), ...distances)}`
}

/**
 * The distribution of a climate day's official high and low: the bias-corrected forecast with Student t tails; on the day
 * itself conditioned on the observations so far; a point mass after the final report.
 *
 * Deterministic: the same inputs give the same outlook.
 *
 * @returns left when under two thirds of the morning, afternoon or evening have a forecast or an observation
 */
export const outlook = (inputs: Inputs): Either.Either<Outlook, Uncovered> => {
  const { station, day, now, grid, readings, official, states } = inputs
  const forecast = dayForecast(grid, station, day)
  const isToday = climateDay(station, now) === day
  const read = isToday ? readings.filter(({ at }) => at <= now) : []
  const ofDay = read.filter(({ at }) => at >= forecast.start)
  const hours = backedHours(forecast, ofDay, now)
  const hoursCovered = hours.filter(Boolean).length
  const peak = projectedHigh(forecast)
  const covered = covers(hours, "morning") && covers(hours, "afternoon") && covers(hours, "evening")
  if (peak === undefined || !covered) return Either.left({ hoursCovered })

  const running = summarizeReadings(read, forecast.start)
  const lead = leadDays(station, "high", day, now)
  const learned = learnedAt(inputs, "high", lead, peak.tempF)
  const calibration = running === undefined ? changedAt(inputs, learned, peak.tempF) : learned
  const prior = forecastDistribution(peak.tempF, calibration)
  const { start } = forecast
  const spans = officialSpans(inputs, read, start)
  const scales = { high: stepScale(states.steps?.high), low: stepScale(states.steps?.low) }
  const soFar = (variable: Variable, { high, low }: Running) =>
    officialSoFar(station, variable, {
      readings: read,
      read: variable === "high" ? high : low,
      spans,
      start,
      scale: scales[variable],
    })
  const ruled = running !== undefined && isRuled(station, running)
  const high =
    running === undefined
      ? fromForecast(prior)
      : conditioned(
          "high",
          soFar("high", running),
          ruled ? restAfter(station, "high", running, forecast, calibration.bias, scales.high) : () => prior,
        )

  const lows = learnedLows(inputs, forecast, isToday, running)
  const low =
    running === undefined
      ? conditionedLow(lows.ends.map(({ tempF, learned }) => forecastDistribution(tempF, learned)))
      : conditioned("low", soFar("low", running), restAfter(station, "low", running, forecast, lows.bias, scales.low))

  const { highF = undefined, lowF = undefined } = official?.status === "final" ? official : {}
  const stage = highF !== undefined ? "final" : ruled ? "intraday" : calibration.stage
  return Either.right({
    high:
      highF === undefined
        ? high
        : afterFinalReport(highF, states.corrections, (tempF) => tempF >= (running?.high ?? tempF)),
    low:
      lowF === undefined
        ? low
        : afterFinalReport(lowF, states.corrections, (tempF) => tempF <= (running?.low ?? tempF)),
    forecastHigh: peak.tempF,
    peakAt: running !== undefined && running.high > peak.tempF ? running.highAt : peak.at,
    hoursCovered,
    leadDays: stage === "intraday" || stage === "final" ? 0 : round2(lead),
    stage,
    calibration,
    readings: ofDay.length,
    ...ifDefined("running", running),
    version: modelVersion(states, [calibration, ...lows.ends.map(({ learned }) => learned)], running),
  })
}

/** The errors that the spread was fitted on, in words. */
export const calibrationText = ({ stage, calibration, readings }: Outlook): string => {
  const { state, bucket } = calibration
  const learned =
    calibration.stage === "prior"
      ? `prior: published errors by lead, station and season; ${isWithdrawn(state) ? `bias and spread of ${state.n} own errors are withdrawn, they made forecasts worse` : `${state.n} of ${minErrors} own errors`}`
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
