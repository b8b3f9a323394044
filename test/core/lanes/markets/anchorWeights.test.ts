import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import type { Priced } from "../../../../core/contracts/Contract.ts"
import { MarketQuotes } from "../../../../core/contracts/MarketQuotes.ts"
import { publishWeights } from "../../../../core/lanes/markets/anchorWeights.ts"
import { maxQuoteAgeMs } from "../../../../core/lanes/markets/books.ts"
import * as overLanes from "../../../../core/lanes/markets/overLanes.ts"
import { ContractStore, compareRows, pageAfter, Scoreboard, SettledRows } from "../../../../core/lanes/markets/ports.ts"
import { type Published, unpublished } from "../../../../core/record/scoreboard/anchorWeight.ts"
import type { SettledMarket } from "../../../../core/record/scoreboard/Settled.ts"
import { book, contract, noon } from "../../../support/contracts.ts"
import { settledRow } from "../../../support/settledRows.ts"

const day = 86_400_000
const first = Date.UTC(2026, 5, 1)

/** Eighty days of twenty contracts that the market has at a half, and the model right nine times in ten. */
const rows: ReadonlyArray<SettledMarket> = Array.from({ length: 1_600 }, (_, at) => {
  const [on, isYes] = [Math.floor(at / 20), at % 2 === 0]
  return settledRow({
    event: `E${Math.floor(at / 2)}`,
    ticker: `T${at}`,
    quotes: { yesBid: 4_900, yesAsk: 5_100, noAsk: 5_100 },
    model: isYes === (at % 10 !== 0) ? 800_000 : 200_000,
    result: isYes ? "yes" : "no",
    capturedAt: first + on * day + 15 * 3_600_000,
    closeTime: first + on * day + 20 * 3_600_000,
    settledAt: first + (on + 1) * day + 6 * 3_600_000,
  })
})

const unasked = Effect.dieMessage("not asked for")
const board: typeof Scoreboard.Service = {
  freshness: "live",
  current: unasked,
  latest: unasked,
  weights: Effect.succeed(unpublished),
}
const storeOf = (about: (typeof ContractStore.Service)["about"]): typeof ContractStore.Service => ({
  about,
  replace: () => unasked,
  due: () => unasked,
  awaitingSource: () => unasked,
  voids: unasked,
  settle: () => unasked,
  publish: () => unasked,
})

/** The rows of one domain; counts how often they are read from their beginning. */
const settled = () => {
  const standing = [...rows].sort(compareRows).map((row) => ({ ...row, earlier: [] }))
  const reads = { count: 0 }
  const service: typeof SettledRows.Service = {
    freshness: "live",
    after: (domain, position, limit) =>
      Effect.sync(() => {
        if (position === undefined) reads.count++
        return domain === "weather" ? pageAfter(standing, position, limit) : []
      }),
  }
  return { service, reads }
}

describe("the weights of the models beside the market", () => {
  it.effect("are fitted by the first run of a UTC day, on the rows settled before it, and published once", () => {
    const { service, reads } = settled()
    const published: Array<Published> = []
    const ports = Layer.mergeAll(
      Layer.succeed(SettledRows, service),
      Layer.succeed(Scoreboard, { ...board, weights: Effect.sync(() => published.at(-1) ?? unpublished) }),
      Layer.succeed(ContractStore, {
        ...storeOf(() => unasked),
        publish: (day, weights) => Effect.sync(() => void published.push({ day, weights })),
      }),
    )
    const at = (now: number) => Effect.zipRight(TestClock.setTime(now), Effect.provide(publishWeights, ports))
    return Effect.gen(function* () {
      const end = first + 80 * day
      yield* at(end + 3_600_000)
      yield* at(end + 5 * 3_600_000)
      // Four domains, once.
      assert.strictEqual(reads.count, 4)
      const [one] = published
      assert.strictEqual(one!.day, "2026-08-20")
      assert.deepStrictEqual(one!.weights.nfl, { weight: 0, rows: 0 })
      // The last day settles today at six.
      assert.strictEqual(one!.weights.weather.rows, 79 * 20 - 6 * 20)
      assert.isAbove(one!.weights.weather.weight, 0.9)
      assert.isAbove(one!.weights.weather.improvement!.low, 0)
      yield* at(end + day)
      assert.strictEqual(reads.count, 8)
      assert.strictEqual(published[1]!.weights.weather.rows, 80 * 20 - 6 * 20)
    })
  })
})

describe("the quotes that laws are anchored to", () => {
  const about = (contracts: ReadonlyArray<Priced>) => {
    const asked: Array<readonly [string, string]> = []
    const store = Layer.succeed(
      ContractStore,
      storeOf((lane, subject) =>
        Effect.sync(() => {
          asked.push([lane, subject])
          return contracts
        }),
      ),
    )
    return Effect.gen(function* () {
      const quotes = yield* MarketQuotes
      assert.deepStrictEqual(yield* quotes!.weight("nfl"), { weight: 0, rows: 0 })
      const found = yield* quotes!.about("weather", "KNYC/2026-07-12", noon)
      assert.deepStrictEqual(asked, [["weather", "KNYC/2026-07-12"]])
      return found.map(({ ticker }) => ticker)
    }).pipe(Effect.provide(overLanes.layerQuotes.pipe(Layer.provide([store, Layer.succeed(Scoreboard, board)]))))
  }

  it.effect("are fresh, of two sides, and of contracts that are open", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(noon)
      const found = yield* about([
        contract({ ticker: "good" }),
        contract({ ticker: "no bid", bidAsk: book(0, 3) }),
        contract({ ticker: "no ask", bidAsk: book(97, 100) }),
        contract({ ticker: "crossed", bidAsk: book(40, 39) }),
        contract({ ticker: "old", quotedAt: noon - maxQuoteAgeMs }),
        contract({ ticker: "closed", closeTime: noon }),
      ])
      assert.deepStrictEqual(found, ["good"])
    }),
  )

  it.effect("are none where no market is tracked", () =>
    Effect.gen(function* () {
      assert.isUndefined(yield* MarketQuotes)
    }).pipe(Effect.provide(MarketQuotes.layerNone)),
  )
})
