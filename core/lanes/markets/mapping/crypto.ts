import type { Asset } from "../../crypto/endpoints.ts"
import type { Contract } from "../contract.ts"
import type { Mapping } from "./Mapping.ts"
import { pays } from "./strikes.ts"

/** The signal's probabilities above strikes. */
export interface CryptoOutput {
  readonly p_above: ReadonlyArray<{ readonly strike: number; readonly p_above: number }>
}

/** Series on a price at an instant, one strike or a range, by venue. */
export const series = {
  kalshi: { KXBTCD: "BTC", KXBTC: "BTC", KXETHD: "ETH", KXETH: "ETH" },
  polymarket: { "btc-multi-strikes-weekly": "BTC", "ethereum-multi-strikes-weekly": "ETH" },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Asset>>>>

const bySeries: ReadonlyMap<string, Asset> = new Map(Object.values(series).flatMap((known) => Object.entries(known)))

const minute = 60_000
/** Horizons that the model serves, minutes. */
const [nearest, farthest] = [5, 1440]

/** The strikes that a contract hangs on. */
export const strikesIn = ({ floorStrike, capStrike }: Contract): ReadonlyArray<number> =>
  [floorStrike, capStrike].flatMap((strike) => (strike === undefined || !(strike > 0) ? [] : [strike]))

/** A price is continuous: strict or not is the same for its probability. What it turned out to be is a number of cents. */
export const crypto: Mapping<{ readonly asset: Asset; readonly horizon_minutes: number }, CryptoOutput, number> = {
  domain: "crypto",
  lane: "crypto",
  endpoint: "crypto_signal",
  ask: ({ series, closeTime }, now) => {
    const asset = bySeries.get(series)
    const horizon = Math.round((closeTime - now) / minute)
    if (asset === undefined || horizon < nearest || horizon > farthest) return undefined
    return {
      subject: `${asset}/${new Date(closeTime).toISOString()}`,
      instrument: asset,
      params: { asset, horizon_minutes: horizon },
    }
  },
  probability: ({ strikeType, floorStrike, capStrike }, { p_above }) => {
    const above = (strike: number | undefined) => p_above.find((told) => told.strike === strike)?.p_above
    const [floor, cap] = [above(floorStrike), above(capStrike)]
    switch (strikeType) {
      case "greater":
      case "greater_or_equal":
        return floor
      case "less":
      case "less_or_equal":
        return cap === undefined ? undefined : 1 - cap
      case "between":
        return floor === undefined || cap === undefined ? undefined : floor - cap
      default:
        return undefined
    }
  },
  happened: (contract, price) => (bySeries.has(contract.series) ? pays(contract, price) : undefined),
}
