import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type Failure, fail } from "../../Failure.ts"
import { canonical } from "../log/canonical.ts"
import type { Leaf } from "../log/leaf.ts"
import { find, type RecordLog } from "../log/RecordLog.ts"
import { RecordInputs } from "./RecordInputs.ts"

type JsonObject = Readonly<Record<string, unknown>>

/**
 * Computes the output of a recorded signal again, from what was kept of it and nothing else: no clock but the recorded
 * one, no upstream, no tape that has grown since.
 *
 * @param params those of the signal
 * @param inputs the value that its `inputs_hash` names
 * @param kind of the leaf: what is recorded of one answer as a prediction and as a capture need not be the same
 */
export type Recompute = (
  params: unknown,
  inputs: unknown,
  kind: Leaf["kind"],
) => Effect.Effect<unknown, Failure, RecordInputs>

export interface Replayed {
  readonly position: number
  readonly id: string
  readonly endpoint: string
  /** Whether both outputs are the same bytes. */
  readonly equal: boolean
  /** Canonical JSON. */
  readonly recorded: string
  readonly recomputed: string
}

const absent = (detail: string): Failure => fail("not_found", { detail })

/**
 * Recomputes a recorded signal.
 *
 * @param id of a leaf, its hash or its position
 * @param recomputations by endpoint id
 */
export const replay = (
  id: string,
  recomputations: ReadonlyMap<string, Recompute>,
): Effect.Effect<Replayed, Failure, RecordInputs | RecordLog> =>
  Effect.gen(function* () {
    const inputs = yield* RecordInputs
    const entry = yield* find(id)
    if (entry === undefined) return yield* absent(`No leaf ${id} is recorded.`)
    const { body, kind } = JSON.parse(entry.text) as { readonly body: JsonObject; readonly kind: Leaf["kind"] }
    const { endpoint, params, output, inputs_hash } = body
    const recompute = recomputations.get(String(endpoint))
    if (recompute === undefined) return yield* absent(`${String(endpoint ?? "This leaf")} cannot be computed again.`)
    const kept = yield* inputs.get(String(inputs_hash))
    if (kept === undefined) return yield* absent(`What ${entry.id} was computed from was not kept.`)
    const recorded = canonical(output)
    const recomputed = canonical(yield* recompute(params, kept, kind))
    return {
      position: entry.position,
      id: entry.id,
      endpoint: String(endpoint),
      equal: recorded === recomputed,
      recorded,
      recomputed,
    }
  })

/** Runs an effect at an instant, epoch milliseconds, at which its clock stands. */
export const standingAt =
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
