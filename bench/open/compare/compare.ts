import * as Effect from "effect/Effect"
import { ifDefined } from "../../../core/ifDefined.ts"
import { clusterBootstrapSteps, type Interval } from "../../../core/math/bootstrap.ts"
import { clusterSums, leastClusters } from "../../../core/math/clusters.ts"
import { mean } from "../../../core/math/mean.ts"
import { coverage, pitHistogram } from "../../../core/math/pit.ts"
import { type ReliabilityBin, reliability } from "../../../core/math/reliability.ts"
import { xoshiro128 } from "../../../core/math/xoshiro128.ts"
import { inTurns } from "../../../core/yieldToEventLoop.ts"
import { divided } from "./divisions.ts"
import type { Case, Division, Input, Kind, Measure, Task } from "./Task.ts"
import { type Forecasts, walk } from "./walk.ts"

/** Forecasts with their maker. */
export interface Contender<Forecast> {
  readonly kind: Kind
  readonly name: string
  readonly version?: string | undefined
  readonly forecasts: Forecasts<Forecast>
}

export interface Estimate extends Interval {
  readonly value: number
}

/** A contender's mean score. */
export interface Score extends Estimate {
  readonly contender: string
}

/** The mean of one contender's score minus another's on the same rows. */
export interface Difference extends Estimate {
  readonly of: string
  readonly minus: string
  /** Who is better; undefined while the interval includes 0. */
  readonly better: string | undefined
}

/** One score of all contenders that have it, on the rows that all of them answered. */
export interface Compared {
  readonly measure: string
  readonly unit: string
  readonly better: "lower" | "higher"
  readonly rows: number
  readonly clusters: number
  readonly scores: ReadonlyArray<Score>
  readonly differences: ReadonlyArray<Difference>
}

/** How often the events happened to which a contender gave a probability. */
export interface Calibration {
  readonly contender: string
  readonly forecasts: number
  /** Expected calibration error. */
  readonly ece: number
  readonly bins: ReadonlyArray<ReliabilityBin>
}

/** Levels of the central intervals whose coverage is reported. */
export const levels = [0.5, 0.8, 0.9] as const

/** Where outcomes fell in a contender's laws. */
export interface Transforms {
  readonly contender: string
  readonly forecasts: number
  /** Shares of ten bins of the probability integral transform, 0.1 each if the laws are calibrated. */
  readonly pit: ReadonlyArray<number>
  /** Shares within the central intervals of `levels`. */
  readonly coverage: ReadonlyArray<number>
}

export interface Part {
  readonly group: string
  readonly cases: number
  readonly measures: ReadonlyArray<Compared>
  /** Over the rows that all contenders with probabilities answered. */
  readonly reliability: ReadonlyArray<Calibration>
  /** Of contenders that give laws. */
  readonly transforms: ReadonlyArray<Transforms>
}

/** The result of a comparison. The same inputs and seed give the same bytes. */
export interface Comparison {
  readonly lane: string
  readonly event: string
  readonly inputs: ReadonlyArray<Input>
  /** How the questions are divided, where not by the task's own groups. */
  readonly by?: string
  readonly bootstrap: { readonly seed: number; readonly replicates: number; readonly level: number }
  /** The first one is compared with each of the others. */
  readonly contenders: ReadonlyArray<Omit<Contender<never>, "forecasts"> & { readonly answered: number }>
  readonly cases: number
  readonly parts: ReadonlyArray<Part>
}

export interface Options {
  readonly seed: number
  /** Rounds of the bootstrap. */
  readonly replicates: number
}

/** How the questions are divided in place of the task's own groups, with its name. */
export interface By<Question, Forecast, Outcome> {
  readonly name: string
  readonly division: Division<Question, Forecast, Outcome>
}

const level = 0.95
const usualBins = 10

