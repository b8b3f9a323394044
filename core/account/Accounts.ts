import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { change, type Failure, invalid, notFound } from "../Failure.ts"
import { ifDefined } from "../ifDefined.ts"
import type { Page } from "../Page.ts"
import { day } from "../time.ts"
import {
  type Account,
  AccountStore,
  type KeyQuery,
  type KeyRecord,
  type KeySummary,
  type Reversed,
} from "./AccountStore.ts"
import { AgentStore } from "./AgentStore.ts"
import * as ApiKey from "./ApiKey.ts"
import type { KeyRequest, NewKey } from "./KeyRequest.ts"
import { Ledger } from "./Ledger.ts"
import type { MicroUsd } from "./Money.ts"
import { PlatformCrypto } from "./PlatformCrypto.ts"
import * as Tier from "./Tier.ts"
import * as Ulid from "./Ulid.ts"

/** The operator's commands on accounts, wallets and keys, for the command line and the admin API. */
export class Accounts extends Context.Tag("market-signals/core/account/Accounts")<
  Accounts,
  {
    /** `indie` when no tier is given. */
    readonly create: (name: string, tier?: Tier.TierChoice) => Effect.Effect<Account, Failure>
    /** Changes the tier of the keys that owners make from now on. */
    readonly setTier: (idOrName: string, tier: Tier.TierChoice) => Effect.Effect<Account, Failure>
    /** Within a second every process refuses calls of its keys; nothing is deleted. Suspending it again changes nothing. */
    readonly suspend: (idOrName: string) => Effect.Effect<Account, Failure>
    readonly resume: (idOrName: string) => Effect.Effect<Account, Failure>
    readonly list: AccountStore["Type"]["accounts"]
    readonly get: (idOrName: string) => Effect.Effect<Account, Failure>
    readonly credit: (
      idOrName: string,
      micros: MicroUsd,
    ) => Effect.Effect<{ readonly account: Account; readonly balance: MicroUsd }, Failure>
    readonly balance: (
      idOrName: string,
    ) => Effect.Effect<{ readonly account: Account; readonly balance: MicroUsd }, Failure>
    readonly lowBalance: (idOrName: string) => Effect.Effect<MicroUsd | undefined, Failure>
    /** A balance that is already below it causes no event. */
    readonly setLowBalance: (idOrName: string, micros: MicroUsd | undefined) => Effect.Effect<Account, Failure>
    readonly issueKey: (request: KeyRequest) => Effect.Effect<NewKey, Failure>
    /**
     * Rotates a key: the new one has the same rights and the same lifetime from now on; the old one expires after the
     * overlap, or at its own expiry if that is earlier.
     *
     * @param overlapMs 0 to `maxOverlap`; `defaultOverlap` when not given
     */
    readonly rotateKey: (
      keyId: string,
      overlapMs?: number,
    ) => Effect.Effect<NewKey & { readonly previous: KeyRecord }, Failure>
    readonly revokeKey: (keyId: string) => Effect.Effect<void, Failure>
    /** Ended ones too. */
    readonly key: (keyId: string) => Effect.Effect<KeyRecord, Failure>
    /** Newest first, ended ones too. */
    readonly keys: (idOrName: string, page: Page) => Effect.Effect<ReadonlyArray<KeyRecord>, Failure>
    readonly keyPage: (accountId: string, filter: KeyQuery) => Effect.Effect<ReadonlyArray<KeyRecord>, Failure>
    readonly keysNamed: AccountStore["Type"]["keysNamed"]
    readonly keySummary: (accountId: string) => Effect.Effect<KeySummary, Failure>
    /**
     * Takes a credit back, as far as the balance goes.
     *
     * @param micros at most this; all that is left of the credit when not given
     */
    readonly reverse: (
      idOrName: string,
      credit: string,
      micros?: MicroUsd,
    ) => Effect.Effect<Reversed & { readonly account: Account }, Failure>
    /** As `AccountStore.journal`, but the account is given by id or name. */
    readonly journal: AccountStore["Type"]["journal"]
    readonly transfers: AccountStore["Type"]["transfers"]
  }
>() {
  static readonly layer: Layer.Layer<Accounts, never, AccountStore | AgentStore | Ledger | PlatformCrypto> =
    Layer.suspend(() => layer)
}

export const defaultOverlap = day
export const maxOverlap = 30 * day

/**
 * Fails if a name is invalid. A name never looks like an id, so that an id or a name identifies exactly one thing.
 *
 * @param prefixes prefixes of ids and secrets; a name must not begin with one
 */
export const checkName = (name: string, ...prefixes: ReadonlyArray<string>): Effect.Effect<void, Failure> => {
  const rest = prefixes.length === 0 ? "" : `, and not begin with ${prefixes.join(" or ")}`
  return /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u.test(name) && !prefixes.some((prefix) => name.startsWith(prefix))
    ? Effect.void
    : invalid("name", `name must be 1 to 64 letters, digits, spaces, dots, hyphens or underscores${rest}.`)
}

