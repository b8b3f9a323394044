import { groupBy } from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { show } from "../../../call/Subject.ts"
import type { Failure } from "../../../Failure.ts"
import { ifDefined } from "../../../ifDefined.ts"
import { pit } from "../../../math/pit.ts"
import { crpsDiscrete } from "../../../math/score.ts"
import { type LawJudgement, type LawScore, LawScores, type Rescored } from "../../../record/captures/LawScores.ts"
import { addDays } from "../../../time.ts"
import { yieldToEventLoop } from "../../../yieldToEventLoop.ts"
import { ClimateReports, firstOfficial, type Versions } from "../ports.ts"
import { climateDay, climateDayStart, daysBetween, listDays, type Station, stations } from "../stations.ts"
import { lateDays } from "./recalibration.ts"
import { signal, type toOutput } from "./signal.ts"
import { type Variable, variables } from "./temperature.ts"

type Output = ReturnType<typeof toOutput>

/**
 * Scores a captured distribution.
 *
 * @param ge the probability of each degree or more, by degree, as captured
 * @param officialF whole degrees Fahrenheit
 */
export const judgeLaw = (ge: Output["high"], officialF: number): LawJudgement => {
  const degrees = Object.keys(ge)
    .map(Number)
    .sort((a, b) => a - b)
  const law = { first: degrees[0]!, ge: Float64Array.from(degrees, (degree) => ge[degree]!) }
  return { crps: crpsDiscrete(law, officialF), ...pit(law, officialF) }
}

/** The values that a day's distributions are scored on: those of its first final report, or none before it. */
const readOfficialValues = (versions: Versions | undefined): Readonly<Partial<Record<Variable, number>>> => {
  const report = versions && firstOfficial(versions)?.report
  return { ...ifDefined("high", report?.highF), ...ifDefined("low", report?.lowF) }
}

/** Scores the captures of a day, the first of each lead in whole days. */
const scoreDay = (station: Station, day: string, official: Readonly<Partial<Record<Variable, number>>>) =>
  Effect.gen(function* () {
    const { captures, output } = yield* LawScores
    const subject = show({ _tag: "StationDay", station: station.id, day })
    const end = climateDayStart(station, addDays(day, 1))
    const scores: Array<LawScore> = []
    let last: number | undefined
    for (const { id, at } of yield* captures({ lane: "weather", endpoint: signal.id, subject }, 0, end)) {
      const lead = daysBetween(climateDay(station, at), day)
      if (lead === last) continue
      last = lead
      const { modelVersion, output: laws } = yield* output(id)
      for (const variable of variables) {
        const outcome = official[variable]
        if (outcome === undefined) continue
        const judged = judgeLaw((laws as Output)[variable], outcome)
        scores.push({
          instrument: station.id,
          target: day,
          variable,
          lead,
          captureId: id,
          modelVersion,
          outcome,
          ...judged,
        })
      }
    }
    return scores
  })

/**
 * Scores the captured distributions of those of the last days whose official values are new or have changed. If a report
 * was voided, its scores are removed.
 *
 * @returns the number of scored days
 */
export const scoreLaws: Effect.Effect<number, Failure, ClimateReports | LawScores> = Effect.gen(function* () {
  const { scores, replace } = yield* LawScores
  const { range } = yield* ClimateReports
  const now = yield* Clock.currentTimeMillis
  const targets: Array<Rescored> = []
  for (const station of stations) {
    const last = climateDay(station, now)
    const first = addDays(last, -lateDays)
    const reports = new Map((yield* range(station.id, first, last)).map((one) => [one[0].report.day, one]))
    const scored = groupBy(yield* scores("weather", station.id, first), ({ target }) => target)
    for (const day of listDays(first, last)) {
      const official = readOfficialValues(reports.get(day))
      const earlier: ReadonlyArray<LawScore> = scored[day] ?? []
      const isScored = variables.every((variable) => {
        const own = earlier.filter((one) => one.variable === variable)
        return own.length === 0
          ? official[variable] === undefined
          : own.every((one) => one.outcome === official[variable])
      })
      if (isScored) continue
      const after = yield* scoreDay(station, day, official)
      if (earlier.length + after.length > 0) targets.push({ instrument: station.id, target: day, scores: after })
    }
    yield* yieldToEventLoop
  }
  yield* replace("weather", targets, now)
  return targets.length
})
