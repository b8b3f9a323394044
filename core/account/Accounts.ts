import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { type Failure, fail, invalid } from "../endpoint/Failure.ts"
import * as ApiKey from "./ApiKey.ts"
import { Ledger } from "./Ledger.ts"
import type { MicroUsd } from "./Money.ts"
import { Secrets } from "./Secrets.ts"
import * as Tier from "./Tier.ts"
import * as Ulid from "./Ulid.ts"

export interface Account {
  readonly id: string
  readonly name: string
  readonly createdAt: number
}

export interface KeyRecord {
  readonly id: string
  readonly accountId: string
  readonly environment: ApiKey.Environment
  readonly tier: Tier.Tier
  readonly perMinute: number
  readonly lastFour: string
  readonly createdAt: number
  readonly revokedAt?: number
}

/** One line of the journal, as its owner reads it: credits positive, charges negative. */
export interface Posting {
  /** The request id of a charge, the transaction id of a credit. */
  readonly id: string
  readonly at: number
  readonly micros: number
  readonly kind: "credit" | "charge"

  readonly endpoint?: string
}

/** Write port behind `Accounts`. Every method is one short transaction. */
export class AccountStore extends Context.Tag("core/account/AccountStore")<
  AccountStore,
  {
    /** False: the name is taken. */
    readonly insertAccount: (account: Account) => Effect.Effect<boolean, Failure>
    /** By id or by name. */
    readonly findAccount: (idOrName: string) => Effect.Effect<Account | undefined, Failure>
    readonly accounts: Effect.Effect<ReadonlyArray<Account>, Failure>
    readonly insertKey: (key: KeyRecord, hash: string) => Effect.Effect<void, Failure>
    /** False: no such key, or revoked before. */
    readonly revokeKey: (keyId: string, at: number) => Effect.Effect<boolean, Failure>
    readonly keys: (accountId: string) => Effect.Effect<ReadonlyArray<KeyRecord>, Failure>
    /** Undefined: the balance would no longer be a safe integer, nothing written. */
    readonly credit: (credit: {
      readonly id: string
      readonly accountId: string
      readonly micros: MicroUsd
      readonly at: number
    }) => Effect.Effect<MicroUsd | undefined, Failure>
    readonly journal: (accountId: string, limit: number) => Effect.Effect<ReadonlyArray<Posting>, Failure>
  }
>() {}

/** What an operator does with accounts, wallets and keys; the command line and the admin surface are two faces of it. */
export class Accounts extends Context.Tag("core/account/Accounts")<
  Accounts,
  {
    readonly create: (name: string) => Effect.Effect<Account, Failure>
    readonly list: Effect.Effect<ReadonlyArray<Account>, Failure>
    readonly get: (idOrName: string) => Effect.Effect<Account, Failure>
    readonly credit: (
      idOrName: string,
      micros: MicroUsd,
    ) => Effect.Effect<{ readonly account: Account; readonly balance: MicroUsd }, Failure>
    readonly balance: (
      idOrName: string,
    ) => Effect.Effect<{ readonly account: Account; readonly balance: MicroUsd }, Failure>
    readonly issueKey: (
      request: KeyRequest,
    ) => Effect.Effect<{ readonly key: KeyRecord; readonly plaintext: Redacted.Redacted }, Failure>
    readonly revokeKey: (keyId: string) => Effect.Effect<void, Failure>
    readonly keys: (idOrName: string) => Effect.Effect<ReadonlyArray<KeyRecord>, Failure>
    readonly journal: (idOrName: string, limit: number) => Effect.Effect<ReadonlyArray<Posting>, Failure>
  }
>() {
  static readonly layer: Layer.Layer<Accounts, never, AccountStore | Ledger | Secrets> = Layer.suspend(() => layer)
}

export interface KeyRequest {
  readonly account: string
  readonly environment: ApiKey.Environment
  readonly tier: Tier.Tier
  readonly rpm?: number
}

/** A name never looks like an id, so that either one names exactly one account. */
const nameForm = /^(?!acct_)[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u

const layer = Layer.effect(
  Accounts,
  Effect.gen(function* () {
    const store = yield* AccountStore
    const secrets = yield* Secrets
    const ledger = yield* Ledger

    const newId = (prefix: string, now: number) =>
      Effect.map(secrets.randomBytes(10), (bytes) => `${prefix}_${Ulid.encode(now, bytes)}`)

    const get = Effect.fn("Accounts.get")(function* (idOrName: string) {
      const account = yield* store.findAccount(idOrName)
      if (account !== undefined) return account
      return yield* fail("not_found", {
        detail: `There is no account ${JSON.stringify(idOrName)}.`,
        hints: [{ field: "account", action: "change", suggestion: "Use the id or the name of an existing account." }],
      })
    })

    return Accounts.of({
      get,
      list: store.accounts,
      create: Effect.fn("Accounts.create")(function* (name) {
        if (!nameForm.test(name)) {
          return yield* invalid(
            "name",
            "name must be 1 to 64 letters, digits, spaces, dots, hyphens or underscores, and not begin with acct_.",
          )
        }
        const createdAt = yield* Clock.currentTimeMillis
        const account = { id: yield* newId("acct", createdAt), name, createdAt }
        if (!(yield* store.insertAccount(account))) return yield* invalid("name", `The name ${name} is taken.`)
        return account
      }),
      credit: Effect.fn("Accounts.credit")(function* (idOrName, micros) {
        if (micros <= 0) return yield* invalid("usd", "usd must be above 0.")
        const account = yield* get(idOrName)
        const at = yield* Clock.currentTimeMillis
        const balance = yield* store.credit({ id: yield* newId("txn", at), accountId: account.id, micros, at })
        if (balance === undefined) return yield* invalid("usd", "usd is more than the wallet can hold.")
        return { account, balance }
      }),
      balance: (idOrName) =>
        Effect.flatMap(get(idOrName), (account) =>
          Effect.map(ledger.balance(account.id), (balance) => ({ account, balance })),
        ),
      issueKey: Effect.fn("Accounts.issueKey")(function* ({ account: idOrName, environment, tier, rpm }) {
        const perMinute = Tier.perMinute(tier, rpm)
        if (perMinute === undefined) {
          return yield* invalid("rpm", "rpm is a whole number above 0, and belongs to the tier enterprise alone.")
        }
        const account = yield* get(idOrName)
        const createdAt = yield* Clock.currentTimeMillis
        const issued = yield* Effect.provideService(ApiKey.generate(environment), Secrets, secrets)
        const key: KeyRecord = {
          id: yield* newId("key", createdAt),
          accountId: account.id,
          environment,
          tier,
          perMinute,
          lastFour: issued.lastFour,
          createdAt,
        }
        yield* store.insertKey(key, issued.hash)
        return { key, plaintext: issued.plaintext }
      }),
      revokeKey: Effect.fn("Accounts.revokeKey")(function* (keyId) {
        const revoked = yield* store.revokeKey(keyId, yield* Clock.currentTimeMillis)
        if (!revoked) return yield* fail("not_found", { detail: `There is no active key ${JSON.stringify(keyId)}.` })
      }),
      keys: (idOrName) => Effect.flatMap(get(idOrName), (account) => store.keys(account.id)),
      journal: (idOrName, limit) => Effect.flatMap(get(idOrName), (account) => store.journal(account.id, limit)),
    })
  }),
)
