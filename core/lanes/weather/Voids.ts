import type * as Effect from "effect/Effect"
import * as Port from "../../endpoint/Port.ts"
import type { Failure } from "../../Failure.ts"

/** What can be voided. */
export const voidable = ["climate_report", "venue_reading"] as const

/** A stored value of a source, and why an operator voids it. */
export interface Void {
  readonly source: (typeof voidable)[number]
  readonly station: string
  readonly day: string
  /** A report's product id, or a reading's revision. */
  readonly version: string
  readonly reason: string
}

/** Write port: append-only. What is voided stays stored, and no answer or settlement reads it any more. */
export const Voids = Port.plain("weather/Voids")<{
  /**
   * Voids a stored value. Fails with `not_found` where it is not stored, or voided already.
   *
   * @returns the number of settled contracts that it may have decided: they are settled again
   */
  readonly append: (one: Void) => Effect.Effect<number, Failure>
}>()
export type Voids = typeof Voids.Identifier
