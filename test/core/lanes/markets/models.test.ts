import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as mockBaseball from "../../../../adapters/lanes/baseball/mock/baseball.ts"
import * as mockCrypto from "../../../../adapters/lanes/crypto/mock/tape.ts"
import * as mockFootball from "../../../../adapters/lanes/football/mock/football.ts"
import * as mockWeather from "../../../../adapters/lanes/weather/mock/reports.ts"
import * as secrets from "../../../../adapters/runtime/node/secrets.ts"
import { show } from "../../../../core/call/Subject.ts"
import type { Contract } from "../../../../core/contracts/Contract.ts"
import { Feeds } from "../../../../core/feeds/Feeds.ts"
import { pricings } from "../../../../core/lanes/all.ts"
import { Baseball } from "../../../../core/lanes/baseball/Baseball.ts"
import { Crypto } from "../../../../core/lanes/crypto/Crypto.ts"
import { Football } from "../../../../core/lanes/football/Football.ts"
import * as overLanes from "../../../../core/lanes/markets/overLanes.ts"
import { PricingLanes } from "../../../../core/lanes/markets/ports.ts"
import { toBasis, toVenueLaw } from "../../../../core/lanes/weather/venue/agreement.ts"
import { VenueSettlement } from "../../../../core/lanes/weather/venue/VenueSettlement.ts"
import { Weather } from "../../../../core/lanes/weather/Weather.ts"
import { TrackRecord } from "../../../../core/record/captures/Outcomes.ts"
import { contract } from "../../../support/contracts.ts"

/** A Friday in September: every lane has something to say. */
const now = Date.UTC(2026, 8, 11, 15)

const lanes = Layer.mergeAll(
  Weather.layer.pipe(Layer.provideMerge(mockWeather.layer), Layer.provide(Feeds.layerNone)),
  Crypto.layer.pipe(Layer.provide([Feeds.layerNone, mockCrypto.layer])),
  Football.layer.pipe(Layer.provide([mockFootball.layer, Feeds.layerNone, TrackRecord.layerNone, secrets.layer])),
  Baseball.layer.pipe(Layer.provide(mockBaseball.layer)),
)

const over = overLanes.layerModels(pricings).pipe(Layer.provideMerge(lanes))

const high = (ticker: string, changes: Partial<Contract>): Contract => {
  const { strikeType: _, floorStrike: __, ...rest } = contract()
  return {
    ...rest,
    ticker,
    event: "KXHIGHNY-26SEP12",
    closeTime: Date.UTC(2026, 8, 13, 4, 59),
    ...changes,
  }
}

