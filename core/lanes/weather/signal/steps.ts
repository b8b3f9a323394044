import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Port from "../../../endpoint/Port.ts"
import { type Failure, fail } from "../../../Failure.ts"
import { ifDefined } from "../../../ifDefined.ts"
import { addDays, hour } from "../../../time.ts"
import { dailyRatio, type Estimate } from "../guidance/stack.ts"
import { ClimateReports, type Observation, Observations } from "../ports.ts"
import { climateDay, listDays, type Station, stations } from "../stations.ts"
import { dayBounds, officialSoFar } from "./runningExtreme.ts"
import { summarizeReadings } from "./sameDay.ts"
import { type Variable, variables } from "./temperature.ts"

/** Distance of a station's official extremes from its observations: sums over days, degrees Fahrenheit. */
export interface Steps {
  /** Days counted. */
  readonly n: number
  /** Sum of the distances of the final reports beyond the observations, each from 0 to 4. */
  readonly missed: number
  /** Sum of the distances expected from the fitted variance. */
  readonly expected: number
  /** Revision of the newest day. */
  readonly revision: number
  /** Observed by expected distance, with its interval of 95 %; absent below 20 days. */
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

/** A larger distance is a missing observation, not a minute between two; it counts as this. */
const maxDistance = 4
/** Weight of the prior in days, and the distance of a day with hourly observations. */
const priorDays = 20
const hourlyDistance = 0.5
const bounds = [0.02, 4] as const

/** Days below which the ratio has no interval. */
export const fewestDays = 20

/** Sums of days, each a cluster of its own in the interval. */
export const sumSteps = (days: ReadonlyArray<StepDay>, revision: number): Steps => {
  const [missed, expected] = [days.map(({ missedF }) => missedF), days.map(({ expectedF }) => expectedF)]
  const sum = (values: ReadonlyArray<number>) => values.reduce((total, each) => total + each, 0)
  const hasInterval = expected.filter((each) => each > 0).length >= fewestDays
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
export const stepScale = (steps: Steps | undefined): number => {
  if (steps === undefined || !steps.isLearned) return 1
  const ratio = (priorDays * hourlyDistance + steps.missed) / (priorDays * hourlyDistance + steps.expected)
  return Math.min(bounds[1], Math.max(bounds[0], ratio ** 2))
}

/** One extreme of one day: as the observations prove it, the expected distance beyond it, and as the final report prints it. */
export interface Step {
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
  /** The counted extremes of a range of days, `station/day/variable`. */
  readonly known: (first: string, last: string) => Effect.Effect<ReadonlySet<string>, Failure>
  /** Stores them under one new revision. */
  readonly append: (steps: ReadonlyArray<Step>, at: number) => Effect.Effect<void, Failure>
}>()
export type StepStore = typeof StepStore.Identifier

/** A day with observations in fewer hours is not counted. */
const fewestHours = 22
/** Observations from this long before the day are used for its first hour. */
const leadInMs = 3 * hour

/**
 * The extreme that the observations of a whole day prove, and the expected distance of the official one beyond it.
 *
 * @param readings in order of time; those after the day's end are ignored
 * @returns undefined if hours are missing
 */
export const expectedBeyond = (
  station: Station,
  day: string,
  variable: Variable,
  readings: ReadonlyArray<Observation>,
): Pick<Step, "expectedF" | "readF"> | undefined => {
  const [start, end] = dayBounds(station, day)
  const ofDay = readings.filter(({ at }) => at >= start - leadInMs && at < end)
  const running = summarizeReadings(ofDay, start)
  const hours = new Set(ofDay.filter(({ at }) => at >= start).map(({ at }) => Math.floor((at - start) / hour)))
  if (running === undefined || hours.size < fewestHours) return undefined
  const readF = variable === "high" ? running.high : running.low
  const official = officialSoFar(station, variable, { readings: ofDay, read: readF, spans: [], start, scale: 1 })
  return { readF, expectedF: official.reduce((sum, [weight, tempF]) => sum + weight * Math.abs(tempF - readF), 0) }
}

/** Distance of a final value beyond the observations; 0 if it does not reach them, as an office may have reason for. */
export const missedBeyond = (variable: Variable, readF: number, officialF: number): number =>
  Math.min(maxDistance, Math.max(0, variable === "high" ? officialF - readF : readF - officialF))

/** The upstream keeps observations for a week. */
const daysBack = 6

export interface Learned {
  readonly counted: number
  /** Stations without observations, with the reason. */
  readonly failures: ReadonlyArray<string>
}

/**
 * Counts the distance of the last days' final reports from the hourly observations of their stations, each day once. A
 * second run finds nothing to do. Fails only if no station's observations could be read.
 */
export const learnSteps: Effect.Effect<Learned, Failure, ClimateReports | Observations | StepStore> = Effect.gen(
  function* () {
    const store = yield* StepStore
    const reports = yield* ClimateReports
    const observations = yield* Observations
    const now = yield* Clock.currentTimeMillis
    const oldest = addDays(climateDay({ standardOffset: -12 }, now), -daysBack)
    const counted = yield* store.known(oldest, climateDay({ standardOffset: 12 }, now))
    const steps: Array<Step> = []
    const failures: Array<string> = []
    let attempted = 0
    for (const station of stations) {
      const wanted: Array<Omit<Step, "expectedF" | "readF">> = []
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
        const expected = expectedBeyond(station, one.day, one.variable, readings.right)
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
