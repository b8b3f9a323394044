import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Secrets } from "../../account/Secrets.ts"
import * as Ulid from "../../account/Ulid.ts"
import type { Failure } from "../../endpoint/Failure.ts"
import { Captures } from "../../record/Captures.ts"
import type { RecordInputs } from "../../record/RecordInputs.ts"
import { overheard, Snapshots } from "../../record/Snapshots.ts"
import { Crypto } from "./Crypto.ts"
import { type Asset, assets } from "./endpoints.ts"
import type { Tape } from "./providers.ts"

const horizon = 60

/**
 * Takes one signal per asset for an hour's slot through the capture port: what is scored, 24 a day and asset, with what
 * it was computed from. A slot is kept once, however often it is taken. An asset without a signal does not cost the other
 * its capture; the failure is told when that is stored.
 *
 * @param slot epoch milliseconds
 * @returns how many were new
 */
export const captureSignals = (
  slot: number,
): Effect.Effect<number, Failure, Captures | RecordInputs | Secrets | Tape> =>
  Effect.gen(function* () {
    const captures = yield* Captures
    const secrets = yield* Secrets
    const { signal } = yield* Crypto
    const [failures, taken] = yield* Effect.partition(assets, (asset: Asset) =>
      Effect.gen(function* () {
        const [, [answered]] = yield* overheard(signal({ asset, horizon_minutes: horizon }))
        const { inputs, ...said } = answered!
        return {
          ...said,
          id: Ulid.encode(slot, yield* secrets.randomBytes(10)),
          subject: `${asset}/${horizon}`,
          kind: "scheduled" as const,
          at: slot,
          quotes: [],
          inputsHash: yield* inputs,
        }
      }),
    )
    const stored = yield* captures.take(taken)
    const [failure] = failures
    return failure === undefined ? stored : yield* failure
  }).pipe(Effect.provide(Layer.provide(Crypto.layerRecorded, Snapshots.layerOverheard)))