describe("the lanes' signals", () => {
  it.effect("of a day's high are those of the signal, bucket by bucket", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const { signal } = yield* Weather
      const { results } = yield* signal({ station: "KNYC", target: "2026-09-12" })
      const { ge } = results.probabilities
      const middle = Math.round(results.projection.high_f)
      const listed = [
        high("less", { strikeType: "less", capStrike: middle }),
        high("between", { strikeType: "between", floorStrike: middle, capStrike: middle + 1 }),
        high("greater", { strikeType: "greater", floorStrike: middle + 1 }),
        high("unknown", { strikeType: "functional" }),
      ]
      const { signals, warnings } = yield* (yield* PricingLanes).price(listed)
      assert.deepStrictEqual(warnings, [])
      assert.strictEqual(signals.length, 1)
      const [opinion] = signals
      assert.deepStrictEqual([opinion!.lane, show(opinion!.subject)], ["weather", "KNYC/2026-09-12"])
      assert.strictEqual(opinion!.record.modelVersion, results.model_version)
      const found = Object.fromEntries(opinion!.contracts.map(({ ticker, model }) => [ticker, model]))
      // The venue settles on another source, which is not always equal.
      const at = (k: number) => ge[k] ?? (k < middle ? 1 : 0)
      const basis = toBasis(yield* Effect.flatMap(VenueSettlement, ({ agreement }) => agreement("KNYC")))
      const priced = (probability: number) => Math.round(1e6 * probability)
      assert.deepStrictEqual(found, {
        less: priced(1 - toVenueLaw(at, basis)(middle)),
        between: priced(toVenueLaw(at, basis)(middle) - toVenueLaw(at, basis)(middle + 2)),
        greater: priced(toVenueLaw(at, basis)(middle + 2)),
      })
      assert.isFalse(opinion!.contracts[0]!.basis.same)
    }).pipe(Effect.provide(over)),
  )

  it.effect("are none for a settlement source that nobody knows by name, which is told", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const { price } = yield* PricingLanes
      const [weather, crypto, same] = [
        high("T", { settlesOn: "Synoptic Data" }),
        high("C", { domain: "crypto", series: "KXBTCD", settlesOn: "Chainlink", closeTime: now + 3_600_000 }),
        high("N", { settlesOn: "Synoptic Data" }),
      ]
      const { signals, warnings, unknownSources } = yield* price([weather, crypto, same])
      assert.deepStrictEqual([signals, warnings, unknownSources], [[], [], ["Synoptic Data", "Chainlink"]])
    }).pipe(Effect.provide(over)),
  )

  it.effect("of a noon at Polymarket are those of the candle that begins at noon", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const { results } = yield* (yield* Crypto).signal({ asset: "BTC", horizon_minutes: 61 })
      const [strike] = results.p_above.slice(8)
      const listed = high("noon", {
        ...{ domain: "crypto", series: "btc-multi-strikes-weekly", settlesOn: 'Binance BTC/USDT "Close" prices' },
        ...{ strikeType: "greater", floorStrike: strike!.strike, closeTime: now + 3_600_000 },
      })
      const { signals } = yield* (yield* PricingLanes).price([listed])
      assert.deepStrictEqual(
        signals.map(({ subject, contracts }) => [show(subject), contracts[0]!.model]),
        [[`BTC/${new Date(now + 3_660_000).toISOString()}`, Math.round(strike!.p_above * 1e6)]],
      )
    }).pipe(Effect.provide(over)),
  )

  it.effect("of a price are p_above at the strike and the close", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const { signal } = yield* Crypto
      const { results } = yield* signal({ asset: "BTC", horizon_minutes: 60 })
      const strikes = results.p_above.slice(8, 12)
      const listed = strikes.map(({ strike }) =>
        high(`T${strike}`, {
          domain: "crypto",
          series: "KXBTCD",
          event: "KXBTCD-26SEP1112",
          strikeType: "greater",
          floorStrike: strike,
          closeTime: now + 3_600_000,
          settlesOn: "CF Benchmarks",
        }),
      )
      const { signals } = yield* (yield* PricingLanes).price(listed)
      assert.deepStrictEqual(
        signals.flatMap(({ contracts }) => contracts.map(({ model }) => model)),
        strikes.map(({ p_above }) => Math.round(p_above * 1e6)),
      )
    }).pipe(Effect.provide(over)),
  )

  it.effect("of a game are both sides of one probability, and none for another day", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const { fairLine } = yield* Football
      const { results } = yield* fairLine({ team: "KC" })
      const { home_team, away_team, gameday, game_id } = results.game
      const stamp = (day: string) => {
        const month = new Date(day).toLocaleString("en-US", { month: "short", timeZone: "UTC" }).toUpperCase()
        return `${day.slice(2, 4)}${month}${day.slice(8, 10)}`
      }
      const game = (day: string, team: string) => {
        const event = `KXNFLGAME-${stamp(day)}${away_team}${home_team}`
        return high(`${event}-${team}`, { domain: "nfl", series: "KXNFLGAME", event, closeTime: now + 30 * 86_400_000 })
      }
      const { signals, warnings } = yield* (yield* PricingLanes).price([
        game(gameday, home_team),
        game(gameday, away_team),
        game("2027-06-01", home_team),
      ])
      assert.deepStrictEqual(
        signals.map(({ subject, contracts }) => [show(subject), contracts.map(({ model }) => model)]),
        [
          [
            game_id,
            [
              Math.round(results.prediction.fair_line.win_prob_home * 1e6),
              Math.round((1 - results.prediction.fair_line.win_prob_home) * 1e6),
            ],
          ],
        ],
      )
      assert.strictEqual(warnings.length, 1)
    }).pipe(Effect.provide(over)),
  )

  it.effect("of a game price its winner, margins and totals from one signal, which shows them", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const { results } = yield* (yield* Football).fairLine({ team: "KC" })
      const { fair_line, margin_distribution: margins, total_distribution: totals } = results.prediction
      const { home_team, away_team, gameday, game_id } = results.game
      const day = `${gameday.slice(2, 4)}SEP${gameday.slice(8)}${away_team}${home_team}`
      const on = (series: string, ending: string, floorStrike?: number) =>
        high(`${series}-${day}-${ending}`, {
          ...{ domain: "nfl", series, event: `${series}-${day}`, closeTime: now + 30 * 86_400_000 },
          ...(floorStrike === undefined ? {} : { strikeType: "greater", floorStrike }),
        })
      const { signals, warnings } = yield* (yield* PricingLanes).price([
        on("KXNFLGAME", home_team),
        on("KXNFLSPREAD", `${home_team}1`, 0.5),
        on("KXNFLSPREAD", `${away_team}1`, 0.5),
        on("KXNFLSPREAD", `${home_team}4`, 3.5),
        on("KXNFLSPREAD", `${away_team}8`, 7.5),
        on("KXNFLTOTAL", "45", 44.5),
      ])
      assert.deepStrictEqual(warnings, [])
      assert.deepStrictEqual(
        signals.map(({ subject }) => show(subject)),
        [game_id],
      )
      const from = ({ from, pmf }: NonNullable<typeof margins>, pays: (number: number) => boolean) =>
        pmf.reduce((sum, p, at) => (pays(from + at) ? sum + p : sum), 0)
      const [win, home, away, by4, by8, over] = signals[0]!.contracts.map(({ model }) => model / 1e6)
      assert.approximately(
        home!,
        from(margins!, (margin) => margin > 0),
        1e-6,
      )
      assert.approximately(
        away!,
        from(margins!, (margin) => margin < 0),
        1e-6,
      )
      assert.approximately(
        by4!,
        from(margins!, (margin) => margin >= 4),
        1e-6,
      )
      assert.approximately(
        by8!,
        from(margins!, (margin) => margin <= -8),
        1e-6,
      )
      assert.approximately(
        over!,
        from(totals!, (points) => points >= 45),
        1e-6,
      )
      // Half of a tie is each side's.
      assert.approximately(win!, home! + (1 - home! - away!) / 2, 2e-6)
      assert.approximately(fair_line.win_prob_home, win!, 1e-6)
      const mean = totals!.pmf.reduce((sum, p, at) => sum + p * (totals!.from + at), 0)
      // The line is served to hundredths of a point.
      assert.approximately(mean, fair_line.total, 0.005 + 1e-5)
    }).pipe(Effect.provide(over)),
  )

  it.effect("that fail are reported and do not affect the others", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const listed = [
        high("far", {
          strikeType: "greater",
          floorStrike: 80,
          event: "KXHIGHNY-26SEP30",
          closeTime: Date.UTC(2026, 9, 1, 4, 59),
        }),
        high("near", { strikeType: "greater", floorStrike: 80 }),
      ]
      const { signals, warnings } = yield* (yield* PricingLanes).price(listed)
      assert.deepStrictEqual(
        signals.map(({ subject }) => show(subject)),
        ["KNYC/2026-09-12"],
      )
      assert.strictEqual(warnings.length, 1)
      assert.match(warnings[0]!, /^KNYC\/2026-09-30: /)
    }).pipe(Effect.provide(over)),
  )
})
