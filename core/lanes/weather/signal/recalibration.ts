import { groupBy } from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type Failure, fail } from "../../../Failure.ts"
import { ifDefined } from "../../../ifDefined.ts"
import { addDays, dayOf } from "../../../time.ts"
import { yieldToEventLoop } from "../../../yieldToEventLoop.ts"
import { whyTooShort } from "../forecast/plausibleGrid.ts"
import { type Guidance, SecondForecasts } from "../guidance/Guidance.ts"
import { crpsOfPercentiles } from "../guidance/percentiles.ts"
import { type IssuedLaws, initialStack, issueLaws, learnStack } from "../guidance/stack.ts"
import { ClimateReports, Forecasts, type GridForecast, type Issuance } from "../ports.ts"
import { byId, climateDay, type Site, type Station, stations } from "../stations.ts"
import {
  type ArchivedForecast,
  CalibrationStore,
  Calibrations,
  ForecastArchive,
  type ForecastKey,
  type ForecastOutcome,
  type NewState,
  type Residual,
} from "./Calibrations.ts"
import {
  addGain,
  calibrationAt,
  type ErrorStats,
  errorParameters,
  type StationStates,
  step,
  untaughtStation,
} from "./calibration.ts"
import { covers, dayForecast, forecastHours, projectedHigh, projectedLow } from "./projection.ts"
import { leadDays, minLead, priorSigma, type Variable, variables } from "./temperature.ts"
import { crpsUnskewed } from "./temperatureDistribution.ts"

/** Days ahead that are forecast, today counted as 0. */
const farthest = 6
/** Days for which late reports and corrections are accepted. */
export const lateDays = 30

const forecastKey = ({ station, day, variable, bucket }: ForecastKey): string =>
  `${station}/${day}/${variable}/${bucket}`

/** The days whose forecasts are archived at a time. */
export const daysAhead = (station: Station, now: number): ReadonlyArray<string> =>
  Array.from({ length: farthest + 1 }, (_, ahead) => addDays(climateDay(station, now), ahead))

/**
 * A grid's forecasts of each day's extremes, where it covers the hours in which they occur, with the laws as they stood.
 *
 * @param guidance of those days
 */
export const takeSnapshots = (
  station: Station,
  grid: GridForecast,
  now: number,
  states: StationStates,
  guidance: ReadonlyArray<Guidance>,
): ReadonlyArray<ArchivedForecast> =>
  daysAhead(station, now).flatMap((day) => {
    const forecast = dayForecast(grid, station, day)
    const hours = forecastHours(forecast)
    const { morning, evening } = projectedLow(forecast)
    const ready: Readonly<Record<Variable, number | undefined>> = {
      high: covers(hours, "afternoon") ? projectedHigh(forecast)?.tempF : undefined,
      low:
        covers(hours, "morning") && covers(hours, "evening") && morning !== undefined && evening !== undefined
          ? Math.min(morning, evening)
          : undefined,
    }
    return variables.flatMap((variable) => {
      const forecastF = ready[variable]
      const lead = leadDays(station, variable, day, now)
      if (forecastF === undefined || lead < minLead) return []
      const { bias, sigma, bucket, state } = calibrationAt(station, variable, day, lead, states[variable])
      const learned = calibrationAt(station, variable, day, lead, states[variable], true)
      const others = guidance.filter((each) => each.day === day && each.variable === variable)
      const issued = {
        ...issueLaws(state.stack ?? initialStack, { forecastF, bias, sigma }, others),
        ...((learned.bias !== bias || learned.sigma !== sigma) && {
          learned: { mean: forecastF + learned.bias, sigma: learned.sigma },
        }),
      }
      return [{ station: station.id, day, variable, bucket, takenAt: now, forecastF, source: grid.source, issued }]
    })
  })

export interface Archived {
  readonly stored: number
  /** Stations without a grid, or with one that ends early, with the error. */
  readonly failures: ReadonlyArray<string>
}

/** Archives every station's current grid where the lead bucket is empty. Fails only when every station fails. */
export const archiveForecasts: Effect.Effect<
  Archived,
  Failure,
  Calibrations | ForecastArchive | Forecasts | SecondForecasts