const rateLimit = ({ tier, rpm }: Tier.TierChoice) => {
  const perMinute = Tier.perMinute(tier, rpm)
  return perMinute === undefined
    ? invalid("rpm", "rpm must be a positive integer and is allowed only with tier enterprise.")
    : Effect.succeed({ tier, perMinute })
}

type Get = Accounts["Type"]["get"]

const accountCommands = (store: AccountStore["Type"], newId: Ulid.NewId) => {
  const get = Effect.fn("Accounts.get")(function* (idOrName: string) {
    const account = yield* store.findAccount(idOrName)
    if (account !== undefined) return account
    return yield* notFound(
      `There is no account ${JSON.stringify(idOrName)}.`,
      change("account", "Use the id or the name of an existing account."),
    )
  })

  const setSuspended = Effect.fnUntraced(function* (idOrName: string, at: number | undefined) {
    const { id } = yield* get(idOrName)
    yield* store.setSuspended(id, at)
    return yield* get(id)
  })

  return {
    get,
    list: store.accounts,
    create: Effect.fn("Accounts.create")(function* (name, tier = { tier: "indie" }) {
      yield* checkName(name, "acct_")
      const limit = yield* rateLimit(tier)
      const createdAt = yield* Clock.currentTimeMillis
      const account = { id: yield* newId("acct", createdAt), name, ...limit, createdAt }
      if (!(yield* store.insertAccount(account))) return yield* invalid("name", `The name ${name} is taken.`)
      return account
    }),
    setTier: Effect.fn("Accounts.setTier")(function* (idOrName, tier) {
      const limit = yield* rateLimit(tier)
      const account = yield* get(idOrName)
      yield* store.setTier(account.id, limit.tier, limit.perMinute)
      return { ...account, ...limit }
    }),
    suspend: (idOrName) => Effect.flatMap(Clock.currentTimeMillis, (now) => setSuspended(idOrName, now)),
    resume: (idOrName) => setSuspended(idOrName, undefined),
  } satisfies Partial<Accounts["Type"]>
}

const walletCommands = (store: AccountStore["Type"], ledger: Ledger["Type"], newId: Ulid.NewId, get: Get) =>
  ({
    credit: Effect.fn("Accounts.credit")(function* (idOrName, micros) {
      if (micros <= 0) return yield* invalid("micros", "micros must be above 0.")
      const account = yield* get(idOrName)
      const now = yield* Clock.currentTimeMillis
      const balance = yield* store.credit({ id: yield* newId("txn", now), accountId: account.id, micros, at: now })
      if (balance === undefined) return yield* invalid("micros", "The balance would exceed 9,007,199,254.740991 USD.")
      return { account, balance }
    }),
    balance: (idOrName) =>
      Effect.flatMap(get(idOrName), (account) =>
        Effect.map(ledger.balance(account.id), (balance) => ({ account, balance })),
      ),
    lowBalance: (idOrName) => Effect.flatMap(get(idOrName), ({ id }) => store.lowBalance(id)),
    setLowBalance: Effect.fn("Accounts.setLowBalance")(function* (idOrName, micros) {
      if (micros !== undefined && micros <= 0) {
        return yield* invalid("threshold_micros", "threshold_micros must be above 0.")
      }
      const account = yield* get(idOrName)
      yield* store.setLowBalance(account.id, micros)
      return account
    }),
    reverse: Effect.fn("Accounts.reverse")(function* (idOrName, credit, micros) {
      if (micros !== undefined && micros <= 0) return yield* invalid("micros", "micros must be above 0.")
      const account = yield* get(idOrName)
      const now = yield* Clock.currentTimeMillis
      const id = yield* newId("txn", now)
      const reversed = yield* store.reverse({
        id,
        accountId: account.id,
        credit,
        at: now,
        ...ifDefined("micros", micros),
      })
      if (reversed !== undefined) return { ...reversed, account }
      return yield* notFound(
        "The account has no credit with this id.",
        change("credit", "Use the id of a credit from the wallet's postings."),
      )
    }),
    journal: (idOrName, limit, cursor, part) =>
      Effect.flatMap(get(idOrName), (account) => store.journal(account.id, limit, cursor, part)),
    transfers: store.transfers,
  }) satisfies Partial<Accounts["Type"]>

/** Does not repeat the input: it may be a key pasted in place of its id. */
const noActiveKey = notFound(
  "No active key has this id.",
  change("key", "Use the id of an active key from the account's key list."),
)

const makeKeyMaker = (secrets: PlatformCrypto["Type"], newId: Ulid.NewId) =>
  Effect.fnUntraced(function* (key: Omit<KeyRecord, "id" | "lastFour">) {
    const { plaintext, hash, lastFour } = yield* Effect.provideService(
      ApiKey.generate(key.environment),
      PlatformCrypto,
      secrets,
    )
    return { key: { ...key, id: yield* newId("key", key.createdAt), lastFour }, plaintext, hash }
  })

