import * as Effect from "effect/Effect"
import type { PlatformCrypto } from "../../account/PlatformCrypto.ts"
import { requireRecord } from "../../contracts/ContractPricing.ts"
import type { Failure } from "../../Failure.ts"
import { Captures, captureSignal } from "../../record/captures/Captures.ts"
import type { RecordInputs } from "../../record/captures/RecordInputs.ts"
import type { SyncSha256 } from "../../record/log/SyncSha256.ts"
import { Crypto } from "./Crypto.ts"
import { type Asset, assets } from "./fields.ts"

/** The horizon of the captured signals, minutes. */
export const captureHorizon = 60

/**
 * Captures one signal per asset for an hourly slot, with its inputs; these signals are scored, 24 a day and asset. A slot
 * is stored once, however often it is captured. If one asset fails, the capture of the other is stored before it fails.
 *
 * @param slot epoch milliseconds
 * @returns the number of new captures
 */
export const captureSignals = (
  slot: number,
): Effect.Effect<number, Failure, Captures | Crypto | SyncSha256 | RecordInputs | PlatformCrypto> =>
  Effect.gen(function* () {
    const captures = yield* Captures
    const { signal } = yield* Crypto
    const [failures, fresh] = yield* Effect.partition(assets, (asset: Asset) =>
      Effect.flatMap(Effect.flatMap(signal({ asset, horizon_minutes: captureHorizon }), requireRecord), ([, record]) =>
        captureSignal(
          record,
          { kind: "scheduled", slot, subject: { _tag: "AssetAhead", asset, horizonMinutes: captureHorizon } },
          [],
          [],
        ),
      ),
    )
    const stored = yield* captures.append(fresh)
    const [failure] = failures
    return failure === undefined ? stored.length : yield* failure
  })
