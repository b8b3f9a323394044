import * as Effect from "effect/Effect"
import { Secrets } from "../../account/Secrets.ts"
import * as Ulid from "../../account/Ulid.ts"
import type { Failure } from "../../endpoint/Failure.ts"
import { Captures } from "../../record/Captures.ts"
import type { RecordInputs } from "../../record/RecordInputs.ts"
import { Crypto } from "./Crypto.ts"
import { type Asset, assets, endpoints } from "./endpoints.ts"
import type { Tape } from "./providers.ts"
import { recordedSignal } from "./replay.ts"

const horizon = 60

/**
 * Takes one signal per asset for an hour's slot through the capture port: what is scored, 24 a day and asset, with what
 * it was computed from. A slot is kept once, however often it is taken. An asset without a signal does not cost the other its capture; the failure is
 * told when that is stored.
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
    const [failures, taken] = yield* Effect.partition(assets, (asset: Asset) =>
      Effect.gen(function* () {
        const params = { asset, horizon_minutes: horizon }
        const { output, modelVersion, inputsHash } = yield* recordedSignal(params)
        return {
          id: Ulid.encode(slot, yield* secrets.randomBytes(10)),
          lane: Crypto.lane.name,
          endpoint: endpoints.signal.id,
          subject: `${asset}/${horizon}`,
          modelVersion,
          kind: "scheduled" as const,
          at: slot,
          params,
          output,
          quotes: [],
          inputsHash,
        }
      }),
    )
    const stored = yield* captures.take(taken)
    const [failure] = failures
    return failure === undefined ? stored : yield* failure
  })
