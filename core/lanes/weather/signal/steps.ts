import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Port from "../../../endpoint/Port.ts"
import { type Failure, fail } from "../../../Failure.ts"
import { ifDefined } from "../../../ifDefined.ts"
import { addDays, hour } from "../../../time.ts"
import { dailyRatio, type Estimate } from "../guidance/stack.ts"
import { ClimateReports, type Observation, Observations } from "../ports.ts"
import { climateDay, listDays, type Station, stations } from "../stations.ts"
import { dayBounds, estimateOfficial } from "./runningExtreme.ts"
import { summarizeReadings } from "./sameDay.ts"
import { type Variable, variables } from "./temperature.ts"

/** How far a station's official extremes lie beyond its observations: sums over days, degrees Fahrenheit. */
export interface StepSums {
  /** Number of days counted. */
  readonly n: number
  /** Sum of the distances from the observations to the final reports, each from 0 to 4. */
  readonly missed: number
  /** Sum of the distances expected from the fitted variance. */
  readonly expected: number
  /** The revision in which the newest day was stored. */
  readonly revision: number
  /** Ratio of observed to expected distance with its 95 % interval; absent below 20 days. */
  readonly ratio?: Estimate
  /** Whether the interval excludes 1: only then is the ratio used. */
  readonly isLearned: boolean
}

/** The distances of one day, degrees Fahrenheit: of the final report, and expected from the fitted variance. */
export interface StepDay {
  readonly day: string
  readonly missedF: number
  readonly expectedF: number
}

/** Distances are clipped to this: larger ones come from missing observations. */
const maxDistance = 4
/** Weight of the prior in days, and the usual distance of a day with hourly observations. */
const priorDays = 20
const hourlyDistance = 0.5
const scaleBounds = [0.02, 4] as const

/** The ratio needs this many days. */
export const minDays = 20

export const sumSteps = (days: ReadonlyArray<StepDay>, revision: number): StepSums => {
  const [missed, expected] = [days.map(({ missedF }) => missedF), days.map(({ expectedF }) => expectedF)]
  const sum = (values: ReadonlyArray<number>) => values.reduce((total, each) => total + each, 0)
  const hasInterval = expected.filter((each) => each > 0).length >= minDays
  const ratio = hasInterval ? dailyRatio(missed, expected) : undefined
  return {
    ...{ n: days.length, missed: sum(missed), expected: sum(expected), revision },
    isLearned: ratio !== undefined && (ratio.high < 1 || ratio.low > 1),
    ...ifDefined("ratio", ratio),
  }
}

/**
 * Factor on the variance between a station's observations: the squared ratio of observed to expected distances, since a
 * distance grows with the root of the variance. 1 until it is learned.
 */
export const toVarianceScale = (steps: StepSums | undefined): number => {
  if (steps === undefined || !steps.isLearned) return 1
  const ratio = (priorDays * hourlyDistance + steps.missed) / (priorDays * hourlyDistance + steps.expected)
  return Math.min(scaleBounds[1], Math.max(scaleBounds[0], ratio ** 2))
}

/** One extreme of one day: as observed (`readF`), how far beyond it the official one is expected, and as finally reported. */
export interface ExtremeStep {
  readonly station: string
  readonly day: string
  readonly variable: Variable
  readonly readF: number
  readonly expectedF: number
  readonly officialF: number
  readonly productId: string
}

/** Store of steps: append-only, one per station, day and extreme. */
export const StepStore = Port.plain("weather/StepStore")<{
  /** The stored steps of a range of days, as `station/day/variable`. */
  readonly known: (first: string, last: string) => Effect.Effect<ReadonlySet<string>, Failure>
  /** Stores steps under one new revision. */
  readonly append: (steps: ReadonlyArray<ExtremeStep>, at: number) => Effect.Effect<void, Failure>
}>()
export type StepStore = typeof StepStore.Identifier

