import crypto, { createHash, createHmac, randomBytes } from "node:crypto"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { PlatformCrypto } from "../../../core/account/PlatformCrypto.ts"
import * as Step from "../../../core/Step.ts"

/** The digest in hex. `crypto.hash`, from Node 20.12 on, takes half the time of a hash object. */
export const sha256: (text: string) => string =
  crypto.hash === undefined
    ? (text) => createHash("sha256").update(text).digest("hex")
    : (text) => crypto.hash("sha256", text)

/** OpenSSL through node:crypto, which Deno and Bun support too. */
export const layer: Layer.Layer<PlatformCrypto> = Layer.succeed(PlatformCrypto, {
  randomBytes: Step.methodSync((length: number) => randomBytes(length)),
  // Pure, so they are computed at once.
  sha256: (text) => Exit.succeed(sha256(text)),
  hmacSha256: (key, text) => Exit.succeed(createHmac("sha256", key).update(text).digest()),
})
