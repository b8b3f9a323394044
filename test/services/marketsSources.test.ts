import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import type { Priced } from "../../core/contracts/Contract.ts"
import { CandleStore } from "../../core/lanes/crypto/ports.ts"
import { SourceResults } from "../../core/lanes/markets/ports.ts"
import { ClimateArchive, type Issuance } from "../../core/lanes/weather/ports.ts"
import { contract } from "../support/contracts.ts"
import { samples, storeOf } from "../support/footballStore.ts"
import { settings } from "../support/running.ts"
import { marketsOf } from "../support/world.ts"

/** Two hours into 2026-07-09 at the station: its report of the day before may be out. */
const morning = Date.UTC(2026, 6, 9, 7)
const noon = Date.UTC(2026, 6, 8, 12)

const config = settings({
  ...{ markets: "live", weather: "live", crypto: "live", football: "live", baseball: "live" },
  // Off: its terms are not accepted.
  upstreams: { ...settings().upstreams, mlb: "" },
})

const live = marketsOf(config).pipe(Layer.provideMerge(storeOf(samples.slice(0, 1), noon)))

const issued = (issuedAt: number, status: "final" | "preliminary", highF: number) =>
  Effect.flatMap(ClimateArchive, (archive) => {
    const report = {
      station: "CENTRAL PARK NY",
      day: "2026-07-08",
      status,
      correction: false,
      highF,
      lowF: 64,
      flags: [],
    }
    const issuance: Issuance = { station: "KNYC", productId: String(issuedAt), issuedAt, source: "test", report }
    return archive.append([{ issuance, text: "text" }], issuedAt)
  })

const high: Priced = contract({ ticker: "high", event: "KXHIGHNY-26JUL08", subject: "KNYC/2026-07-08" })
const price: Priced = contract({
  ticker: "price",
  domain: "crypto",
  series: "KXBTCD",
  settlesOn: "CF Benchmarks",
  subject: `BTC/${new Date(noon).toISOString()}`,
  floorStrike: 60_000,
})
const game = (event: string, team: string, subject: string): Priced =>
  contract({ ticker: `${event}-${team}`, domain: "nfl", series: "KXNFLGAME", event, subject })

const observed = (...contracts: ReadonlyArray<Priced>) =>
  Effect.map(
    Effect.flatMap(SourceResults, ({ read }) => read(contracts)),
    ({ results, warnings }) => [...contracts.map(({ ticker }) => results.get(ticker)), ...warnings],
  )

describe("the sources behind live contracts", () => {
  it.effect("are the lanes' stored data, unchanged", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(morning)
      assert.deepStrictEqual(yield* observed(high, price), [undefined, undefined])

      yield* issued(morning - 8 * 3_600_000, "preliminary", 95)
      assert.deepStrictEqual(yield* observed(high), [undefined])
      yield* issued(morning - 60_000, "final", 89)
      assert.deepStrictEqual(yield* observed(high), ["no"])
      // The first official report counts, not its correction.
      yield* issued(morning, "final", 90)
      assert.deepStrictEqual(yield* observed(high), ["no"])

      const { append } = yield* CandleStore
      const candle = (minute: number, close: number) => ({ minute, high: close, low: close, close, volume: 1 })
      const last = noon / 60_000 - 1
      yield* append("BTC", "coinbase", [candle(last - 1, 70_000), candle(last + 1, 70_000)])
      assert.deepStrictEqual(yield* observed(price), [undefined])
      yield* append("BTC", "kraken", [candle(last, 60_000)])
      assert.deepStrictEqual(yield* observed(price, { ...price, ticker: "other", floorStrike: 59_999.99 }), [
        "no",
        "yes",
      ])

      const [tie, won, open] = [
        game("KXNFLGAME-24SEP05KCBUF", "KC", "2024_01_KC_BUF"),
        game("KXNFLGAME-24SEP08DENLV", "LV", "2024_01_DEN_LV"),
        game("KXNFLGAME-24SEP16BUFLV", "LV", "2024_02_BUF_LV"),
      ]
      assert.deepStrictEqual(yield* observed(tie, won, open), [undefined, "yes", undefined])
    }).pipe(Effect.provide(live)),
  )

  it.effect("do not affect each other: one without accepted terms is unavailable", () =>
    Effect.gen(function* () {
      const won = game("KXNFLGAME-24SEP08DENLV", "DEN", "2024_01_DEN_LV")
      const unasked = { ...won, ticker: "KXMLBGAME-26JUL08NYYBOS-BOS", domain: "mlb" as const, subject: "500001" }
      const [final, none, trouble] = yield* observed(won, unasked)
      assert.deepStrictEqual([final, none], ["no", undefined])
      assert.match(String(trouble), /^500001: .*TERMS_ACCEPTED/)
    }).pipe(Effect.provide(live)),
  )
})
