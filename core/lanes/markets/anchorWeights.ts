import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Field from "../../endpoint/Field.ts"
import type { Failure } from "../../Failure.ts"
import { type AnchorWeight, anchorWeightSteps, type Weights } from "../../record/scoreboard/anchorWeight.ts"
import { type CurrentRow, type Domain, domains } from "../../record/scoreboard/Settled.ts"
import { intervalCoverage } from "../../record/scoreboard/scores.ts"
import * as Step from "../../Step.ts"
import { dayOf } from "../../time.ts"
import { inTurns, yieldToEventLoop } from "../../yieldToEventLoop.ts"
import { ContractStore, Scoreboard, SettledRows } from "./ports.ts"

/** The weight of one domain on the wire. */
const Weight = Schema.Struct({
  weight: Field.quantity("ratio", "In use: `fitted` where `low` is above 0, else 0."),
  fitted: Field.optional(Field.quantity("ratio", "Of maximum likelihood, 0 to 1; omitted with under 100 rows.")),
  improvement: Field.optional(
    Field.quantity("ratio", "Log score of the market minus that of the pool, nats, on rows after those of each fit."),
  ),
  low: Field.optional(
    Field.quantity("ratio", `Lower end of its ${intervalCoverage * 100} % interval, over weeks or days.`),
  ),
  high: Field.optional(Field.quantity("ratio", "Upper end.")),
  rows: Field.integer("Rows scored with a weight of the rows settled before their day."),
}).annotations({ identifier: "MarketsAnchorWeight" })

/** The weights of market-anchored laws, by domain. */
export const Anchoring = Schema.Struct({ weather: Weight, nfl: Weight, mlb: Weight, crypto: Weight }).annotations({
  description:
    "The models' weights beside the prices, in log-odds: of `pooled_prob` and `_market_anchored`. Published once a UTC day, of the rows settled before it; 0 until then.",
})

export const toWire = ({ weight, fitted, improvement, rows }: AnchorWeight): typeof Weight.Type => ({
  weight,
  ...(fitted === undefined ? {} : { fitted }),
  ...(improvement === undefined
    ? {}
    : { improvement: improvement.value, low: improvement.low, high: improvement.high }),
  rows,
})

/** The newest rows of a domain that are read, in pages. */
const maxRows = 20_000
const pageRows = 500

/** A domain's newest rows that were settled before an instant. */
const rowsBefore = Step.fn(function* (rows: typeof SettledRows.Service, domain: Domain, before: number) {
  const earlier: Array<CurrentRow> = []
  let last: CurrentRow | undefined
  for (let read = 0; read < maxRows; read += pageRows) {
    const next: ReadonlyArray<CurrentRow> = yield* rows.after(domain, last, pageRows)
    earlier.push(...next.filter(({ settledAt }) => settledAt < before))
    last = next.at(-1)
    if (next.length < pageRows) break
    yield* yieldToEventLoop
  }
  return earlier
})

/** Once a UTC day: fits the weights on the rows settled before it, and publishes them. */
export const publish: Effect.Effect<void, Failure, ContractStore | Scoreboard | SettledRows> = Effect.gen(function* () {
  const [store, scoreboard, rows] = [yield* ContractStore, yield* Scoreboard, yield* SettledRows]
  const today = dayOf(yield* Clock.currentTimeMillis)
  if ((yield* scoreboard.weights).day === today) return
  const weights: Partial<Record<Domain, AnchorWeight>> = {}
  for (const domain of domains) {
    weights[domain] = yield* inTurns(anchorWeightSteps(yield* Step.run(rowsBefore(rows, domain, Date.parse(today)))))
  }
  yield* store.publish(today, weights as Weights)
})
