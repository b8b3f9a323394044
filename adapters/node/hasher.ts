import { createHash } from "node:crypto"
import * as Layer from "effect/Layer"
import { Hasher } from "../../core/record/log/Hasher.ts"

/** OpenSSL through node:crypto. Also what Deno and Bun bring. */
export const layer: Layer.Layer<Hasher> = Layer.succeed(Hasher, {
  sha256: (bytes) => createHash("sha256").update(bytes).digest(),
})
