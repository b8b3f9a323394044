import type * as Layer from "effect/Layer"
import type * as Watch from "../alerts/Watch.ts"
import type { ContractPricing } from "../contracts/ContractPricing.ts"
import type * as Lane from "../endpoint/Lane.ts"
import type { Recompute } from "../record/captures/recompute.ts"

/** A lane of this library: its endpoints, the service over its ports, and how its signals are recomputed and priced. */
export interface Definition<L extends Lane.Any, R, Pricer = never, Source = never> {
  readonly lane: L
  /** The service over the lane's ports. */
  readonly layer: Layer.Layer<Lane.Tags<L>, never, R>
  /** Recomputes recorded signals from their inputs, by endpoint id. */
  readonly recomputations: Readonly<Record<string, Recompute>>
  /** Prices and settles venue contracts; absent for a lane whose signals price none. */
  readonly pricing?: ContractPricing<Pricer, Source>
  /** What alerts can be set on; absent for a lane with nothing to watch. */
  readonly watches?: ReadonlyArray<Watch.Any>
}
