import type * as Redacted from "effect/Redacted"
import type { KeyRecord } from "./AccountStore.ts"
import type * as ApiKey from "./ApiKey.ts"
import type * as Tier from "./Tier.ts"

/** A key that somebody asks for. */
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
  /** 32 secret bytes to make the key of, which is the same each time; random ones when not given. */
  readonly bytes?: Uint8Array
}

/** A new key. Its plaintext exists only here. */
export interface NewKey {
  readonly key: KeyRecord
  readonly plaintext: Redacted.Redacted
}
