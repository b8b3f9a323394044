import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Captured } from "../call/Capture.ts"
import type { Failure } from "../Failure.ts"
import * as Step from "../Step.ts"
import { type Agent, monthOf, type Spend } from "./Agent.ts"
import * as Book from "./Book.ts"
import { accepted, noBytes, type ReplyBytes, refusal, replyLifetimeMs, type Verdict } from "./decide.ts"
import type { Caller } from "./Keyring.ts"
import { MicroUsd, zero } from "./Money.ts"

/**
 * One line of the audit trail: one keyed call, failed or not, or `calls` free calls of a key with the same result within
 * a minute. Then `at` is that of the first, `requestId` that of the last, `latencyMs` the longest.
 */
export interface Audit {
  /** Number of calls in this line; absent: one. */
  readonly calls?: number
  /** Start of the call, epoch milliseconds. */
  readonly at: number
  readonly requestId: string
  readonly accountId: string
  readonly agentId?: string
  readonly keyId: string
  /** The endpoint's id; `*` on a line with calls of several endpoints. */
  readonly endpoint: string
  /** SHA-256 of the parameters: identifies the call without storing them. */
  readonly paramsHash: string
  readonly status: number
  readonly code?: string
  readonly charged: MicroUsd
  readonly latencyMs: number
  /** The names of the fields for which the call was refused. Written for a day; `Calls.fields` reads them, no row has them. */
  readonly fields?: string
}

/** The stored reply of an idempotent call. */
export interface StoredReply {
  /** UUIDv4 of the caller. */
  readonly key: string
  /** Hash of endpoint, parameters and options. */
  readonly requestHash: string
  /**
   * The body without `_meta`, and the values to make `_meta` again. A free call's body may not be stored: the call then
   * runs again.
   */
  readonly stored?: string
}

/** The charge of a finished call, also one of 0; written completely or not at all. */
export interface Charge {
  readonly caller: Caller
  /** Counted against the agent's caps. */
  readonly listMicros: MicroUsd
  /** Charged to the wallet: 0 for test keys. */
  readonly chargedMicros: MicroUsd
  readonly audit: Audit
  readonly reply?: StoredReply
  /** The capture of the sold signal. */
  readonly captured?: Captured
}

/** A caller's balance, spend and caps. Read only: it reserves nothing. */
export interface SpendStatus {
  readonly balance: MicroUsd
  /** The UTC month of `monthSpent`, YYYY-MM. */
  readonly month: string
  /** Charges of this key in the month. */
  readonly monthSpent: MicroUsd
  /** The key's agent, its caps and the spend of all its keys at list price, live and test counted apart. */
  readonly agent?: Pick<Agent, "name" | "monthlyCap" | "budgetCap"> & Pick<Spend, "monthSpent" | "totalSpent">
}

/**
 * The money path. One atomic step decides whether a call is affordable (spent + price ≤ cap and balance ≥ price) and
 * writes wallet, journal, agent's spend, events, audit row, stored answer, capture and leaf. Nothing is reserved before
 * it, so nothing must be released: of concurrent calls, the step accepts those that can still be afforded.
 */
export class Ledger extends Context.Tag("market-signals/core/account/Ledger")<
  Ledger,
  {
    readonly balance: (accountId: string) => Effect.Effect<MicroUsd, Failure>
    /** Checks before the work: the verdict of `charge` at this moment. A cap that is exceeded may write an event. */
    readonly precheck: (
      caller: Caller,
      listMicros: MicroUsd,
      chargedMicros: MicroUsd,
      at: number,
    ) => Effect.Effect<Verdict, Failure>
    readonly spendStatus: (caller: Caller, at: number) => Effect.Effect<SpendStatus, Failure>
    /** Charges of all keys of an account in a UTC month, YYYY-MM. */
    readonly accountSpent: (accountId: string, month: string) => Effect.Effect<MicroUsd, Failure>
    /** Returns only when the writes are durable. With any verdict but `Accepted` only budget events were written. */
    readonly charge: (charge: Charge) => Effect.Effect<Verdict, Failure>
    /**
     * Appends the audit row of a call without a charge. It is written with the next batch, or added to a row of the
     * same minute; the caller does not wait.
     */
    readonly appendAudit: (audit: Audit) => Effect.Effect<void>
    /** The reply stored under an idempotency key in the last 24 hours. */
    readonly recall: (keyId: string, key: string, now: number) => Effect.Effect<StoredReply | undefined, Failure>
  }
