import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"

/** Who signs checkpoints, as everybody may know it. */
export interface VerifierKey {
  /** The log's origin: a URL without its scheme, such as `example.com/record`. */
  readonly name: string
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array
}

/** The key cannot be had. Says what an operator can do about it, and nothing of the key. */
export class SignerError extends Data.TaggedError("SignerError")<{
  readonly message: string
  readonly cause?: unknown
}> {}

/** Signs checkpoints with a key that nobody else can read. */
export class Signer extends Context.Tag("core/record/Signer")<
  Signer,
  {
    readonly key: Effect.Effect<VerifierKey, SignerError>
    /** Ed25519 (RFC 8032), 64 bytes. */
    readonly sign: (message: Uint8Array) => Effect.Effect<Uint8Array, SignerError>
  }
>() {}
