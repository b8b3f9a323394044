import type * as Redacted from "effect/Redacted"
import type { KeyRecord } from "./AccountStore.ts"
import type * as ApiKey from "./ApiKey.ts"
import type * as Tier from "./Tier.ts"

export interface KeyRequest {
  readonly account: string
  readonly environment: ApiKey.Environment
  /** The account's when not given. */
  readonly tier?: Tier.Tier
  /** Calls per minute of an enterprise key. */
  readonly rpm?: number
  /** Keys may share a name. */
  readonly name?: string
  /** Id or name of an agent of the account. */
  readonly agent?: string
  /** Lanes that the key may call; all when omitted. */
  readonly scopes?: ReadonlyArray<string>
  /** Epoch milliseconds. */
  readonly expiresAt?: number
  /** Stored in place of the key's SHA-256: a name by which the service finds the key, whose plaintext then does not work. */
  readonly hash?: string
}

/** The only place where the plaintext of a key exists. */
export interface NewKey {
  readonly key: KeyRecord
  readonly plaintext: Redacted.Redacted
}