/** The forecasts of a task's entrants, those of a model made in order of time. */
export const entered = <Question, Fact, Forecast, Outcome>(task: Task<Question, Fact, Forecast, Outcome>) =>
  Effect.forEach(task.entrants, (entrant): Effect.Effect<Contender<Forecast>> => {
    if ("forecasts" in entrant) return Effect.succeed(entrant)
    const { kind, model } = entrant
    const { name, version, start } = model
    return Effect.map(walk(task, start()), (forecasts) => ({ kind, name, version, forecasts }))
  })

/** Puts the contender first with which the others are compared: the user's model, else the served one. */
const focused = <Forecast>(contenders: ReadonlyArray<Contender<Forecast>>): ReadonlyArray<Contender<Forecast>> => {
  const order: ReadonlyArray<Kind> = ["own", "served", "market", "baseline"]
  return [...contenders].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
}

/** A case's score of each contender that has one. */
interface Answers {
  readonly cluster: string
  readonly groups: ReadonlyArray<string>
  readonly scores: ReadonlyArray<number | undefined>
}

const betterOf = (
  { low, high }: Interval,
  better: Measure<never, never, never>["better"],
  of: string,
  minus: string,
): string | undefined => {
  if (!(low > 0 || high < 0)) return undefined
  return high < 0 === (better === "lower") ? of : minus
}

const answersOf = <Question, Forecast, Outcome>(
  { score }: Measure<Question, Forecast, Outcome>,
  cases: ReadonlyArray<Case<Question, Outcome>>,
  contenders: ReadonlyArray<Contender<Forecast>>,
): ReadonlyArray<Answers> =>
  cases.map(({ id, cluster, groups, question, outcome }) => ({
    cluster,
    groups,
    scores: contenders.map(({ forecasts }) => {
      const forecast = forecasts.get(id)
      return forecast === undefined ? undefined : score(forecast, outcome, question)
    }),
  }))

const comparedBy = Effect.fnUntraced(function* (
  { name, unit, better }: Pick<Measure<never, never, never>, "name" | "unit" | "better">,
  answers: ReadonlyArray<Answers>,
  all: ReadonlyArray<Contender<unknown>>,
  { seed, replicates }: Options,
) {
  const has = all.flatMap((_, at) => (answers.some(({ scores }) => scores[at] !== undefined) ? [at] : []))
  const contenders = has.map((at) => all[at]!)
  // Those of the cases that all of them answered.
  const rows = answers.flatMap(({ cluster, scores: given }) => {
    const scores = has.map((at) => given[at])
    return scores.every((score) => score !== undefined) && scores.length > 0 ? [{ cluster, scores }] : []
  })
  const width = contenders.length + 1
  // The number of rows, then each contender's scores.
  const sums = clusterSums(
    rows.map(({ cluster }) => cluster),
    [rows.map(() => 1), ...contenders.map((_, at) => rows.map(({ scores }) => scores[at]!))],
  )
  const others = contenders.slice(1)
  const statistics = contenders.length + others.length
  const steps = clusterBootstrapSteps(
    [sums],
    width,
    statistics,
    ([drawn], into) => {
      const count = drawn![0]!
      contenders.forEach((_, at) => {
        into[at] = drawn![at + 1]! / count
      })
      others.forEach((_, at) => {
        into[contenders.length + at] = (drawn![1]! - drawn![at + 2]!) / count
      })
    },
    // Without a replicate there is no interval.
    sums.length / width < leastClusters ? 0 : replicates,
    xoshiro128(seed),
    level,
  )
  const intervals = yield* inTurns(steps)
  const compared: Compared = {
    measure: name,
    unit,
    better,
    rows: rows.length,
    clusters: sums.length / width,
    scores: contenders.map((one, at) => ({
      contender: one.name,
      value: mean(rows.map(({ scores }) => scores[at]!)),
      ...intervals[at]!,
    })),
    differences: others.map((one, at) => {
      const interval = intervals[contenders.length + at]!
      const [of, minus] = [contenders[0]!.name, one.name]
      return {
        of,
        minus,
        value: mean(rows.map(({ scores }) => scores[0]! - scores[at + 1]!)),
        ...interval,
        better: betterOf(interval, better, of, minus),
      }
    }),
  }
  return compared
})

