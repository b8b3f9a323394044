import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/TestClock"
import type { Contract } from "../../../core/contracts/Contract.ts"
import type { Quotes } from "../../../core/contracts/MarketQuotes.ts"
import type { Answer, Freshness } from "../../../core/endpoint/Answer.ts"
import { MarketAnchored } from "../../../core/endpoint/EnvelopeSchema.ts"
import { make } from "../../../core/gateway/anchoring.ts"
import { Weather } from "../../../core/lanes/weather/Weather.ts"
import { shin } from "../../../core/math/devig.ts"
import { addDays } from "../../../core/time.ts"
import { book, contract } from "../../support/contracts.ts"
import { day, grid, hour, readings, start, weatherOver } from "../lanes/weather/world.ts"

const now = start + 10 * hour
const target = addDays(day, 1)
const valid = Schema.validateSync(MarketAnchored)

/** Tomorrow's signal at New York. */
const signal = (freshness: Freshness = "live") =>
  Effect.zipRight(
    TestClock.setTime(now),
    Effect.provide(
      Effect.flatMap(Weather, (weather) => weather.signal({ station: "KNYC", target })),
      weatherOver({
        grid: Effect.succeed(grid({ updatedAt: now - hour })),
        readings: Effect.succeed(readings(now)),
        freshness: { forecasts: freshness, observations: freshness, reports: freshness },
      }),
    ),
  )

/** Prices that a venue has, whatever is asked; keeps what was asked. */
const quoting = (contracts: ReadonlyArray<Contract>, weight = 0) => {
  const asked: Array<string> = []
  const quotes: Quotes = {
    about: (lane, subject, at) =>
      Effect.sync(() => {
        asked.push(`${lane} ${subject} ${at}`)
        return contracts
      }),
    weight: () => Effect.succeed({ weight, rows: 500 }),
  }
  return { asked, quotes }
}

const high = (strikes: Partial<Contract>, cents: readonly [bid: number, ask: number], quotedAt = now - 60_000) => {
  const { strikeType: _, floorStrike: __, ...plain } = contract({ quotedAt, bidAsk: book(...cents) })
  return { ...plain, ...strikes }
}
/** All degrees of a high, for 1.04 together. */
const ladder = [
  high({ strikeType: "less", capStrike: 84 }, [19, 21]),
  high({ strikeType: "between", floorStrike: 84, capStrike: 85 }, [40, 44], now - 90_000),
  high({ strikeType: "between", floorStrike: 86, capStrike: 87 }, [29, 31]),
  high({ strikeType: "greater", floorStrike: 87 }, [11, 13]),
]

describe("include=_market_anchored", () => {
  it.effect("is the signal's law with the venue's prices, labelled, as of the oldest of them", () =>
    Effect.gen(function* () {
      const answer = yield* signal()
      const before = JSON.stringify(answer.record?.output())
      const { asked, quotes } = quoting(ladder)
      const found = yield* make(quotes)(answer)
      valid(found)
      assert.deepStrictEqual(asked, [`weather KNYC/${target} ${now}`])
      assert.deepInclude(found, { label: "market-anchored, not a model", weight: 0 })
      assert.lengthOf(found.laws, 1)
      const [law] = found.laws
      const asOf = new Date(now - 90_000).toISOString()
      assert.deepInclude(law, {
        variable: "high",
        venue: "kalshi",
        venue_source: "The Weather Company",
        contracts: 4,
        as_of: asOf,
      })
      const atLeast = (k: number): number => law!.ge[k - law!.from]!
      const near = (found: number, expected: number) => assert.approximately(found, expected, 1e-6)
      const fair = shin([0.2, 0.42, 0.3, 0.12]).probabilities
      near(1 - atLeast(84), fair[0]!)
      near(atLeast(84) - atLeast(86), fair[1]!)
      near(atLeast(86) - atLeast(88), fair[2]!)
      near(atLeast(88), fair[3]!)
      // Within a bucket the model's odds stay, to the six decimals that are served.
      const { pmf } = answer.results.probabilities
      near((law!.pmf[84 - law!.from]! / law!.pmf[85 - law!.from]!) * 1e-2, (pmf["84"]! / pmf["85"]!) * 1e-2)
      assert.approximately(
        law!.pmf.reduce((sum, p) => sum + p, 0),
        1,
        1e-9,
      )
      // The record's part of the answer does not know of it.
      assert.strictEqual(JSON.stringify(answer.record?.output()), before)
    }),
  )

  it.effect("is the model where its weight is 1, of the venue with more contracts, and of each extreme", () =>
    Effect.gen(function* () {
      const answer = yield* signal()
      const { pmf, low } = answer.results.probabilities
      const other = { ...ladder[0]!, venue: "another" }
      const lows = { ...high({ strikeType: "greater", floorStrike: 66 }, [30, 34]), series: "KXLOWTNYC" }
      const found = yield* make(quoting([other, ...ladder, lows], 1).quotes)(answer)
      valid(found)
      assert.deepStrictEqual(
        found.laws.map(({ variable, venue, contracts }) => [variable, venue, contracts]),
        [
          ["high", "kalshi", 4],
          ["low", "kalshi", 1],
        ],
      )
      for (const [law, own] of [
        [found.laws[0]!, pmf],
        [found.laws[1]!, low.pmf],
      ] as const) {
        for (const [at, p] of law.pmf.entries()) assert.approximately(p, own[law.from + at]!, 2e-6)
      }
    }),
  )

  it.effect("has no law, and says why, where there is none to anchor or nothing to anchor to", () =>
    Effect.gen(function* () {
      const answer = yield* signal()
      const reasonOf = (some: Answer<unknown>, quotes: Quotes | undefined) =>
        Effect.map(make(quotes)(some), (found) => {
          valid(found)
          assert.deepStrictEqual([found.label, found.laws], ["market-anchored, not a model", []])
          assert.notProperty(found, "weight")
          return found.reason
        })
      const { quotes, asked } = quoting(ladder)
      const { record: _, ...decided } = answer
      const { extras: __, ...without } = answer
      const unread = [{ ...ladder[0]!, strikeType: "sideways" }]
      const nothing = `No venue has a fresh two-sided quote on a number of KNYC/${target}.`
      assert.strictEqual(yield* reasonOf(without, quotes), "This endpoint has no law over whole numbers.")
      for (const mode of ["mock", "shadow"] as const) {
        const generated = yield* signal(mode)
        assert.strictEqual(yield* reasonOf(generated, quotes), `The data is ${mode}: only live signals are anchored.`)
      }
      assert.strictEqual(yield* reasonOf(answer, undefined), "No market is tracked.")
      assert.strictEqual(yield* reasonOf(decided, quotes), "The outcome is decided or under way.")
      assert.lengthOf(asked, 0)
      assert.strictEqual(yield* reasonOf(answer, quoting([]).quotes), nothing)
      assert.strictEqual(yield* reasonOf(answer, quoting(unread).quotes), nothing)
    }),
  )
})