>() {
  /**
   * Balances, stored replies and captures in memory, for embedders and tests. No agents.
   *
   * @param record stores the captures of a charged call, such as `append` of `Captures`
   */
  static layerMemory(
    balances: Iterable<readonly [accountId: string, micros: number]>,
    record: (captures: ReadonlyArray<Captured>) => Effect.Effect<unknown, Failure> = () => Effect.void,
  ): Layer.Layer<Ledger> {
    return Layer.sync(Ledger, () => makeMemory(balances, record))
  }
}

const makeMemory = (...[balances, record]: Required<Parameters<typeof Ledger.layerMemory>>): Ledger["Type"] => {
  const open = new Map([...balances].map(([id, micros]) => [id, MicroUsd(micros)]))
  const storedReplies = new Map<string, StoredReply & { readonly at: number }>()
  const bytes = new Map<string, ReplyBytes>()
  const spent = new Map<string, number>()
  const readBalance = (accountId: string) => open.get(accountId) ?? zero
  const findReply = (keyId: string, key: string, after: number) => {
    const reply = storedReplies.get(`${keyId}/${key}`)
    return reply === undefined || reply.at <= after ? undefined : reply
  }
  const book = Book.make({
    wallet: (accountId) => ({ balance: readBalance(accountId) }),
    agent: () => undefined,
    reply: (keyId, key, after) => {
      const reply = findReply(keyId, key, after)
      return reply && { requestHash: reply.requestHash, isStored: reply.stored !== undefined }
    },
    bytes: (keyId, today) => bytes.get(`${keyId}/${today}`) ?? noBytes,
  })
  const addSpent = (name: string, micros: number) => spent.set(name, (spent.get(name) ?? 0) + micros)
  /** Writes the sums of the book. */
  const write = (): void => {
    const { wallets, replies } = book.changes()
    for (const wallet of wallets) open.set(wallet.accountId, wallet.balance)
    for (const { keyId, today, stored, charged, free } of replies) {
      bytes.set(`${keyId}/${today}`, { charged: stored.charged + charged, free: stored.free + free })
    }
    book.clear()
  }
  return {
    balance: (accountId) => Effect.sync(() => readBalance(accountId)),
    precheck: Step.methodSync(
      ({ accountId }: Caller, list: MicroUsd, micros: MicroUsd) =>
        refusal({ balance: readBalance(accountId) }, { list, micros }) ?? accepted,
    ),
    spendStatus: ({ accountId, keyId }, at) =>
      Effect.sync(() => {
        const month = monthOf(at)
        return { balance: readBalance(accountId), month, monthSpent: MicroUsd(spent.get(`${keyId}/${month}`) ?? 0) }
      }),
    accountSpent: (accountId, month) => Effect.sync(() => MicroUsd(spent.get(`${accountId}/${month}`) ?? 0)),
    charge: Step.method(function* (charge: Charge) {
      const { caller, listMicros: list, chargedMicros: micros, audit, reply, captured } = charge
      const { at } = audit
      const entry = { caller, list, micros, at, reply: reply && { ...reply, bytes: reply.stored?.length } }
      const decision = book.charge(entry)
      write()
      if (decision.verdict._tag !== "Accepted") return decision.verdict
      for (const id of [caller.keyId, caller.accountId]) addSpent(`${id}/${monthOf(at)}`, micros)
      if (reply !== undefined && decision.reply !== undefined) {
        const { stored, ...named } = reply
        const storedText = decision.reply.isWhole && stored !== undefined ? { stored } : {}
        storedReplies.set(`${caller.keyId}/${reply.key}`, { ...named, ...storedText, at })
      }
      if (captured !== undefined) yield* record([captured])
      return decision.verdict
    }),
    appendAudit: () => Effect.void,
    recall: Step.methodSync((keyId: string, key: string, now: number) => {
      const reply = findReply(keyId, key, now - replyLifetimeMs)
      if (reply === undefined) return undefined
      const { at: _, ...stored } = reply
      return stored
    }),
  }
}