> = Effect.gen(function* () {
  const forecasts = yield* Forecasts
  const archive = yield* ForecastArchive
  const calibrations = yield* Calibrations
  const { current } = yield* SecondForecasts
  const [failures, read] = yield* Effect.partition(stations, (station) =>
    Effect.gen(function* () {
      const grid = yield* forecasts.grid(station)
      // Reading a grid, cutting it to days, and the next station's request take a turn of the event loop each.
      yield* yieldToEventLoop
      const now = yield* Clock.currentTimeMillis
      const states = yield* calibrations.current(station.id)
      const guidance = yield* Effect.forEach(daysAhead(station, now), (day) => current(station.id, day, now))
      const snapshots = takeSnapshots(station, grid, now, states, guidance.flat())
      const early = whyTooShort(
        "grid",
        grid.hourly.map(({ at }) => at),
        now,
      )
      yield* yieldToEventLoop
      return { snapshots, lacking: early === undefined ? [] : [`${station.id}: ${early}`] }
    }).pipe(Effect.mapError((failure) => `${station.id}: ${failure.message}`)),
  )
  if (read.length === 0) return yield* fail("upstream_unavailable", { detail: failures.join(" ") })
  return {
    stored: yield* archive.append(read.flatMap(({ snapshots }) => snapshots)),
    failures: [...failures, ...read.flatMap(({ lacking }) => lacking)],
  }
})

const officialValue = (issuance: Issuance, variable: Variable): number | undefined =>
  variable === "high" ? issuance.report.highF : issuance.report.lowF

/**
 * The new residual of a snapshot from a final report. The first report's counts; a later report with another value is
 * stored without counting, so that no counted error is ever changed.
 *
 * @param final the newest final report of the day
 * @param before the residuals of this snapshot, oldest first
 */
const newResidual = (
  snapshot: ArchivedForecast,
  final: Issuance,
  before: ReadonlyArray<Residual>,
): Residual | undefined => {
  const { station, day, variable, bucket, forecastF } = snapshot
  const officialF = officialValue(final, variable)
  if (officialF === undefined) return undefined
  if (before.some(({ productId }) => productId === final.productId) || before.at(-1)?.officialF === officialF) {
    return undefined
  }
  return {
    station,
    day,
    variable,
    bucket,
    productId: final.productId,
    officialF,
    residualF: officialF - forecastF,
    counted: before.length === 0,
  }
}

/** A residual with its forecast. */
interface Lesson extends ForecastOutcome {
  readonly snapshot: ArchivedForecast
  readonly residual: Residual
}

/** The lessons of laws as they were issued: on the other sources, and on the gains over the prior and the blend's percentiles. */
const takeLessons = (
  { stack, gain, percentiles }: ErrorStats,
  issued: IssuedLaws,
  priorSigmaF: number,
  residualF: number,
): Pick<ErrorStats, "gain" | "percentiles" | "stack"> => {
  const officialF = issued.forecastF + residualF
  const [law, prior] = [issued.learned ?? issued, { mean: issued.forecastF, sigma: priorSigmaF }]
  const { percentilesF } = issued.guidance.find(({ source }) => source === "nbp") ?? {}
  const issuedScore = crpsUnskewed(issued, officialF)
  // Equal laws say nothing: too few errors were counted when they were issued.
  const isLearned = law.mean !== prior.mean || law.sigma !== prior.sigma
  return {
    ...(issued.guidance.length > 0 && { stack: learnStack(stack ?? initialStack, issued, officialF) }),
    ...(isLearned && { gain: addGain(gain, crpsUnskewed(law, officialF) - crpsUnskewed(prior, officialF)) }),
    ...(percentilesF !== undefined && {
      percentiles: [
        addGain(percentiles?.[0], issuedScore),
        addGain(percentiles?.[1], issuedScore - crpsOfPercentiles(percentilesF, officialF)),
      ] as const,
    }),
  }
}

/**
 * Adds errors to the states of one station's variable, day by day. Within a day every bucket inherits from the shorter
 * bucket's state before that day, as that day's forecasts did.
 */
