import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { layerScoreboard } from "../../adapters/store/record/Settled.ts"
import { Scoreboard } from "../../core/lanes/markets/ports.ts"
import { xoshiro128 } from "../../core/math/xoshiro128.ts"
import { domains, type SettledMarket } from "../../core/record/scoreboard/Settled.ts"

const close = Date.UTC(2026, 6, 9, 18)

/** A settled contract as a test wants it. */
export const settledRow = (changes: Partial<SettledMarket> = {}): SettledMarket => ({
  domain: "weather",
  venue: "kalshi",
  series: "KXHIGHNY",
  ticker: "KXHIGHNY-26JUL09-B84.5",
  event: "KXHIGHNY-26JUL09",
  title: "High in New York: 84 to 85 °F",
  instrument: "KNYC",
  strikeType: "between",
  floorStrike: 84,
  capStrike: 85,
  quotes: { yesBid: 3_000, yesAsk: 3_200, noAsk: 7_000 },
  model: 420_000,
  modelVersion: "normal-1",
  poolWeight: 0,
  captureId: "01J2ABCDEFGHJKMNPQRSTVWXYZ",
  capturedAt: close - 3_600_000,
  closeTime: close,
  settledAt: close + 60_000,
  result: "yes",
  sourceResult: "yes",
  feeRate: 700,
  anchored: true,
  basis: { modelSource: "climate report", venueSource: "weather index", same: false },
  flags: [],
  ...changes,
})

/**
 * Rows of every kind by chance, the same for the same seed: several to an event, some voided, without a quote, without a
 * fee, unanchored, with another outcome by the model's own source, many closing together.
 */
export const settledRows = (count: number, seed: number): ReadonlyArray<SettledMarket> => {
  const generator = xoshiro128(seed)
  const one = (chance: number): boolean => generator.integer(1_000) < chance * 1_000
  const rows: Array<SettledMarket> = []
  while (rows.length < count) {
    const event = rows.length
    const domain = domains[generator.integer(4)]!
    // Of a hundred days, so that there are clusters enough in each domain.
    const closeTime = close - generator.integer(40) * 61 * 3_600_000
    const capturedAt = closeTime - 1 - generator.integer(40 * 3_600_000)
    const strikes = 1 + generator.integer(6)
    for (let strike = 0; strike < strikes && rows.length < count; strike++) {
      const yesBid = 1 + generator.integer(9_900)
      const yesAsk = Math.min(9_999, yesBid + generator.integer(400))
      const yes = one(yesBid / 10_000)
      const {
        quotes: _,
        feeRate: __,
        sourceResult: ___,
        ...row
      } = settledRow({
        domain,
        event: `E${event}`,
        ticker: `E${event}-${strike}`,
        model: generator.integer(1_000_001),
        modelVersion: `m-${generator.integer(3)}`,
        poolWeight: 0.2 * (event % 3),
        captureId: `c${event}-${strike}`,
        closeTime,
        capturedAt,
        settledAt: closeTime + generator.integer(100_000),
        result: one(0.04) ? "void" : yes ? "yes" : "no",
        anchored: !one(0.1),
      })
      rows.push({
        ...row,
        ...(one(0.05) ? {} : { quotes: { yesBid, yesAsk, noAsk: 10_000 - yesBid } }),
        ...(one(0.1) ? {} : { feeRate: 700 }),
        ...(one(0.2) ? {} : { sourceResult: yes === one(0.97) ? "yes" : "no" }),
      })
    }
  }
  return rows
}

/** The scoreboard of all settled rows, as a start makes it. */
export const recomputed = Effect.flatMap(Scoreboard, ({ current }) => current).pipe(
  Effect.provide(Layer.fresh(layerScoreboard)),
)
