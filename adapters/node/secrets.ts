import { createHash, createHmac, randomBytes } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { PlatformCrypto } from "../../core/account/PlatformCrypto.ts"

/** OpenSSL through node:crypto, which Deno and Bun support too. */
export const layer: Layer.Layer<PlatformCrypto> = Layer.succeed(PlatformCrypto, {
  randomBytes: (length) => Effect.sync(() => randomBytes(length)),
  sha256: (text) => Effect.sync(() => createHash("sha256").update(text).digest("hex")),
  hmacSha256: (key, text) => Effect.sync(() => createHmac("sha256", key).update(text).digest()),
})
