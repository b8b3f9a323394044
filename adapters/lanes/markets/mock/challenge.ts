import * as Effect from "effect/Effect"
import type { Challenge, Challengers, Receipt } from "../../../../core/lanes/markets/challenge/Challenge.ts"
import { practiceTicker } from "../../../../core/lanes/markets/challenge/fields.ts"
import { headToHead } from "../../../../core/record/scoreboard/board.ts"
import * as Sums from "../../../../core/record/scoreboard/challengers.ts"
import type { CurrentRow } from "../../../../core/record/scoreboard/Settled.ts"
import { compare } from "../../../../core/text.ts"
import { day } from "../../../../core/time.ts"
import { yieldToEventLoop } from "../../../../core/yieldToEventLoop.ts"
import { hashSeed } from "../../mock/hash.ts"

/** Rows of one step, which takes a few milliseconds. */
const rowsPerStep = 200

/**
 * The invented challengers' probabilities of a contract, whole millionths: one always even, one half-way from our model
 * to the market. All are recorded at the time of the capture.
 */
export const invented = [
  { model: "coin-toss", isWithdrawn: true, says: () => 500_000 },
  {
    model: "midway",
    isWithdrawn: false,
    says: ({ model, market }: { readonly model: number; readonly market: number }) => Math.round((model + market) / 2),
  },
]

export const toOpinionId = (model: string, ticker: string): string =>
  `mock_${hashSeed(`${model}/${ticker}`).toString(16)}`

/** The opinions of an invented challenger on settled rows, newest first. */
const listReceipts = (rows: ReadonlyArray<CurrentRow>, name: string): ReadonlyArray<Receipt> => {
  const challenger = invented.find(({ model }) => model === name)
  if (challenger === undefined) return []
  return [...rows]
    .sort((a, b) => a.capturedAt - b.capturedAt || compare(a.ticker, b.ticker))
    .flatMap((row, seq) => {
      const scored = headToHead(row)
      if (scored === undefined) return []
      const { venue, ticker, closeTime, capturedAt: at } = row
      return [{ id: toOpinionId(name, ticker), venue, ticker, p: challenger.says(scored), at, seq, closeTime, row }]
    })
    .reverse()
}

export const scoreInvented = (rows: ReadonlyArray<CurrentRow>, settledAt: number): Effect.Effect<Challengers> =>
  Effect.gen(function* () {
    const all = invented.map((one) => ({ ...one, sums: Sums.empty() }))
    for (const [at, row] of rows.entries()) {
      const scored = headToHead(row)
      if (scored !== undefined) {
        const { capturedAt: at } = scored
        for (const { sums, says } of all) Sums.add(sums, scored, { p: says(scored), at, anchoredAt: at })
      }
      if (at % rowsPerStep === rowsPerStep - 1) yield* yieldToEventLoop
    }
    const since = rows.reduce((first, { capturedAt }) => Math.min(first, capturedAt), settledAt)
    return {
      challengers: all.map(({ model, isWithdrawn, sums }) => ({
        model,
        since,
        sums,
        accountModels: { entered: 1, withdrawn: isWithdrawn ? 1 : 0 },
        ...(isWithdrawn ? { withdrawnAt: settledAt } : {}),
      })),
      settledAt,
    }
  })

/** The challenge of the generated world: opinions are checked but not kept; one of its contracts never closes. */
export const buildChallenge = (
  challengers: Effect.Effect<Challengers>,
  rows: Effect.Effect<ReadonlyArray<CurrentRow>>,
): typeof Challenge.Service => ({
  freshness: "mock",
  closeTimes: () => Effect.succeed(new Map()),
  submit: () => Effect.succeed(undefined),
  withdraw: () => Effect.succeed(undefined),
  practiceContracts: (now) => [
    {
      domain: "crypto",
      venue: "mock",
      ticker: practiceTicker,
      title: "For practice: open until the next UTC midnight, again and again, and never settled",
      closeTime: now - (now % day) + day,
      lane: "crypto",
    },
  ],
  challengers,
  receipts: (model, before, _, limit) =>
    Effect.map(rows, (all) =>
      listReceipts(all, model)
        .filter(({ at, seq }) => before === undefined || at < before.at || (at === before.at && seq < before.seq))
        .slice(0, limit),
    ),
})
