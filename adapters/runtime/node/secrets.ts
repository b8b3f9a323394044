import crypto, { createHash, createHmac, randomBytes } from "node:crypto"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { PlatformCrypto } from "../../../core/account/PlatformCrypto.ts"
import * as Step from "../../../core/Step.ts"

/** Hex. `crypto.hash` takes half the time of a hash object; Node has it from 20.12 on. */
export const sha256: (text: string) => string =
  crypto.hash === undefined
    ? (text) => createHash("sha256").update(text).digest("hex")
    : (text) => crypto.hash("sha256", text)

/** OpenSSL through node:crypto, which Deno and Bun support too. */
export const layer: Layer.Layer<PlatformCrypto> = Layer.succeed(PlatformCrypto, {
  randomBytes: Step.methodSync((length: number) => randomBytes(length)),
  // Values of their arguments alone, so that they may be computed at once.
  sha256: (text) => Exit.succeed(sha256(text)),
  hmacSha256: (key, text) => Exit.succeed(createHmac("sha256", key).update(text).digest()),
})
