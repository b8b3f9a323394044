import * as Effect from "effect/Effect"
import { Secrets } from "../../account/Secrets.ts"
import * as Ulid from "../../account/Ulid.ts"
import type { Failure } from "../../endpoint/Failure.ts"
import { Captures } from "../../record/Captures.ts"
import { Crypto } from "./Crypto.ts"
import { type Asset, assets, endpoints } from "./endpoints.ts"

const horizon = 60

/**
 * Takes one signal per asset for an hour's slot through the capture port: what is scored, 24 a day and asset. A slot is
 * kept once, however often it is taken. An asset without a signal does not cost the other its capture; the failure is
 * told when that is stored.
 *
 * @param slot epoch milliseconds
 * @returns how many were new
 */
export const captureSignals = (slot: number): Effect.Effect<number, Failure, Captures | Crypto | Secrets> =>
  Effect.gen(function* () {
    const captures = yield* Captures
    const { signal } = yield* Crypto
    const secrets = yield* Secrets
    const [failures, taken] = yield* Effect.partition(assets, (asset: Asset) =>
      Effect.gen(function* () {
        const params = { asset, horizon_minutes: horizon }
        const { results } = yield* signal(params)
        const { spot, sigma_ln, p_above, model_version = "", tape } = results
        return {
          id: Ulid.encode(slot, yield* secrets.randomBytes(10)),
          lane: Crypto.lane.name,
          endpoint: endpoints.signal.id,
          subject: `${asset}/${horizon}`,
          modelVersion: model_version,
          kind: "scheduled" as const,
          at: slot,
          params,
          output: { spot, sigma_ln, p_above },
          quotes: [],
          inputsHash: yield* secrets.sha256(JSON.stringify([model_version, params, spot, sigma_ln, tape])),
        }
      }),
    )
    const stored = yield* captures.take(taken)
    const [failure] = failures
    return failure === undefined ? stored : yield* failure
  })
