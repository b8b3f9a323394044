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
  calibrate,
  isWithdrawn,
  minErrors,
  type StationStates,
  stackCalibration,
} from "./calibration.ts"
import { addChange, findChangeRule, toChangeTerms } from "./change.ts"
import {
  afterFinalReport,
  combineLows,
  conditionOnReadings,
  type ExtremeDistribution,
  forecastDistribution,
  type Rest,
  round2,
  toExtreme,
} from "./extremes.ts"
import { toSpans } from "./metarGroups.ts"
import {
  coversPart,
  cutToDay,
  type DayForecast,
  findBackedHours,
  findExtremeAhead,
  interpolateForecast,
  projectHigh,
  projectLow,
} from "./projection.ts"
import { estimateOfficial, type Span } from "./runningExtreme.ts"
import { hasSameDayRule, predictRest, type Running, summarizeReadings } from "./sameDay.ts"
import { toVarianceScale } from "./steps.ts"
import { daysUntil, leadDays, type Variable, variables } from "./temperature.ts"

/** The usual time from VALID AS OF to the issue of a report. */
const usualDelay = 45 * minute

const clockPattern = /^(\d{1,2}):?(\d{2}) ([AP])M$/

/** Milliseconds after midnight of a printed 12-hour time: `0400 PM`, `4:00 PM`. */
const parseClock = (text: string): number | undefined => {
  const [, hours, minutes, half] = clockPattern.exec(text) ?? []
  return hours === undefined
    ? undefined
    : ((Number(hours) % 12) + (half === "P" ? 12 : 0)) * hour + Number(minutes) * minute
}

/**
 * The time up to which a report covers its day, epoch milliseconds: the last time before the issue at which the office's
 * clocks (daylight time in summer) showed the printed VALID AS OF. Without that line, or if that time is before the day, 45
 * minutes before the issue.
 */
