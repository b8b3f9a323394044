import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
import * as Schema from "effect/Schema"
import { freshnesses } from "../endpoint/Answer.ts"
import * as Field from "../endpoint/Field.ts"
import type { Service } from "../endpoint/Port.ts"
import { ifDefined } from "../ifDefined.ts"
import { ratio } from "../math/clusters.ts"
import { coverage, pitHistogram } from "../math/pit.ts"
import { xoshiro128 } from "../math/xoshiro128.ts"
import { oncePerState } from "../oncePerState.ts"
import type { LawRecord, LawScore } from "../record/captures/LawScores.ts"
import { intervalCoverage, replicates, seed } from "../record/scoreboard/scores.ts"
import * as Step from "../Step.ts"
import { addDays, dayOf, iso } from "../time.ts"
import { inTurns, yieldToEventLoop } from "../yieldToEventLoop.ts"

/** Distributions of this many days before today count. */
export const recordDays = 365
const binCount = 10

/**
 * The schema of a track record of distributions ("laws").
 *
 * @param part the fields that identify a row
 * @param unit the unit of the scores, and its name in words
 */
export const makeLawResults = <Part extends Schema.Struct.Fields>(
  identifier: string,
  part: Part,
  ...[unit, unitName]: readonly [unit: Field.Unit, name: string]
) =>
  Schema.Struct({
    as_of: Field.instant("When distributions were last scored."),
    data_freshness: Schema.Literal(...freshnesses),
    model_versions: Schema.Array(Schema.String).annotations({
      description: "Versions of the models that issued the distributions.",
    }),
    rows: Schema.Array(
      Schema.Struct({
        ...part,
        n: Field.integer(`Scored distributions of the last ${recordDays} days.`),
        crps: Field.quantity(
          unit,
          `Mean continuous ranked probability score, ${unitName}; lower is better. For a forecast without spread it is the absolute error.`,
        ),
        crps_interval: Field.optional(
          Schema.Struct({
            low: Field.quantity(unit),
            high: Field.quantity(unit),
            level: Field.probability(),
          }).annotations({ description: "By a bootstrap over clusters; omitted with fewer than ten." }),
        ),
        pit: Schema.Array(Field.probability()).annotations({
          description: `Shares of ${binCount} equal bins of the probability integral transform, 0 to 1: all near ${1 / binCount} if the distributions are right, U-shaped if they are too narrow.`,
        }),
        coverage_50: Field.probability(
          "Share of outcomes in the central half of their distributions: near 0.5 if these are right.",
        ),
        coverage_80: Field.probability(),
        coverage_90: Field.probability(),
      }).annotations({ identifier: `${identifier}Row` }),
    ).annotations({ description: "All instruments together first, then one after the other." }),
  }).annotations({ identifier })

/** The distributions of one variable and lead, of one instrument or of all. */
interface LawPart extends Pick<LawScore, "lead" | "variable"> {
  readonly instrument?: string
  readonly scores: Array<LawScore>
}

const toFigures = ({ scores }: LawPart, toCluster: (target: string) => string) => {
  const { value, low, high } = ratio(
    scores.map(({ crps }) => crps),
    scores.map(() => 1),
    scores.map(({ target }) => toCluster(target)),
    { replicates, level: intervalCoverage, generator: xoshiro128(seed) },
  )
  return {
    n: scores.length,
    crps: value,
    ...ifDefined("crps_interval", Number.isNaN(low) ? undefined : { low, high, level: intervalCoverage }),
    pit: [...pitHistogram(scores, binCount)],
    coverage_50: coverage(scores, 0.5),
    coverage_80: coverage(scores, 0.8),
    coverage_90: coverage(scores, 0.9),
  }
}

function* computeFigureSteps(parts: Iterable<LawPart>, toCluster: (target: string) => string) {
  const rows = []
  for (const part of parts) {
    rows.push({ part, figures: toFigures(part, toCluster) })
    yield
  }
  return rows
}

/**
 * Makes a step that computes the figures of a lane's distributions, once after each scoring; it yields to other fibers.
 *
 * @param instruments in the order of the rows
 * @param toCluster what targets come out together
 */
export const makeLawFigures = (instruments: ReadonlyArray<string>, toCluster: (target: string) => string) => {
  const compareParts = Order.combineAll<LawPart>([
    Order.mapInput(Order.number, ({ instrument }) => (instrument === undefined ? -1 : instruments.indexOf(instrument))),
    Order.mapInput(Order.number, ({ lead }) => lead),
    Order.mapInput(Order.string, ({ variable }) => variable),
  ])
  const compute = oncePerState((record: LawRecord, _state: string) =>
    Effect.gen(function* () {
      const first = addDays(dayOf(yield* Clock.currentTimeMillis), -recordDays)
      const parts = new Map<string, LawPart>()
      const versions = new Set<string>()
      const add = (score: LawScore, instrument?: string): void => {
        const { variable, lead } = score
        const name = [instrument, variable, lead].join("/")
        const part = parts.get(name)
        if (part === undefined)
          parts.set(name, { ...ifDefined("instrument", instrument), variable, lead, scores: [score] })
        else part.scores.push(score)
      }
      for (const instrument of instruments) {
        for (const score of yield* record.scores(instrument, first)) {
          versions.add(score.modelVersion)
          add(score)
          add(score, instrument)
        }
        yield* yieldToEventLoop
      }
      const sorted = [...parts.values()].sort(compareParts)
      return {
        laws: sorted.reduce((sum, { instrument, scores }) => sum + (instrument === undefined ? scores.length : 0), 0),
        versions: [...versions].sort(),
        rows: yield* inTurns(computeFigureSteps(sorted, toCluster)),
      }
    }),
  )
  return Step.method(function* (record: Service<LawRecord>) {
    const newest = yield* record.newest()
    const now = yield* Step.now
    const { laws, versions, rows } = yield* compute(record, [dayOf(now), newest?.at, newest?.rows].join("/"))
    return {
      laws,
      rows,
      results: {
        as_of: iso(newest?.at ?? now),
        data_freshness: record.freshness,
        model_versions: versions,
      },
    }
  })
}
