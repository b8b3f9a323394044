import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Either from "effect/Either"
import type * as Redacted from "effect/Redacted"

/** A secret cannot be sealed or opened. Says what an operator can do about it, and nothing of key or secret. */
export class SecretBoxError extends Data.TaggedError("SecretBoxError")<{
  /** `missing`: there is no key. `unusable`: its file is none. `other_key`: sealed with another key, or damaged. */
  readonly reason: "missing" | "unusable" | "other_key"
  readonly message: string
}> {}

/**
 * Keeps secrets that must be read again, such as those that sign webhooks, so that whoever has the store alone does not
 * have them. Synchronous, so that a store can open one inside a transaction.
 *
 * `place` says what a secret is of. It is sealed in: a text that was moved to another place does not open there.
 */
export class SecretBox extends Context.Tag("core/account/SecretBox")<
  SecretBox,
  {
    /**
     * Whether secrets can be sealed now; the first use makes the key where there is none.
     *
     * @param sealedBefore whether there are sealed secrets: then no key is made in place of the one that is gone
     */
    readonly ready: (sealedBefore: boolean) => Either.Either<void, SecretBoxError>
    /** Whether the operator has said that a key may be made in place of one that is gone. */
    readonly mayReplace: boolean
    readonly seal: (place: string, secret: Redacted.Redacted) => Either.Either<string, SecretBoxError>
    readonly open: (place: string, sealed: string) => Either.Either<Redacted.Redacted, SecretBoxError>
  }
>() {}

/** What every sealed text begins with: the form, so that a later one can be told from it. */
export const sealedPrefix = "sealed1."

export const isSealed = (text: string): boolean => text.startsWith(sealedPrefix)
