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
  calibrate,
  type ErrorStats,
  errorParameters,
  initialStation,
  learnError,
  type StationStates,
} from "./calibration.ts"
import { coversPart, cutToDay, findForecastHours, projectHigh, projectLow } from "./projection.ts"
import { leadDays, minLead, priorSigma, type Variable, variables } from "./temperature.ts"
import { crpsUnskewed } from "./temperatureDistribution.ts"

/** Forecasts are archived for this many days ahead. */
const maxDaysAhead = 6
/** For how many days late reports and corrections are accepted. */
export const lateDays = 30

const toForecastKey = ({ station, day, variable, bucket }: ForecastKey): string =>
  `${station}/${day}/${variable}/${bucket}`

/** The days whose forecasts are archived at an instant. */
export const listDaysAhead = (station: Station, now: number): ReadonlyArray<string> =>
  Array.from({ length: maxDaysAhead + 1 }, (_, ahead) => addDays(climateDay(station, now), ahead))

/**
 * The forecasts of a grid for each day's extremes, with the distributions as issued. An extreme is left out if the grid
 * lacks hours in which it occurs.
 */
const takeSnapshots = (
  station: Station,
  grid: GridForecast,
  now: number,
  states: StationStates,
  guidance: ReadonlyArray<Guidance>,
): ReadonlyArray<ArchivedForecast> =>
  listDaysAhead(station, now).flatMap((day) => {
    const forecast = cutToDay(grid, station, day)
    const hours = findForecastHours(forecast)
    const { morning, evening } = projectLow(forecast)
    const ready: Readonly<Record<Variable, number | undefined>> = {
      high: coversPart(hours, "afternoon") ? projectHigh(forecast)?.tempF : undefined,
      low:
        coversPart(hours, "morning") && coversPart(hours, "evening") && morning !== undefined && evening !== undefined
          ? Math.min(morning, evening)
          : undefined,
    }
    return variables.flatMap((variable) => {
      const forecastF = ready[variable]
      const lead = leadDays(station, variable, day, now)
      if (forecastF === undefined || lead < minLead) return []
      const { bias, sigma, bucket, state } = calibrate(station, variable, day, lead, states[variable])
      const learned = calibrate(station, variable, day, lead, states[variable], true)
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

export interface ArchivedForecasts {
  readonly stored: number
  /** Stations without a grid, or with one that is too short, with the reason. */
  readonly failures: ReadonlyArray<string>
}

/** Archives the forecasts of all stations' current grids, if their lead buckets are empty. Fails only if every station fails. */
export const archiveForecasts: Effect.Effect<
  ArchivedForecasts,
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
      const guidance = yield* Effect.forEach(listDaysAhead(station, now), (day) => current(station.id, day, now))
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

const readOfficialValue = (issuance: Issuance, variable: Variable): number | undefined =>
  variable === "high" ? issuance.report.highF : issuance.report.lowF

/**
 * The new residual of an archived forecast, if a final report gives one. That of the first report counts. If a later report
 * has another value, its residual is stored without counting, so that no counted error ever changes.
 *
 * @param final the newest final report of the day
 * @param earlier the residuals of this snapshot, oldest first
 */
const makeResidual = (
  snapshot: ArchivedForecast,
  final: Issuance,
  earlier: ReadonlyArray<Residual>,
): Residual | undefined => {
  const { station, day, variable, bucket, forecastF } = snapshot
  const officialF = readOfficialValue(final, variable)
  if (officialF === undefined) return undefined
  if (earlier.some(({ productId }) => productId === final.productId) || earlier.at(-1)?.officialF === officialF) {
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
    counted: earlier.length === 0,
  }
}

interface Lesson extends ForecastOutcome {
  readonly snapshot: ArchivedForecast
  readonly residual: Residual
}

/** What a state learns from the issued distributions: the second forecasts' weights, and the gains over prior and blend. */
const learnFromLaws = (
  { stack, gain, percentiles }: ErrorStats,
  issued: IssuedLaws,
  priorSigmaF: number,
  residualF: number,
): Pick<ErrorStats, "gain" | "percentiles" | "stack"> => {
  const officialF = issued.forecastF + residualF
  const [law, prior] = [issued.learned ?? issued, { mean: issued.forecastF, sigma: priorSigmaF }]
  const { percentilesF } = issued.guidance.find(({ source }) => source === "nbp") ?? {}
  const issuedScore = crpsUnskewed(issued, officialF)
  // Equal distributions say nothing: too few errors had been counted when they were issued.
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
 * Adds errors to the states of one station's variable, day by day. On each day a bucket inherits the bias of the next
 * shorter one as it was before that day, as that day's forecasts did.
 */
export const learnDays = (
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
        ...learnError(states[bucket]!, outcome, parameters[bucket - 1]?.bias),
        ...ifDefined("stack", stack),
        ...ifDefined("gain", gain),
        ...ifDefined("percentiles", percentiles),
        ...(issued !== undefined && learnFromLaws(states[bucket]!, issued, sigma, residual.residualF)),
      }
    }
    states = next
  }
  return states
}

interface RecalibrationResult {
  readonly counted: number
  /** Errors against corrections, stored without counting. */
  readonly noted: number
  /** The new publication; absent if there was nothing new. */
  readonly revision?: number
}

/**
 * Counts the error of each archived forecast once, as soon as its day has a final report, and publishes the resulting
 * states. A second run changes nothing. If a report from which a station has learned was voided, the station's states are
 * learned again from all other errors.
 */
export const recalibrate: Effect.Effect<
  RecalibrationResult,
  Failure,
  Calibrations | CalibrationStore | ClimateReports | ForecastArchive
> = Effect.gen(function* () {
  const archive = yield* ForecastArchive
  const store = yield* CalibrationStore
  const calibrations = yield* Calibrations
  const reports = yield* ClimateReports
  const now = yield* Clock.currentTimeMillis
  // Read before everything else: `publish` writes nothing if another publication came in between.
  const revision = yield* store.revision
  const last = dayOf(now)
  const first = addDays(last, -lateDays)
  const earlier: Readonly<Record<string, ReadonlyArray<Residual>>> = groupBy(
    yield* store.residuals(first, last),
    toForecastKey,
  )
  const snapshots = yield* archive.between(first, last)

  const lessons: Array<Lesson> = []
  for (const ofDay of Object.values(groupBy(snapshots, ({ station, day }) => `${station}/${day}`))) {
    const [{ station, day }] = ofDay
    const [newest] = yield* reports.versions(station, day)
    if (newest?.report.status !== "final") continue
    for (const snapshot of ofDay) {
      const residual = makeResidual(snapshot, newest, earlier[toForecastKey(snapshot)] ?? [])
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
      const before = (isAnew ? initialStation : current)[variable].map(({ state }) => state)
      const ofVariable = [...learned, ...lessons].filter((each) => each.variable === variable)
      learnDays(byId.get(id)!, variable, before, ofVariable).forEach((state, bucket) => {
        const isPublished = current[variable][bucket]!.revision > 0
        if (state !== before[bucket] || (isAnew && isPublished)) states.push({ station: id, variable, bucket, state })
      })
    }
  }
  const residuals = lessons.map(({ residual }) => residual)
  if (!(yield* store.publish(revision, residuals, states, now))) {
    return yield* fail("storage_unavailable", {
      detail: "Another recalibration was published in the meantime. Run it again.",
    })
  }
  return { ...summary, revision: revision + 1 }
})