/** A day counts only with observations in this many hours. */
const minHours = 22
/** Observations from this long before the day are used for its first hour. */
const leadInMs = 3 * hour

/**
 * The extreme that the observations of a complete day prove, and how far beyond it the official one is expected.
 *
 * @param readings in order of time; those after the day's end are ignored
 * @returns undefined if hours are missing
 */
export const expectStep = (
  station: Station,
  day: string,
  variable: Variable,
  readings: ReadonlyArray<Observation>,
): Pick<ExtremeStep, "expectedF" | "readF"> | undefined => {
  const [start, end] = dayBounds(station, day)
  const dayReadings = readings.filter(({ at }) => at >= start - leadInMs && at < end)
  const running = summarizeReadings(dayReadings, start)
  const hours = new Set(dayReadings.filter(({ at }) => at >= start).map(({ at }) => Math.floor((at - start) / hour)))
  if (running === undefined || hours.size < minHours) return undefined
  const readF = variable === "high" ? running.high : running.low
  const official = estimateOfficial(station, variable, {
    readings: dayReadings,
    read: readF,
    spans: [],
    start,
    scale: 1,
  })
  return { readF, expectedF: official.reduce((sum, [weight, tempF]) => sum + weight * Math.abs(tempF - readF), 0) }
}

/** How far an official value lies beyond the observations; 0 if it falls short of them, for whatever reason of the office. */
export const measureStep = (variable: Variable, readF: number, officialF: number): number =>
  Math.min(maxDistance, Math.max(0, variable === "high" ? officialF - readF : readF - officialF))

/** The upstream keeps observations for a week. */
const maxDaysBack = 6

export interface LearnedSteps {
  readonly counted: number
  /** Stations without observations, with the reason. */
  readonly failures: ReadonlyArray<string>
}

/**
 * Stores how far the final reports of the last days lie beyond the observations, each day once. A second run finds nothing
 * to do. Fails only if no station's observations could be read.
 */
export const learnSteps: Effect.Effect<LearnedSteps, Failure, ClimateReports | Observations | StepStore> = Effect.gen(
  function* () {
    const store = yield* StepStore
    const reports = yield* ClimateReports
    const observations = yield* Observations
    const now = yield* Clock.currentTimeMillis
    const oldest = addDays(climateDay({ standardOffset: -12 }, now), -maxDaysBack)
    const counted = yield* store.known(oldest, climateDay({ standardOffset: 12 }, now))
    const steps: Array<ExtremeStep> = []
    const failures: Array<string> = []
    let attempted = 0
    for (const station of stations) {
      const wanted: Array<Omit<ExtremeStep, "expectedF" | "readF">> = []
      for (const day of listDays(oldest, addDays(climateDay(station, now), -1))) {
        const open = variables.filter((variable) => !counted.has(`${station.id}/${day}/${variable}`))
        const [newest] = open.length === 0 ? [] : yield* reports.versions(station.id, day)
        if (newest?.report.status !== "final") continue
        const { productId, report } = newest
        for (const variable of open) {
          const officialF = variable === "high" ? report.highF : report.lowF
          if (officialF !== undefined) wanted.push({ station: station.id, day, variable, officialF, productId })
        }
      }
      if (wanted.length === 0) continue
      attempted += 1
      const [from] = dayBounds(station, wanted[0]!.day)
      const readings = yield* Effect.either(observations.since(station, from - leadInMs))
      if (readings._tag === "Left") {
        failures.push(`${station.id}: ${readings.left.message}`)
        continue
      }
      for (const one of wanted) {
        const expected = expectStep(station, one.day, one.variable, readings.right)
        if (expected !== undefined) steps.push({ ...one, ...expected })
      }
    }
    if (attempted > 0 && failures.length === attempted) {
      return yield* fail("upstream_unavailable", { detail: failures.join(" ") })
    }
    if (steps.length > 0) yield* store.append(steps, now)
    return { counted: steps.length, failures }
  },
)
