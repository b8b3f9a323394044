import { createHash } from "node:crypto"
import * as Layer from "effect/Layer"
import { Hasher } from "../../core/record/log/Hasher.ts"

/** OpenSSL through node:crypto, which Deno and Bun support too. */
export const layer: Layer.Layer<Hasher> = Layer.succeed(Hasher, {
  sha256: (bytes) => createHash("sha256").update(bytes).digest(),
})
