import * as Effect from "effect/Effect"
import type { Contract } from "../../contracts/Contract.ts"
import * as ContractPricing from "../../contracts/ContractPricing.ts"
import { pays } from "../../contracts/strikes.ts"
import { minute } from "../../time.ts"
import * as Lane from "../Lane.ts"
import { signal } from "./endpoints.ts"
import { signalMinutes } from "./facts.ts"
import type { Asset, Signal } from "./fields.ts"
import { floorToMinute } from "./inputs.ts"
import { Tape } from "./ports.ts"

/** The venues' series on the price at an instant, with one strike or a range. */
export const venueSeries = {
  kalshi: { KXBTCD: "BTC", KXBTC: "BTC", KXETHD: "ETH", KXETH: "ETH" },
  polymarket: { "btc-multi-strikes-weekly": "BTC", "ethereum-multi-strikes-weekly": "ETH" },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Asset>>>>

const bySeries: ReadonlyMap<string, Asset> = new Map(
  Object.values(venueSeries).flatMap((assets) => Object.entries(assets)),
)

/** The end of the minute whose close decides: for a close at noon, Polymarket counts the candle that begins at noon. */
const toSettlementTime = ({ series: name, closeTime }: Pick<Contract, "series" | "closeTime">): number =>
  name in venueSeries.polymarket ? closeTime + minute : closeTime

const [minHorizon, maxHorizon] = [5, 1440]

/** Minutes to a close, counted from the full minute as the models do; undefined if that is no horizon of theirs. */
const toHorizon = (closeTime: number, now: number): number | undefined => {
  const minutes = Math.round((closeTime - floorToMinute(now)) / minute)
  return minutes < minHorizon || minutes > maxHorizon ? undefined : minutes
}

export const listStrikes = ({ floorStrike, capStrike }: Contract): ReadonlyArray<number> =>
  [floorStrike, capStrike].flatMap((strike) => (strike === undefined || !(strike > 0) ? [] : [strike]))

/** A price is continuous, so strict and non-strict bounds have the same probability; the settled value is in whole cents. */
export const cryptoMapping: ContractPricing.Mapping<
  { readonly asset: Asset; readonly horizon_minutes: number },
  Pick<Signal, "p_above">,
  number
> = {
  domain: "crypto",
  lane: "crypto",
  endpoint: signal,
  sources: /cf benchmarks|\b[be]rti\b|binance|one-minute tape/i,
  toSignalRequest: (contract, now) => {
    const asset = bySeries.get(contract.series)
    const settlesAt = toSettlementTime(contract)
    const horizon = toHorizon(settlesAt, now)
    return asset === undefined || horizon === undefined
      ? undefined
      : {
          subject: { _tag: "AssetAt", asset, at: settlesAt },
          instrument: asset,
          params: { asset, horizon_minutes: horizon },
        }
  },
  toCallParts: (contract, now) => {
    const { instrument: asset } = contract
    const horizon = toHorizon(toSettlementTime(contract), now)
    if (horizon === undefined) return undefined
    const subject = { asset, horizon_minutes: horizon }
    return { id: asset, subject, params: subject, contractParams: { strikes: listStrikes(contract) } }
  },
  probability: ({ strikeType, floorStrike, capStrike }, { p_above }) => {
    const above = (strike: number | undefined) => p_above.find((row) => row.strike === strike)?.p_above
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
  isYes: (contract, price) => (bySeries.has(contract.series) ? pays(contract, price) : undefined),
}

const Crypto = Lane.service("crypto", { signal })

/** Prices contracts by the distribution of the price at their close, and settles them by the tape. */
export const pricing: ContractPricing.ContractPricing<Lane.Id<"crypto">, Tape> = ContractPricing.make({
  mapping: cryptoMapping,
  series: { kalshi: Object.keys(venueSeries.kalshi), polymarket: Object.keys(venueSeries.polymarket) },
  // Only the hourly captures are scored: calls have strikes and horizons of their own and are recorded without a score.
  scoresCalls: false,
  // An exchange may revise a candle.
  isRevisable: true,
  askSignal: (params, contracts) =>
    Effect.gen(function* () {
      const lane = yield* Crypto
      const strikes = [...new Set(contracts.flatMap(listStrikes))]
      const [results, record] = yield* Effect.flatMap(
        lane.signal({ ...params, strikes }),
        ContractPricing.requireRecord,
      )
      const modelSource = results.settlement_basis?.model_source ?? ""
      return {
        record,
        modelSource,
        // Venues settle on an index or another exchange, unless they name the exchange of this tape.
        isSame: ({ settlesOn }) => settlesOn === modelSource,
        flags: results.quality_flags ?? [],
      }
    }),
  // The close of the minute that ends at the instant, as in `p_above`.
  readValue: (subject) =>
    subject._tag !== "AssetAt"
      ? Effect.succeed(undefined)
      : Effect.map(
          // The same window as a signal's, which is cached.
          Effect.flatMap(Tape, ({ window }) => window(subject.asset as Asset, signalMinutes)),
          (tape) => {
            const wanted = Math.round(subject.at / minute) - 1
            const close = tape?.closes[tape.closes.length - 1 - (tape.lastMinute - wanted)]
            return close === undefined || Number.isNaN(close) ? undefined : close
          },
        ),
})