const calibrated = <Question, Forecast, Outcome>(
  { occurrences, bins = usualBins }: Pick<Task<Question, never, Forecast, Outcome>, "occurrences" | "bins">,
  cases: ReadonlyArray<Case<Question, Outcome>>,
  all: ReadonlyArray<Contender<Forecast>>,
): ReadonlyArray<Calibration> => {
  const of = ({ forecasts }: Contender<Forecast>, { id, outcome, question }: Case<Question, Outcome>) => {
    const forecast = forecasts.get(id)
    return forecast === undefined ? [] : occurrences(forecast, outcome, question)
  }
  const given = all
    .map((one) => ({ name: one.name, all: cases.map((each) => of(one, each)) }))
    .filter((one) => one.all.some((some) => some.length > 0))
  const isShared = cases.map((_, at) => given.every((one) => one.all[at]!.length > 0))
  return given.map((one) => {
    const table = reliability(bins)
    let forecasts = 0
    for (const { p, happened } of one.all.filter((_, at) => isShared[at]).flat()) {
      table.add(p, happened)
      forecasts += 1
    }
    return { contender: one.name, forecasts, ece: table.error(), bins: table.bins() }
  })
}

const transformed = <Question, Forecast, Outcome>(
  { pit }: Pick<Task<Question, never, Forecast, Outcome>, "pit">,
  cases: ReadonlyArray<Case<Question, Outcome>>,
  all: ReadonlyArray<Contender<Forecast>>,
): ReadonlyArray<Transforms> =>
  all.flatMap(({ name, forecasts }) => {
    const pits = cases.flatMap(({ id, outcome, question }) => {
      const forecast = forecasts.get(id)
      return (forecast !== undefined && pit?.(forecast, outcome, question)) || []
    })
    if (pits.length === 0) return []
    const shares = levels.map((each) => coverage(pits, each))
    return [{ contender: name, forecasts: pits.length, pit: [...pitHistogram(pits, 10)], coverage: shares }]
  })

/**
 * Compares forecasts on identical rows: for each score, the cases that every contender with this score answered. Intervals
 * are those of a cluster bootstrap of 95 %; the difference of two contenders is drawn from the same clusters.
 *
 * @param own forecasts in addition to the task's entrants
 * @param by divides the questions; absent: the parts are the task's groups
 */
export const compare = Effect.fnUntraced(function* <Question, Fact, Forecast, Outcome>(
  task: Task<Question, Fact, Forecast, Outcome>,
  own: ReadonlyArray<Contender<Forecast>>,
  options: Options,
  by?: By<Question, Forecast, Outcome>,
) {
  const contenders = focused([...own, ...(yield* entered(task))])
  const { cases: asked, groups } = by === undefined ? task : divided(task.cases, contenders, by.division)
  // Parts overlap, such as a station and all stations: a case is scored once.
  const scored = task.measures.map((measure) => ({ measure, answers: answersOf(measure, asked, contenders) }))
  const parts = yield* Effect.forEach(groups, (group) => {
    const cases = asked.filter(({ groups }) => groups.includes(group))
    return Effect.map(
      Effect.forEach(scored, ({ measure, answers }) =>
        comparedBy(
          measure,
          answers.filter(({ groups }) => groups.includes(group)),
          contenders,
          options,
        ),
      ),
      (measures): Part => ({
        group,
        cases: cases.length,
        measures,
        reliability: calibrated(task, cases, contenders),
        transforms: transformed(task, cases, contenders),
      }),
    )
  })
  const comparison: Comparison = {
    lane: task.lane,
    event: task.event,
    inputs: task.inputs,
    ...ifDefined("by", by?.name),
    bootstrap: { seed: options.seed, replicates: options.replicates, level },
    contenders: contenders.map(({ kind, name, version, forecasts }) => ({
      kind,
      name,
      version,
      answered: forecasts.size,
    })),
    cases: task.cases.length,
    parts,
  }
  return { comparison, contenders }
})
