import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
import * as Schema from "effect/Schema"
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

/** Days before today whose laws count. */
export const recordDays = 365
const bins = 10

/**
 * Results of a record of laws.
 *
 * @param part the fields that tell its parts apart
 * @param crps unit of the score, and its name
 */
export const lawResults = <Part extends Schema.Struct.Fields>(
  identifier: string,
  part: Part,
  ...[unit, unitName]: readonly [unit: Field.Unit, name: string]
) =>
  Schema.Struct({
    as_of: Field.instant("When laws were last scored."),
    demo: Field.optional(Field.text("Says so where the record is sample data.")),
    model_versions: Schema.Array(Schema.String).annotations({ description: "Of the models that issued the laws." }),
    rows: Schema.Array(
      Schema.Struct({
        ...part,
        n: Field.integer(`Laws scored, of the last ${recordDays} days.`),
        crps: Field.quantity(
          unit,
          `Mean continuous ranked probability score, ${unitName}: the lower, the better; of a forecast without spread its absolute error.`,
        ),
        crps_interval: Field.optional(
          Schema.Struct({
            low: Field.quantity(unit),
            high: Field.quantity(unit),
            level: Field.probability(),
          }).annotations({ description: "By a bootstrap over clusters; omitted where they are fewer than ten." }),
        ),
        pit: Schema.Array(Field.probability()).annotations({
          description: `Shares of ${bins} equal bins of the probability integral transform, 0 to 1: all near ${1 / bins} if the laws are right, U-shaped if they are too narrow.`,
        }),
        coverage_50: Field.probability("Outcomes in the central half of their laws: near 0.5 if the laws are right."),
        coverage_80: Field.probability(),
        coverage_90: Field.probability(),
      }).annotations({ identifier: `${identifier}Row` }),
    ).annotations({ description: "All instruments together first, then one after the other." }),
  }).annotations({ identifier })

/** The laws of one variable and lead; of all instruments where none is named. */
interface Part extends Pick<LawScore, "lead" | "variable"> {
  readonly instrument?: string
  readonly scores: Array<LawScore>
}

const toFigures = ({ scores }: Part, clusterOf: (target: string) => string) => {
  const { value, low, high } = ratio(
    scores.map(({ crps }) => crps),
    scores.map(() => 1),
    scores.map(({ target }) => clusterOf(target)),
    { replicates, level: intervalCoverage, generator: xoshiro128(seed) },
  )
  return {
    n: scores.length,
    crps: value,
    ...ifDefined("crps_interval", Number.isNaN(low) ? undefined : { low, high, level: intervalCoverage }),
    pit: [...pitHistogram(scores, bins)],
    coverage_50: coverage(scores, 0.5),
    coverage_80: coverage(scores, 0.8),
    coverage_90: coverage(scores, 0.9),
  }
}

function* figureSteps(parts: Iterable<Part>, clusterOf: (target: string) => string) {
  const rows = []
  for (const part of parts) {
    rows.push({ part, figures: toFigures(part, clusterOf) })
    yield
  }
  return rows
}

/**
 * The figures of a lane's laws, computed once after each scoring, with turns of the event loop in between.
 *
 * @param instruments in the order of the rows
 * @param clusterOf what targets come out together
 */
export const lawFigures = (instruments: ReadonlyArray<string>, clusterOf: (target: string) => string) => {
  const inOrder = Order.combineAll<Part>([
    Order.mapInput(Order.number, ({ instrument }) => (instrument === undefined ? -1 : instruments.indexOf(instrument))),
    Order.mapInput(Order.number, ({ lead }) => lead),
    Order.mapInput(Order.string, ({ variable }) => variable),
  ])
  const compute = oncePerState((record: LawRecord, _state: string) =>
    Effect.gen(function* () {
      const first = addDays(dayOf(yield* Clock.currentTimeMillis), -recordDays)
      const parts = new Map<string, Part>()
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
      const sorted = [...parts.values()].sort(inOrder)
      return {
        laws: sorted.reduce((sum, { instrument, scores }) => sum + (instrument === undefined ? scores.length : 0), 0),
        versions: [...versions].sort(),
        rows: yield* inTurns(figureSteps(sorted, clusterOf)),
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
        ...ifDefined("demo", record.freshness === "live" ? undefined : "Sample data, not a track record."),
        model_versions: versions,
      },
    }
  })
}
