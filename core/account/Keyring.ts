import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Failure } from "../Failure.ts"
import * as Step from "../Step.ts"
import { PlatformCrypto } from "./PlatformCrypto.ts"

/** The caller: the properties of a key that the gateway uses. */
export interface Caller {
  /** The agent that the key belongs to, if any. */
  readonly agent?: { readonly id: string; readonly paused: boolean }
  /** Lanes that the key may call; absent: all. */
  readonly scopes?: ReadonlyArray<string>
  readonly accountId: string
  /** A payer without an account. The account is made when the payment is taken; until then nothing is stored. */
  readonly isNew?: boolean
  /** The operator suspended the account; absent: no. */
  readonly suspended?: boolean
  readonly keyId: string
  /** False: test key. Never charged, answered by the mock lanes, never recorded. */
  readonly livemode: boolean
  /** Calls per minute. */
  readonly perMinute: number
  /** Calls per minute of the account's largest key; absent: this one. */
  readonly accountPerMinute?: number
}

/** Read port of the hot path: the caller for the SHA-256 of a key; undefined when unknown or revoked. */
export class Keyring extends Context.Tag("market-signals/core/account/Keyring")<
  Keyring,
  { readonly find: (hash: string) => Effect.Effect<Caller | undefined, Failure> }
>() {
  /** A fixed set of keys, for embedders and tests. */
  static layerMemory(
    keys: Iterable<readonly [token: string, caller: Caller]>,
  ): Layer.Layer<Keyring, never, PlatformCrypto> {
    return Layer.effect(
      Keyring,
      Effect.gen(function* () {
        const { sha256 } = yield* PlatformCrypto
        const callers = new Map<string, Caller>()
        for (const [token, caller] of keys) callers.set(yield* sha256(token), caller)
        return { find: Step.methodSync((hash: string) => callers.get(hash)) }
      }),
    )
  }
}
