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
    /** The key; the first use makes it where there is none. */
    readonly key: Effect.Effect<VerifierKey, SignerError>
    /** The same, but none is made: undefined where there is none. */
    readonly existing: Effect.Effect<VerifierKey | undefined, SignerError>
    /** Ed25519 (RFC 8032), 64 bytes. */
    readonly sign: (message: Uint8Array) => Effect.Effect<Uint8Array, SignerError>
    /** Whether the operator has said that a record which was signed with another key may go on with this one. */
    readonly mayReplace: boolean
  }
>() {}
