import * as Layer from "effect/Layer"
import type { ContractPricing } from "../../contracts/ContractPricing.ts"
import { SignalCalls } from "./ports.ts"

/** The calls of the lanes' signals, by the lane that prices a contract. */
export const layer = (pricings: ReadonlyArray<ContractPricing>): Layer.Layer<SignalCalls> => {
  const byLane = new Map(pricings.map((pricing) => [pricing.lane, pricing]))
  return Layer.succeed(SignalCalls, { of: (contract, now) => byLane.get(contract.lane)?.call(contract, now) })
}
