import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Either from "effect/Either"
import type * as Redacted from "effect/Redacted"

/** A secret cannot be sealed or opened. The message tells an operator the remedy and contains no key or secret. */
export class SecretBoxError extends Data.TaggedError("SecretBoxError")<{
  /** `missing`: no key. `unusable`: its file holds no valid key. `other_key`: sealed with another key, or damaged. */
  readonly reason: "missing" | "unusable" | "other_key"
  readonly message: string
}> {}

/**
 * Encrypts secrets that must be read again, such as webhook signing secrets, so that the store alone does not reveal
 * them. Synchronous, so that a store can open one inside a transaction.
 *
 * `place` names the owner of a secret. It is authenticated: a sealed text does not open under another place.
 */
export class SecretBox extends Context.Tag("market-signals/core/account/SecretBox")<
  SecretBox,
  {
    /**
     * Whether secrets can be sealed now; the first use creates the key if there is none.
     *
     * @param sealedBefore whether sealed secrets exist: a missing key is not replaced then
     */
    readonly ready: (sealedBefore: boolean) => Either.Either<void, SecretBoxError>
    /** Whether the operator allows a new key in place of a missing one. */
    readonly mayReplace: boolean
    readonly seal: (place: string, secret: Redacted.Redacted) => Either.Either<string, SecretBoxError>
    readonly open: (place: string, sealed: string) => Either.Either<Redacted.Redacted, SecretBoxError>
  }
>() {}

/** Prefix and format version of every sealed text. */
export const sealedPrefix = "sealed1."

export const isSealed = (text: string): boolean => text.startsWith(sealedPrefix)
