import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { JsonObject } from "../../call/Recordable.ts"
import { type Failure, notFound } from "../../Failure.ts"
import { canonical } from "../log/canonical.ts"
import type { Leaf } from "../log/leaf.ts"
import { find, type RecordLog } from "../log/RecordLog.ts"
import { RecordInputs } from "./RecordInputs.ts"

/**
 * Recomputes the output of a recorded signal from its stored inputs alone, at the recorded time: without clock, upstreams or
 * newer data.
 *
 * @param params the signal's parameters
 * @param inputs the value stored under its `inputs_hash`
 * @param kind the leaf's kind: a prediction and a capture of the same answer may have different outputs
 * @param modelVersion the leaf's model version: after a change of the model a lane keeps what older records need
 */
export type Recompute = (
  params: unknown,
  inputs: unknown,
  kind: Leaf["kind"],
  modelVersion: string,
) => Effect.Effect<unknown, Failure, RecordInputs>

export interface Replayed {
  readonly position: number
  readonly id: string
  readonly endpoint: string
  /** Whether both outputs are equal, byte for byte. */
  readonly equal: boolean
  /** Canonical JSON. */
  readonly recorded: string
  readonly recomputed: string
}

/**
 * Recomputes a recorded signal.
 *
 * @param id a leaf's id, hash or position
 * @param recomputations by endpoint id
 */
export const recomputeLeaf = (
  id: string,
  recomputations: ReadonlyMap<string, Recompute>,
): Effect.Effect<Replayed, Failure, RecordInputs | RecordLog> =>
  Effect.gen(function* () {
    const inputs = yield* RecordInputs
    const entry = yield* find(id)
    if (entry === undefined) return yield* notFound(`No leaf ${id} is recorded.`)
    const { body, kind } = JSON.parse(entry.text) as { readonly body: JsonObject; readonly kind: Leaf["kind"] }
    const { endpoint, params, output, inputs_hash, model_version } = body
    const recompute = recomputations.get(String(endpoint))
    if (recompute === undefined) return yield* notFound(`${String(endpoint ?? "This leaf")} cannot be recomputed.`)
    const kept = yield* inputs.get(String(inputs_hash))
    if (kept === undefined) return yield* notFound(`The inputs of ${entry.id} are not stored.`)
    const recorded = canonical(output)
    const recomputed = canonical(yield* recompute(params, kept, kind, String(model_version)))
    return {
      position: entry.position,
      id: entry.id,
      endpoint: String(endpoint),
      equal: recorded === recomputed,
      recorded,
      recomputed,
    }
  })

/** Runs an effect with its clock stopped at an instant, epoch milliseconds. */
export const stopClockAt =
  (now: number) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.clockWith((clock) => {
      const nanos = BigInt(now) * 1_000_000n
      return Effect.withClock(effect, {
        [Clock.ClockTypeId]: Clock.ClockTypeId,
        unsafeCurrentTimeMillis: () => now,
        unsafeCurrentTimeNanos: () => nanos,
        currentTimeMillis: Effect.succeed(now),
        currentTimeNanos: Effect.succeed(nanos),
        sleep: (duration) => clock.sleep(duration),
      })
    })