export const findValidUntil = (
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

/** The name changes with every formula and constant. Model versions add the revision of the learned states. */
export const modelName = "temperature-t8-3"

export interface OutlookInputs {
  readonly station: Station
  /** The climate day, today or later. */
  readonly day: string
  /** Epoch milliseconds. */
  readonly now: number
  readonly grid: GridForecast
  /** In order of time, from some hours before the day on; used only if the day is today. */
  readonly readings: ReadonlyArray<Observation>
  /** The newest report of the day, preliminary or final, if there is one. */
  readonly official?: Pick<ClimateReport, "highF" | "lowF" | "status" | "validAsOf"> & { readonly issuedAt: number }
  readonly states: StationStates
  /** The archived forecast of yesterday's high, at the same lead, °F; absent without one or without a rule of changes. */
  readonly dayBeforeF?: number
  /** Second forecasts of the day; absent if none were read. */
  readonly guidance?: ReadonlyArray<Guidance>
  /** How the venue's source differs from the report; absent if that is unknown. */
  readonly basis?: Basis
}

export interface Outlook {
  readonly high: ExtremeDistribution
  readonly low: ExtremeDistribution
  /** The forecast high as published: without bias correction and observations. */
  readonly forecastHigh: number
  /** Epoch milliseconds at which the high is expected, or was observed. */
  readonly peakAt: number
  /** Hours of the climate day, 0–24, with an observation (past hours) or a forecast (future hours). */
  readonly hoursCovered: number
  readonly leadDays: number
  /** `final` with the final report, `intraday` with the same-day rule, otherwise the stage of the calibration. */
  readonly stage: Calibration["stage"] | "intraday" | "final"
  readonly calibration: Calibration
  /** Number of observations used; 0 for a future day. */
  readonly readings: number
  /** The observations of the day so far; absent without one. */
  readonly running?: Running
  readonly version: string
}

/** Too few hours of the day have a forecast or an observation. */
interface TooFewHours {
  readonly hoursCovered: number
}

/** An evening low has usually occurred by this local standard time, milliseconds after midnight. */
const eveningLowTime = 23 * hour

/** The last minutes before a report's VALID AS OF are seldom in it. */
const margin = 10 * minute

/** The known official extremes of the day so far: from the groups of observations, and from the report up to its time. */
const listOfficialSpans = (
  { station, day, official }: OutlookInputs,
  read: ReadonlyArray<Observation>,
  start: number,
): ReadonlyArray<Span> => {
  const groups = toSpans(read, start)
  if (official === undefined) return groups
  const { highF, lowF } = official
  const to = findValidUntil(station, day, official) - margin
  return [...groups, { from: start, to, ...ifDefined("high", highF), ...ifDefined("low", lowF) }]
}

/** The rest of the day after the last observation; undefined if no hour of the day is left. */
const forecastRest = (
  station: Station,
  variable: Variable,
  running: Running,
  forecast: DayForecast,
  bias: number,
  scale: number,
): Rest => {
  const from = Math.floor((running.at - forecast.start) / hour) + 1
  const extreme = findExtremeAhead(forecast, from, variable === "high" ? 1 : -1)
  const now = interpolateForecast(forecast, running.at)
  return extreme === undefined
    ? undefined
    : predictRest(
        station,
        variable,
        running,
        { extreme: extreme + bias, ...(now === undefined ? {} : { now: now + bias }) },
        scale,
      )
}

/** The calibration of a forecast, with the second forecasts if their weights are in use. */
const calibrateWithSources = (
  { station, day, states, guidance = [] }: OutlookInputs,
  variable: Variable,
  lead: number,
  forecastF: number,
): Calibration =>
  stackCalibration(
    calibrate(station, variable, day, lead, states[variable]),
    forecastF,
    guidance.filter((each) => each.variable === variable),
  )

/** Applies the rule of changes to a day-ahead high, unless second forecasts are in use. */
const applyChangeRule = (
  { station, day, dayBeforeF }: OutlookInputs,
  calibration: Calibration,
  forecastF: number,
): Calibration => {
  const rule = findChangeRule(station, "high", calibration.bucket)
  if (rule === undefined || dayBeforeF === undefined || calibration.sources !== undefined) return calibration
  const byF = forecastF - dayBeforeF
  const changed = addChange(calibration, rule, toChangeTerms(day, byF))
  return { ...changed, change: { byF, addedF: changed.bias - calibration.bias } }
}

/** The forecast lows of morning and evening, each with the calibration of its lead; `bias` is that of the first. */
const calibrateLows = (
  inputs: OutlookInputs,
  forecast: DayForecast,
  isToday: boolean,
  running: Running | undefined,
) => {
  const { station, day, now, states } = inputs
  const { start } = forecast
  const lowAt = (lead: number) => calibrate(station, "low", day, lead, states.low)
  const { morning, evening } = projectLow(forecast, isToday ? now : start, running?.low)
  const leads = [leadDays(station, "low", day, now), daysUntil(start + eveningLowTime, now)] as const
  // Second forecasts have one minimum: that of the lower end; on the day itself, of the morning.
  const coldest = Math.min(morning ?? Number.POSITIVE_INFINITY, evening ?? Number.POSITIVE_INFINITY)
  const ends = ([morning, evening] as const).flatMap((tempF, at) =>
    tempF === undefined
      ? []
      : [
          {
            tempF,
            learned:
              tempF === coldest && (at === 0 || !isToday)
                ? calibrateWithSources(inputs, "low", leads[at]!, tempF)
                : lowAt(leads[at]!),
          },
        ],
  )
  return { ends, bias: (ends[0]?.learned ?? lowAt(leads[1])).bias }
}

/** The model's name, which tells whether second forecasts are in use, and the newest revision of the states it used. */
const makeModelVersion = (
  { steps }: StationStates,
  learned: ReadonlyArray<Calibration>,
  running: Running | undefined,
): string => {
  const name = learned.some(({ sources }) => sources !== undefined) ? `${modelName}-stacked` : modelName
  // The learned distances from observations to reports are used only if there are observations.
  const distances = running === undefined ? [] : variables.map((variable) => steps?.[variable]?.revision ?? 0)
  return `${name}.${Math.max(...learned.map(({ revision }) => revision), ...distances)}`
}

/**
 * The distribution of a climate day's official high and low: the bias-corrected forecast with Student t tails; on the day
 * itself, conditioned on the observations so far; after the final report, its value but for a possible correction.
 *
 * Deterministic: the same inputs give the same outlook.
 *
 * @returns left if less than two thirds of the morning, afternoon or evening have a forecast or an observation
 */
export const makeOutlook = (inputs: OutlookInputs): Either.Either<Outlook, TooFewHours> => {
  const { station, day, now, grid, readings, official, states } = inputs
  const forecast = cutToDay(grid, station, day)
  const isToday = climateDay(station, now) === day
  const usedReadings = isToday ? readings.filter(({ at }) => at <= now) : []
  const todaysReadings = usedReadings.filter(({ at }) => at >= forecast.start)
  const hours = findBackedHours(forecast, todaysReadings, now)
  const hoursCovered = hours.filter(Boolean).length
  const peak = projectHigh(forecast)
  const covered = coversPart(hours, "morning") && coversPart(hours, "afternoon") && coversPart(hours, "evening")
  if (peak === undefined || !covered) return Either.left({ hoursCovered })

  const running = summarizeReadings(usedReadings, forecast.start)
  const lead = leadDays(station, "high", day, now)
  const learned = calibrateWithSources(inputs, "high", lead, peak.tempF)
  const calibration = running === undefined ? applyChangeRule(inputs, learned, peak.tempF) : learned
  const prior = forecastDistribution(peak.tempF, calibration)
  const { start } = forecast
  const spans = listOfficialSpans(inputs, usedReadings, start)
  const scales = { high: toVarianceScale(states.steps?.high), low: toVarianceScale(states.steps?.low) }
  const soFar = (variable: Variable, { high, low }: Running) =>
    estimateOfficial(station, variable, {
      readings: usedReadings,
      read: variable === "high" ? high : low,
      spans,
      start,
      scale: scales[variable],
    })
  const ruled = running !== undefined && hasSameDayRule(station, running)
  const high =
    running === undefined
      ? toExtreme(prior)
      : conditionOnReadings(
          "high",
          soFar("high", running),
          ruled ? forecastRest(station, "high", running, forecast, calibration.bias, scales.high) : () => prior,
        )

  const lows = calibrateLows(inputs, forecast, isToday, running)
  const low =
    running === undefined
      ? combineLows(lows.ends.map(({ tempF, learned }) => forecastDistribution(tempF, learned)))
      : conditionOnReadings(
          "low",
          soFar("low", running),
          forecastRest(station, "low", running, forecast, lows.bias, scales.low),
        )

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
    readings: todaysReadings.length,
    ...ifDefined("running", running),
    version: makeModelVersion(states, [calibration, ...lows.ends.map(({ learned }) => learned)], running),
  })
}

/** The errors that the spread was fitted on, in words. */
export const calibrationText = ({ stage, calibration, readings }: Outlook): string => {
  const { state, bucket } = calibration
  const learned =
    calibration.stage === "prior"
      ? `prior: published errors by lead, station and season; ${isWithdrawn(state) ? `bias and spread learned from ${state.n} own errors are withdrawn, since they made forecasts worse` : `${state.n} of ${minErrors} own errors`}`
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
