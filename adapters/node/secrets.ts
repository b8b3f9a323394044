import { createHash, createHmac, randomBytes } from "node:crypto"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { PlatformCrypto } from "../../core/account/PlatformCrypto.ts"
import * as Step from "../../core/Step.ts"

/** OpenSSL through node:crypto, which Deno and Bun support too. */
export const layer: Layer.Layer<PlatformCrypto> = Layer.succeed(PlatformCrypto, {
  randomBytes: Step.methodSync((length: number) => randomBytes(length)),
  // Values of their arguments alone, so that they may be computed at once.
  sha256: (text) => Exit.succeed(createHash("sha256").update(text).digest("hex")),
  hmacSha256: (key, text) => Exit.succeed(createHmac("sha256", key).update(text).digest()),
})
