import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** The platform's cryptography: `effect/Random` is reproducible by design and must not make keys. */
export class PlatformCrypto extends Context.Tag("market-signals/core/account/PlatformCrypto")<
  PlatformCrypto,
  {
    readonly randomBytes: (length: number) => Effect.Effect<Uint8Array>
    /** Lowercase hex digest of the UTF-8 bytes. */
    readonly sha256: (text: string) => Effect.Effect<string>
    /** HMAC-SHA256 of the UTF-8 bytes under a key. */
    readonly hmacSha256: (key: Uint8Array, text: string) => Effect.Effect<Uint8Array>
  }
>() {}
