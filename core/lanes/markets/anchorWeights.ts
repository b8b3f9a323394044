import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Field from "../../endpoint/Field.ts"
import type { Failure } from "../../Failure.ts"
import { type AnchorWeight, anchorWeightSteps } from "../../record/scoreboard/anchorWeight.ts"
import { type CurrentRow, type Domain, domains } from "../../record/scoreboard/Settled.ts"
import { intervalCoverage } from "../../record/scoreboard/scores.ts"
import * as Step from "../../Step.ts"
import { day } from "../../time.ts"
import { runInTurns, yieldToEventLoop } from "../../yieldToEventLoop.ts"
import type { SettledRows } from "./ports.ts"

/** The weight of one domain on the wire. */
const Weight = Schema.Struct({
  weight: Field.quantity("ratio", "In use: `fitted` where `low` is above 0, else 0."),
  fitted: Field.optional(Field.quantity("ratio", "Of maximum likelihood, 0 to 1; omitted with under 100 rows.")),
  improvement: Field.optional(
    Field.quantity("ratio", "Log score of the market minus that of the pool, nats, on rows after those of each fit."),
  ),
  low: Field.optional(Field.quantity("ratio", `Lower end of its ${intervalCoverage * 100} % interval, over events.`)),
  high: Field.optional(Field.quantity("ratio", "Upper end.")),
  rows: Field.integer("Rows scored with a weight of the rows settled before their day."),
}).annotations({ identifier: "MarketsAnchorWeight" })

/** The weights of market-anchored laws, by domain. */
export const Anchoring = Schema.Struct({ weather: Weight, nfl: Weight, mlb: Weight, crypto: Weight }).annotations({
  description:
    "The models' weights in `_market_anchored`, in log-odds beside the market's. Fitted once a UTC day on the rows settled before it.",
})

export const wireOf = ({ weight, fitted, improvement, rows }: AnchorWeight): typeof Weight.Type => ({
  weight,
  ...(fitted === undefined ? {} : { fitted }),
  ...(improvement === undefined
    ? {}
    : { improvement: improvement.value, low: improvement.low, high: improvement.high }),
  rows,
})

export type Weights = Readonly<Record<Domain, AnchorWeight>>

/** The newest rows of a domain that are read, in pages. */
const maxRows = 20_000
const pageRows = 500

/** A domain's newest rows that were settled before an instant. */
const rowsBefore = Step.fn(function* (rows: SettledRows["Type"], domain: Domain, before: number) {
  const found: Array<CurrentRow> = []
  let last: CurrentRow | undefined
  for (let read = 0; read < maxRows; read += pageRows) {
    const next: ReadonlyArray<CurrentRow> = yield* rows.after(domain, last, pageRows)
    found.push(...next.filter(({ settledAt }) => settledAt < before))
    last = next.at(-1)
    if (next.length < pageRows) break
    yield* yieldToEventLoop
  }
  return found
})

const compute = Step.method(function* (rows: SettledRows["Type"], before: number) {
  const found: Partial<Record<Domain, AnchorWeight>> = {}
  for (const domain of domains) {
    found[domain] = yield* runInTurns(anchorWeightSteps(yield* rowsBefore(rows, domain, before)))
  }
  return found as Weights
})

const shared = new WeakMap<SettledRows["Type"], Effect.Effect<Weights, Failure>>()

const make = (rows: SettledRows["Type"]): Effect.Effect<Weights, Failure> => {
  let known: { readonly today: number; readonly weights: Weights } | undefined
  const one = Effect.unsafeMakeSemaphore(1)
  const of = (today: number): Effect.Effect<Weights, Failure> =>
    Effect.suspend(() =>
      known?.today === today
        ? Effect.succeed(known.weights)
        : Effect.tap(compute(rows, today), (weights) => {
            known = { today, weights }
          }),
    )
  return Step.gen(function* () {
    const today = Math.floor((yield* Step.now) / day) * day
    return known?.today === today ? known.weights : yield* one.withPermits(1)(of(today))
  })
}

/** The weights of the rows settled before today, computed once a day: whoever asks of the same rows shares them. */
export const weightsOver = (rows: SettledRows["Type"]): Effect.Effect<Weights, Failure> => {
  const before = shared.get(rows)
  if (before !== undefined) return before
  const made = make(rows)
  shared.set(rows, made)
  return made
}
