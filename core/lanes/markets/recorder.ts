import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { PlatformCrypto } from "../../account/PlatformCrypto.ts"
import type { Recordable } from "../../call/Recordable.ts"
import * as Subject from "../../call/Subject.ts"
import { millionths, type Priced } from "../../contracts/Contract.ts"
import type { ContractPricing } from "../../contracts/ContractPricing.ts"
import type { Failure } from "../../Failure.ts"
import { type Bought, capturing } from "../../record/captures/Captures.ts"
import { Recorder } from "../../record/captures/Recorder.ts"
import type { RecordInputs } from "../../record/captures/RecordInputs.ts"
import type { SyncSha256 } from "../../record/log/SyncSha256.ts"
import * as Step from "../../Step.ts"
import { ageMs, maxQuoteAgeMs } from "./books.ts"
import { ContractStore, Scoreboard } from "./ports.ts"
import { toRecordedQuote } from "./rounds.ts"

/** The contract with the price of a signal; empty if the quote is too old or the signal gives no price. */
const priceContract = (
  record: Recordable<unknown>,
  output: unknown,
  contract: Priced,
  pricing: ContractPricing | undefined,
): ReadonlyArray<Priced> => {
  const { at, modelVersion } = record
  // An old quote is not the market price at the time of the signal.
  if (!(at < contract.closeTime && ageMs(contract.quotedAt, at) < maxQuoteAgeMs)) return []
  const probability = pricing?.probability(contract, output)
  const model = probability === undefined ? undefined : millionths(probability)
  return model === undefined ? [] : [{ ...contract, model, modelVersion }]
}

type RecorderServices = SyncSha256 | RecordInputs | PlatformCrypto

type About = (record: Recordable<unknown>) => Effect.Effect<ReadonlyArray<Priced>, Failure>

/** @param lookUp finds the priced open contracts about a signal's subject */
const make = <R>(
  pricings: ReadonlyArray<ContractPricing>,
  lookUp: Effect.Effect<About, never, R>,
): Layer.Layer<Recorder, never, RecorderServices | R> => {
  const byLane = new Map(pricings.map((pricing) => [pricing.lane, pricing]))
  return Layer.effect(
    Recorder,
    Effect.zipWith(capturing, lookUp, (capture, about) => ({
      capture: Step.method(function* (record: Recordable<unknown>, bought: Bought) {
        // A signal at or after the close is not a prediction.
        if (record.at >= record.closeTime) return undefined
        const pricing = byLane.get(record.lane)
        const isScored = pricing?.scoresCalls !== false
        const open = yield* about(record)
        const output = open.length === 0 ? undefined : record.output()
        const contracts = open.flatMap((contract) => priceContract(record, output, contract, pricing))
        // Without contracts, only signals whose calls are not scored, and lines that are scored on finals, are recorded.
        if (contracts.length === 0 && isScored && record.market === undefined) return undefined
        const scored = isScored ? contracts : []
        return yield* capture(record, { kind: "on_demand", bought }, scored, contracts.map(toRecordedQuote))
      }),
    })),
  )
}

/** Records signals of live keys, with the quotes of the open contracts on their subject. */
export const layer = (
  pricings: ReadonlyArray<ContractPricing>,
): Layer.Layer<Recorder, never, RecorderServices | ContractStore | Scoreboard> =>
  make(
    pricings,
    Effect.zipWith(
      ContractStore,
      Scoreboard,
      ({ about }, { weights }): About =>
        ({ lane, subject }) =>
          Effect.flatMap(about(lane, Subject.show(subject)), (open) =>
            open.length === 0
              ? Effect.succeed(open)
              : Effect.map(weights, (published) =>
                  open.map((one) => ({ ...one, poolWeight: published.weights[one.domain].weight })),
                ),
          ),
    ),
  )

/** Records signals of live keys if no venues are followed. */
export const layerAlone = (pricings: ReadonlyArray<ContractPricing>): Layer.Layer<Recorder, never, RecorderServices> =>
  make(
    pricings,
    Effect.succeed(() => Effect.succeed([])),
  )
