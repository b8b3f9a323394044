import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as mock from "../../adapters/lanes/crypto/mock/tape.ts"
import * as candles from "../../adapters/lanes/crypto/store/Candles.ts"
import { assets } from "../../core/lanes/crypto/fields.ts"
import { CandleStore } from "../../core/lanes/crypto/ports.ts"

const minute = 60_000

/** Fills a store's tapes with generated candles of the last week up to now: what a live crypto lane reads. */
export const fillTapes = (hours = 7 * 24) =>
  Effect.gen(function* () {
    const { append } = yield* CandleStore
    const running = Math.floor((yield* Clock.currentTimeMillis) / minute)
    const from = running - hours * 60
    for (const asset of assets) {
      const rows = Array.from(mock.closes(asset, from, running), (close, at) => ({
        ...{ high: close, low: close, close, volume: 1 },
        minute: from + at,
      }))
      yield* append(asset, "coinbase", rows)
    }
  }).pipe(Effect.provide(candles.layerStore))
