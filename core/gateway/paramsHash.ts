import * as Effect from "effect/Effect"
import type { PlatformCrypto } from "../account/PlatformCrypto.ts"
import type { Decoded } from "../endpoint/decode.ts"
import type * as Endpoint from "../endpoint/Endpoint.ts"

/** Most cached digests; with `longest`, at most 0.5 MB. */
const maxEntries = 1_000
const longest = 512

/** SHA-256 of a call, which identifies it without its parameters: for audit trail and idempotency. */
export const make = (secrets: PlatformCrypto["Type"]) => {
  /** Cached digests, since agents repeat the same few calls. */
  const known = new Map<string, string>()
  return (endpoint: Endpoint.Any, { params, options }: Decoded): Effect.Effect<string> => {
    const text = JSON.stringify([endpoint.id, params, options])
    const before = known.get(text)
    if (before !== undefined) return Effect.succeed(before)
    return Effect.tap(secrets.sha256(text), (found) =>
      Effect.sync(() => {
        if (known.size >= maxEntries) known.clear()
        if (text.length <= longest) known.set(text, found)
      }),
    )
  }
}
