import * as Effect from "effect/Effect"
import type { Secrets } from "../account/Secrets.ts"
import type { Decoded } from "../endpoint/decode.ts"
import type * as Endpoint from "../endpoint/Endpoint.ts"

/** At most half a megabyte of digests. */
const kept = 1_000
const longest = 512

/** Which call this is, without what it asked: for the audit trail and for idempotent replay. */
export const make = (secrets: Secrets["Type"]) => {
  /** Digests of calls that were seen; an agent asks the same few over and over. */
  const known = new Map<string, string>()
  return (endpoint: Endpoint.Any, { params, options }: Decoded): Effect.Effect<string> => {
    const text = JSON.stringify([endpoint.id, params, options])
    const before = known.get(text)
    if (before !== undefined) return Effect.succeed(before)
    return Effect.tap(secrets.sha256(text), (found) =>
      Effect.sync(() => {
        if (known.size >= kept) known.clear()
        if (text.length <= longest) known.set(text, found)
      }),
    )
  }
}
