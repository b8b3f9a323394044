import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"

/** The public identity of the signer of checkpoints. */
export interface VerifierKey {
  /** The log's origin: a URL without its scheme, such as `example.com/record`. */
  readonly name: string
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array
}

/** The key is not available. The message tells an operator what to do and contains nothing of the key. */
export class SignerError extends Data.TaggedError("SignerError")<{
  readonly message: string
  readonly cause?: unknown
}> {}

/** Signs checkpoints with a private key. */
export class Signer extends Context.Tag("market-signals/core/record/Signer")<
  Signer,
  {
    /** The key; the first use creates it if there is none. */
    readonly key: Effect.Effect<VerifierKey, SignerError>
    /** The key, or undefined if there is none; creates none. */
    readonly existing: Effect.Effect<VerifierKey | undefined, SignerError>
    /** Ed25519 (RFC 8032), 64 bytes. */
    readonly sign: (message: Uint8Array) => Effect.Effect<Uint8Array, SignerError>
    /** Whether the operator allows this key to continue a record that another key signed. */
    readonly mayReplace: boolean
  }
>() {}
