import * as Layer from "effect/Layer"
import { captureHorizon } from "../../../../core/lanes/crypto/capture.ts"
import type { Asset } from "../../../../core/lanes/crypto/fields.ts"
import { CryptoLaws, Tape } from "../../../../core/lanes/crypto/ports.ts"
import * as Step from "../../../../core/Step.ts"
import { hour, minute } from "../../../../core/time.ts"
import { simulatedLaws } from "../../mock/laws.ts"
import * as cascade from "./cascade.ts"

const paths: Readonly<Record<Asset, { readonly base: number; readonly path: cascade.Path }>> = {
  BTC: { base: 65_000, path: cascade.make("BTC-USD") },
  ETH: { base: 3_200, path: cascade.make("ETH-USD") },
}

/** Closes in cents of the minutes [from, to) since the epoch: the same on every run. */
export const closes = (asset: Asset, from: number, to: number): Float64Array => {
  const { base, path } = paths[asset]
  return path.logs(from, to).map((log) => Math.round(base * Math.exp(log) * 100) / 100)
}

const joined = (a: Float64Array, b: Float64Array): Float64Array => {
  const out = new Float64Array(a.length + b.length)
  out.set(a)
  out.set(b, a.length)
  return out
}

/** A mock exchange with trades in every minute since 2020. Each minute is drawn once; earlier ones are cached. */
export const layerTape: Layer.Layer<Tape> = Layer.sync(Tape, () => {
  const cache = new Map<string, { readonly lastMinute: number; readonly closes: Float64Array }>()
  const upTo = (asset: Asset, minutes: number, lastMinute: number): Float64Array => {
    const key = `${asset}/${minutes}`
    const cached = cache.get(key)
    if (cached?.lastMinute === lastMinute) return cached.closes
    const behind = cached === undefined ? minutes : lastMinute - cached.lastMinute
    const next =
      cached === undefined || behind < 0 || behind >= minutes
        ? closes(asset, lastMinute + 1 - minutes, lastMinute + 1)
        : joined(cached.closes.subarray(behind), closes(asset, cached.lastMinute + 1, lastMinute + 1))
    cache.set(key, { lastMinute, closes: next })
    return next
  }
  return {
    freshness: "mock",
    window: (asset, minutes) =>
      Step.map(Step.now, (now) => {
        const lastMinute = Math.floor(now / minute) - 1
        return { closes: upTo(asset, minutes, lastMinute), lastMinute, source: "mock one-minute tape", flags: [] }
      }),
  }
})

export const layer: Layer.Layer<CryptoLaws | Tape> = Layer.merge(
  layerTape,
  Layer.succeed(CryptoLaws, simulatedLaws(6 * hour, [{ variable: "price", lead: captureHorizon, scale: 0.006 }])),
)
