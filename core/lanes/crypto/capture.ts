import * as Effect from "effect/Effect"
import type { PlatformCrypto } from "../../account/PlatformCrypto.ts"
import { requireRecord } from "../../contracts/ContractPricing.ts"
import type { Failure } from "../../Failure.ts"
import { Captures, captured } from "../../record/captures/Captures.ts"
import type { RecordInputs } from "../../record/captures/RecordInputs.ts"
import type { SyncSha256 } from "../../record/log/SyncSha256.ts"
import { Crypto } from "./Crypto.ts"
import { type Asset, assets } from "./fields.ts"

/** Minutes ahead of the captured signals. */
export const horizon = 60

/**
 * Captures one signal per asset for an hourly slot, with its inputs; these signals are scored, 24 a day and asset. A slot
 * is stored once, however often it is captured. A failed asset does not affect the other: its failure is raised after the
 * other's capture is stored.
 *
 * @param slot epoch milliseconds
 * @returns number of new captures
 */
export const captureSignals = (
  slot: number,
): Effect.Effect<number, Failure, Captures | Crypto | SyncSha256 | RecordInputs | PlatformCrypto> =>
  Effect.gen(function* () {
    const captures = yield* Captures
    const { signal } = yield* Crypto
    const [failures, fresh] = yield* Effect.partition(assets, (asset: Asset) =>
      Effect.flatMap(Effect.flatMap(signal({ asset, horizon_minutes: horizon }), requireRecord), ([, record]) =>
        captured(
          record,
          { kind: "scheduled", slot, subject: { _tag: "AssetAhead", asset, horizonMinutes: horizon } },
          [],
          [],
        ),
      ),
    )
    const stored = yield* captures.append(fresh)
    const [failure] = failures
    return failure === undefined ? stored.length : yield* failure
  })
