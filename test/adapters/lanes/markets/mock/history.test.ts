import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { history } from "../../../../../adapters/lanes/markets/mock/history.ts"
import { listTrading } from "../../../../../adapters/lanes/markets/mock/markets.ts"
import { priceThen } from "../../../../../adapters/lanes/markets/mock/pricing.ts"
import { Football } from "../../../../../core/lanes/football/Football.ts"
import { clockAt } from "../../../../support/clock.ts"
import { mockMarketsOnce } from "../../../../support/mockLanes.ts"

const november = Date.UTC(2026, 10, 22, 15)

it.effect("the captures of a game ask for its line once, however many hours it traded", () =>
  Effect.gen(function* () {
    const football = yield* Football
    let asked = 0
    const fairLine: typeof football.fairLine = (params) => {
      asked++
      return football.fairLine(params)
    }
    const { captures } = yield* Effect.provideService(history, Football, { ...football, fairLine })
    const [listing] = listTrading("nfl", november)
    const all = { from: 0, until: Number.MAX_SAFE_INTEGER, after: undefined, limit: 500 }
    const found = yield* captures({ scope: { event: listing!.ticker }, ...all })
    assert.isAbove(found.length, 40)
    assert.strictEqual(asked, 1)
    const pages = [yield* captures({ scope: { event: listing!.ticker }, ...all, limit: 7 })]
    while (pages.at(-1)!.length === 7) {
      const last = pages.at(-1)!.at(-1)!
      const after = { venue: last.contract.venue, ticker: last.contract.ticker, ...last }
      pages.push(yield* captures({ scope: { event: listing!.ticker }, ...all, limit: 7, after }))
    }
    assert.deepStrictEqual(pages.flat(), found)
    const { ticker } = found[0]!.contract
    const hours = yield* captures({ scope: { market: ticker }, ...all })
    assert.deepStrictEqual(
      hours,
      found.filter(({ contract }) => contract.ticker === ticker),
    )
    // The first ones of a contract are those of its first hours.
    assert.deepStrictEqual(yield* captures({ scope: { market: ticker }, ...all, limit: 7 }), hours.slice(0, 7))
    for (const { at, contract } of [found[0]!, found.at(-1)!]) {
      const then = yield* priceThen(listing!, at)
      assert.deepStrictEqual(
        contract,
        then.find(({ ticker }) => ticker === contract.ticker),
      )
    }
  }).pipe(Effect.withClock(clockAt(november)), Effect.provide(mockMarketsOnce)),
)