type KeyMaker = ReturnType<typeof makeKeyMaker>

const keyCommands = (store: AccountStore["Type"], agents: AgentStore["Type"], makeKey: KeyMaker, get: Get) => {
  /** The id of an agent of the account that may have keys. */
  const findUsableAgent = Effect.fnUntraced(function* (accountId: string, idOrName: string) {
    const agent = yield* agents.findIn(accountId, idOrName)
    if (agent === undefined) return yield* invalid("agent", `The account has no agent ${JSON.stringify(idOrName)}.`)
    if (agent.status === "revoked") return yield* invalid("agent", `The agent ${agent.name} is revoked.`)
    return agent.id
  })

  return {
    issueKey: Effect.fn("Accounts.issueKey")(function* ({ account: idOrName, ...request }) {
      const { environment, tier, rpm, name, scopes, expiresAt, hash } = request
      const account = yield* get(idOrName)
      const limit =
        tier === undefined && rpm === undefined
          ? { tier: account.tier, perMinute: account.perMinute }
          : yield* rateLimit({ tier: tier ?? account.tier, rpm })
      if (name !== undefined) yield* checkName(name, "key_", "svk_")
      if (scopes?.length === 0) return yield* invalid("scopes", "Name at least one lane, or omit scopes for all.")
      const createdAt = yield* Clock.currentTimeMillis
      if (expiresAt !== undefined && !(expiresAt > createdAt)) {
        return yield* invalid("expires_at", "expires_at must be in the future.")
      }
      const agentId = request.agent === undefined ? undefined : yield* findUsableAgent(account.id, request.agent)
      const made = yield* makeKey({
        accountId: account.id,
        environment,
        ...limit,
        ...ifDefined("name", name),
        ...ifDefined("agentId", agentId),
        ...(scopes === undefined ? {} : { scopes: [...new Set(scopes)] }),
        createdAt,
        ...ifDefined("expiresAt", expiresAt),
      })
      if (!(yield* store.insertKey(made.key, hash ?? made.hash))) {
        return yield* invalid("hash", "A key under this name was made before.")
      }
      return { key: made.key, plaintext: made.plaintext }
    }),
    rotateKey: Effect.fn("Accounts.rotateKey")(function* (keyId, overlapMs = defaultOverlap) {
      if (!(overlapMs >= 0 && overlapMs <= maxOverlap)) {
        return yield* invalid("overlap", "overlap must be 0 to 30 days.")
      }
      const previous = yield* store.findKey(keyId)
      if (previous === undefined) return yield* noActiveKey
      if (previous.agentId !== undefined) yield* findUsableAgent(previous.accountId, previous.agentId)
      const createdAt = yield* Clock.currentTimeMillis
      const { lastUsedAt: _, overlapEndsAt: _ended, expiresAt, ...same } = previous
      const made = yield* makeKey({
        ...same,
        createdAt,
        ...(expiresAt === undefined ? {} : { expiresAt: createdAt + expiresAt - previous.createdAt }),
      })
      const overlapEndsAt = Math.min(previous.overlapEndsAt ?? Number.POSITIVE_INFINITY, createdAt + overlapMs)
      if (!(yield* store.replaceKey(keyId, overlapEndsAt, made.key, made.hash))) return yield* noActiveKey
      return { key: made.key, plaintext: made.plaintext, previous: { ...previous, overlapEndsAt } }
    }),
    revokeKey: Effect.fn("Accounts.revokeKey")(function* (keyId) {
      const revoked = yield* store.revokeKey(keyId, yield* Clock.currentTimeMillis)
      if (!revoked) return yield* noActiveKey
    }),
  } satisfies Partial<Accounts["Type"]>
}

const layer = Layer.effect(
  Accounts,
  Effect.gen(function* () {
    const store = yield* AccountStore
    const secrets = yield* PlatformCrypto
    const newId = Ulid.makeNewId(secrets.randomBytes)
    const keyPage = (accountId: string, filter: KeyQuery) =>
      Effect.flatMap(Clock.currentTimeMillis, (at) => store.keyPage(accountId, { ...filter, at }))

    const accounts = accountCommands(store, newId)
    const { get } = accounts
    return Accounts.of({
      ...accounts,
      ...walletCommands(store, yield* Ledger, newId, get),
      ...keyCommands(store, yield* AgentStore, makeKeyMaker(secrets, newId), get),
      key: (keyId) =>
        Effect.flatMap(store.findKey(keyId), (key) => (key === undefined ? noActiveKey : Effect.succeed(key))),
      keys: (idOrName, page) => Effect.flatMap(get(idOrName), ({ id }) => keyPage(id, page)),
      keyPage,
      keysNamed: store.keysNamed,
      keySummary: (accountId) => Effect.flatMap(Clock.currentTimeMillis, (at) => store.keySummary(accountId, at)),
    })
  }),
)
