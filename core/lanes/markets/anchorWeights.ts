import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Field from "../../endpoint/Field.ts"
import type { Failure } from "../../Failure.ts"
import { ifDefined } from "../../ifDefined.ts"
import { type AnchorWeight, anchorWeightSteps, type Weights } from "../../record/scoreboard/anchorWeight.ts"
import { type CurrentRow, type Domain, domains } from "../../record/scoreboard/Settled.ts"
import { intervalCoverage } from "../../record/scoreboard/scores.ts"
import * as Step from "../../Step.ts"
import { dayOf } from "../../time.ts"
import { inTurns, yieldToEventLoop } from "../../yieldToEventLoop.ts"
import { estimateFields } from "../fields.ts"
import { ContractStore, Scoreboard, SettledRows } from "./ports.ts"

const Weight = Schema.Struct({
  weight: Field.quantity("ratio", "The weight in use: `fitted` if `improvement.low` is above 0, else 0."),
  fitted: Field.optional(Field.quantity("ratio", "Maximum-likelihood weight, 0 to 1; omitted with under 100 rows.")),
  improvement: Field.optional(
    Schema.Struct(estimateFields("Log score of the market minus the pool's, nats, on rows that no fit had seen.")),
  ),
  rows: Field.integer("Scored rows, each with a weight fitted on the rows that had settled before its day."),
}).annotations({ identifier: "MarketsPoolWeight" })

export const PoolWeights = Schema.Struct({ weather: Weight, nfl: Weight, mlb: Weight, crypto: Weight }).annotations({
  description:
    "The models' weights beside market prices, applied to log-odds in `pooled_prob` and `_market_anchored`. Published once a UTC day, fitted on the rows settled before it; 0 until the first publication.",
})

export const toWireWeight = ({ weight, fitted, improvement: by, rows }: AnchorWeight): typeof Weight.Type => ({
  weight,
  ...ifDefined("fitted", fitted),
  ...ifDefined("improvement", by && { estimate: by.value, low: by.low, high: by.high, level: intervalCoverage }),
  rows,
})

/** At most this many of a domain's newest rows are read, in pages. */
const maxRows = 20_000
const pageRows = 500

/** Reads a domain's newest rows that were settled before an instant, epoch milliseconds. */
const readRowsBefore = Step.fn(function* (rows: typeof SettledRows.Service, domain: Domain, until: number) {
  const earlier: Array<CurrentRow> = []
  let last: CurrentRow | undefined
  for (let read = 0; read < maxRows; read += pageRows) {
    const next: ReadonlyArray<CurrentRow> = yield* rows.after(domain, last, pageRows)
    earlier.push(...next.filter(({ settledAt }) => settledAt < until))
    last = next.at(-1)
    if (next.length < pageRows) break
    yield* yieldToEventLoop
  }
  return earlier
})

/** Fits the weights on the rows settled before this UTC day and publishes them, unless that is done already. */
export const publishWeights: Effect.Effect<void, Failure, ContractStore | Scoreboard | SettledRows> = Effect.gen(
  function* () {
    const [store, scoreboard, rows] = [yield* ContractStore, yield* Scoreboard, yield* SettledRows]
    const today = dayOf(yield* Clock.currentTimeMillis)
    if ((yield* scoreboard.weights).day === today) return
    const weights: Partial<Record<Domain, AnchorWeight>> = {}
    for (const domain of domains) {
      weights[domain] = yield* inTurns(
        anchorWeightSteps(yield* Step.run(readRowsBefore(rows, domain, Date.parse(today)))),
      )
    }
    yield* store.publish(today, weights as Weights)
  },
)