export const foldDays = (
  station: Site,
  variable: Variable,
  before: ReadonlyArray<ErrorStats>,
  lessons: ReadonlyArray<ForecastOutcome>,
): ReadonlyArray<ErrorStats> => {
  let states = before
  for (const [day, ofDay] of Object.entries(groupBy(lessons, ({ snapshot }) => snapshot.day)).sort()) {
    const parameters = errorParameters(states, true)
    const next = states.slice()
    for (const { snapshot, residual } of ofDay) {
      const { bucket, issued, takenAt, source } = snapshot
      const lead = leadDays(station, variable, day, takenAt)
      const sigma = priorSigma(station, variable, day, lead)
      const outcome = { day, error: residual.residualF, sigma, source }
      const { stack, gain, percentiles } = states[bucket]!
      next[bucket] = {
        ...step(states[bucket]!, outcome, parameters[bucket - 1]?.bias),
        ...ifDefined("stack", stack),
        ...ifDefined("gain", gain),
        ...ifDefined("percentiles", percentiles),
        ...(issued !== undefined && takeLessons(states[bucket]!, issued, sigma, residual.residualF)),
      }
    }
    states = next
  }
  return states
}

interface Recalibrated {
  readonly counted: number
  /** Corrections stored without counting. */
  readonly noted: number
  /** The new publication; absent when there was nothing new. */
  readonly revision?: number
}

/**
 * Counts each error of archived forecasts whose days have a final report once, and publishes the resulting states. A
 * second run changes nothing. Where a report was voided from which a station has learned, its states are learned again from
 * all other errors; the day has none any more.
 */
export const recalibrate: Effect.Effect<
  Recalibrated,
  Failure,
  Calibrations | CalibrationStore | ClimateReports | ForecastArchive
> = Effect.gen(function* () {
  const archive = yield* ForecastArchive
  const store = yield* CalibrationStore
  const calibrations = yield* Calibrations
  const reports = yield* ClimateReports
  const now = yield* Clock.currentTimeMillis
  // Read first: `publish` fails if another publication comes between.
  const revision = yield* store.revision
  const last = dayOf(now)
  const first = addDays(last, -lateDays)
  const earlier: Readonly<Record<string, ReadonlyArray<Residual>>> = groupBy(
    yield* store.residuals(first, last),
    forecastKey,
  )
  const snapshots = yield* archive.between(first, last)

  const lessons: Array<Lesson> = []
  for (const ofDay of Object.values(groupBy(snapshots, ({ station, day }) => `${station}/${day}`))) {
    const [{ station, day }] = ofDay
    const [newest] = yield* reports.versions(station, day)
    if (newest?.report.status !== "final") continue
    for (const snapshot of ofDay) {
      const residual = newResidual(snapshot, newest, earlier[forecastKey(snapshot)] ?? [])
      if (residual !== undefined) lessons.push({ snapshot, residual })
    }
  }
  const counted = lessons.filter(({ residual }) => residual.counted)
  const summary = { counted: counted.length, noted: lessons.length - counted.length }
  const voided = new Set(yield* store.voided)
  if (lessons.length === 0 && voided.size === 0) return summary

  const states: Array<NewState> = []
  const byStation = groupBy(counted, ({ snapshot }) => snapshot.station)
  for (const id of new Set([...Object.keys(byStation), ...voided])) {
    const isAnew = voided.has(id)
    const current = yield* calibrations.current(id)
    const learned = isAnew ? yield* store.lessons(id) : []
    const lessons = (byStation[id] ?? []).map((lesson) => ({ variable: lesson.snapshot.variable, ...lesson }))
    for (const variable of variables) {
      const before = (isAnew ? untaughtStation : current)[variable].map(({ state }) => state)
      const ofVariable = [...learned, ...lessons].filter((each) => each.variable === variable)
      foldDays(byId.get(id)!, variable, before, ofVariable).forEach((state, bucket) => {
        const isPublished = current[variable][bucket]!.revision > 0
        if (state !== before[bucket] || (isAnew && isPublished)) states.push({ station: id, variable, bucket, state })
      })
    }
  }
  const residuals = lessons.map(({ residual }) => residual)
  if (!(yield* store.publish(revision, residuals, states, now))) {
    return yield* fail("storage_unavailable", {
      detail: "Another recalibration was published meanwhile. Run it again.",
    })
  }
  return { ...summary, revision: revision + 1 }
})
