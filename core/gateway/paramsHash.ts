import * as Exit from "effect/Exit"
import type { PlatformCrypto } from "../account/PlatformCrypto.ts"
import type { Decoded } from "../endpoint/decode.ts"
import type * as Endpoint from "../endpoint/Endpoint.ts"
import * as Step from "../Step.ts"

/** SHA-256 of a call, which identifies it without its parameters: for audit trail and idempotency. */
export const make = (secrets: PlatformCrypto["Type"]) => {
  /** The digests of decoded parameters, which are shared by calls with one query string. */
  const known = new WeakMap<Decoded, string>()
  return (endpoint: Endpoint.Any, decoded: Decoded): Step.Step<string> => {
    const before = known.get(decoded)
    if (before !== undefined) return Exit.succeed(before)
    const { params, options } = decoded
    return Step.andThen(secrets.sha256(JSON.stringify([endpoint.id, params, options])), (found) => {
      known.set(decoded, found)
      return Exit.succeed(found)
    })
  }
}
