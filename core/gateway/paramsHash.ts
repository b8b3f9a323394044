import * as Exit from "effect/Exit"
import type { PlatformCrypto } from "../account/PlatformCrypto.ts"
import type { Decoded } from "../endpoint/decode.ts"
import type * as Endpoint from "../endpoint/Endpoint.ts"
import * as Step from "../Step.ts"

/** SHA-256 of a call, which identifies it without its parameters: for audit trail and idempotency. */
export const make =
  (secrets: PlatformCrypto["Type"]) =>
  (endpoint: Endpoint.Any, decoded: Decoded): Step.Step<string> => {
    const { paramsHash, params, options } = decoded
    if (paramsHash !== undefined) return Exit.succeed(paramsHash)
    return Step.andThen(secrets.sha256(JSON.stringify([endpoint.id, params, options])), (found) => {
      decoded.paramsHash = found
      return Exit.succeed(found)
    })
  }
