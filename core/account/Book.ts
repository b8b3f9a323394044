import { getOrMake } from "../getOrMake.ts"
import { day } from "../time.ts"
import { monthOf } from "./Agent.ts"
import {
  type AgentMonth,
  type Decision,
  decide,
  type Price,
  type ReplyBytes,
  type ReplyState,
  replyLifetimeMs,
} from "./decide.ts"
import type { Caller } from "./Keyring.ts"
import { MicroUsd } from "./Money.ts"

/** The state of a store before the charges of a book. */
interface StoreReader {
  readonly wallet: (accountId: string) => { readonly balance: MicroUsd; readonly lowBalance?: MicroUsd | undefined }
  readonly agent: (agentId: string, livemode: boolean, month: string) => AgentMonth | undefined
  /** A reply that is not older than `after`, epoch milliseconds. */
  readonly reply: (keyId: string, key: string, after: number) => ReplyState["stored"]
  /** @param today days since the epoch */
  readonly bytes: (keyId: string, today: number) => ReplyBytes
}

interface CallCharge extends Price {
  readonly caller: Caller
  readonly at: number
  readonly reply?:
    | { readonly key: string; readonly requestHash: string; readonly bytes?: number | undefined }
    | undefined
}

interface Wallet {
  readonly accountId: string
  balance: MicroUsd
  readonly lowBalance: MicroUsd | undefined
  debit: number
}

interface SpendMonth {
  readonly agentId: string
  readonly livemode: boolean
  readonly month: string
  readonly stored: AgentMonth
  /** Sums of all months of the agent. */
  readonly lifetime: { counted: number }
  counted: number
  warningSent: boolean
  exceededSent: boolean
}

interface KeyDay {
  readonly keyId: string
  readonly today: number
  readonly stored: ReplyBytes
  charged: number
  free: number
}

/** Sums of a book's charges, to be added to the store's; each iterable can be consumed once. */
export interface Changes {
  readonly wallets: Iterable<Readonly<Wallet>>
  readonly agents: Iterable<Readonly<SpendMonth>>
  readonly replies: Iterable<Readonly<KeyDay>>
}

const toAgentMonth = ({ stored, lifetime, counted, warningSent, exceededSent }: SpendMonth): AgentMonth => ({
  ...stored,
  monthSpent: MicroUsd(stored.monthSpent + counted),
  totalSpent: MicroUsd(stored.totalSpent + lifetime.counted),
  warned: stored.warned || warningSent,
  exceeded: stored.exceeded || exceededSent,
})

const rowName = (keyId: string, key: string): string => `${keyId}/${key}`

const noteEvents = (spend: SpendMonth | undefined, { events }: Decision): void => {
  for (const { type } of events) {
    if (spend === undefined) continue
    if (type === "agent.budget_warning") spend.warningSent = true
    if (type === "agent.budget_exceeded") spend.exceededSent = true
  }
}

/** Sums of charges that are not stored yet, on top of the store's state. */
const sumsOver = (source: StoreReader) => {
  const wallets = new Map<string, Wallet>()
  const agents = new Map<string, SpendMonth>()
  const lifetimes = new Map<string, SpendMonth["lifetime"]>()
  const replies = new Map<string, KeyDay>()
  const rows = new Map<string, NonNullable<ReplyState["stored"]>>()

  const makeWallet = (accountId: string): Wallet => {
    const { balance, lowBalance } = source.wallet(accountId)
    return { accountId, balance, lowBalance, debit: 0 }
  }
  const readWallet = (accountId: string): Wallet => getOrMake(wallets, accountId, makeWallet)

  const readSpend = ({ agent, livemode }: Caller, at: number): SpendMonth | undefined => {
    if (agent === undefined) return undefined
    const month = monthOf(at)
    const agentMode = `${agent.id}/${livemode}`
    const key = `${agentMode}/${month}`
    const cached = agents.get(key)
    if (cached !== undefined) return cached
    const stored = source.agent(agent.id, livemode, month)
    if (stored === undefined) return undefined
    const entry: SpendMonth = {
      agentId: agent.id,
      livemode,
      month,
      stored,
      lifetime: getOrMake(lifetimes, agentMode, () => ({ counted: 0 })),
      counted: 0,
      warningSent: false,
      exceededSent: false,
    }
    agents.set(key, entry)
    return entry
  }

  const openKeyDay = (keyId: string, at: number): KeyDay => {
    const today = Math.floor(at / day)
    const make = (): KeyDay => ({ keyId, today, stored: source.bytes(keyId, today), charged: 0, free: 0 })
    return getOrMake(replies, `${keyId}/${today}`, make)
  }

  const toReplyState = (keyId: string, key: string, at: number, keyDay: KeyDay): ReplyState => ({
    stored: rows.get(rowName(keyId, key)) ?? source.reply(keyId, key, at - replyLifetimeMs),
    used: { charged: keyDay.stored.charged + keyDay.charged, free: keyDay.stored.free + keyDay.free },
  })

  return {
    readWallet,
    readSpend,
    openKeyDay,
    toReplyState,
    /** Later calls with the key see this reply. */
    addReply: (keyId: string, key: string, row: NonNullable<ReplyState["stored"]>): void =>
      void rows.set(rowName(keyId, key), row),
    changes: (): Changes => ({ wallets: wallets.values(), agents: agents.values(), replies: replies.values() }),
    /** Forgets all charges: the store has them, or they were undone. */
    clear: (): void => {
      for (const each of [wallets, agents, lifetimes, replies, rows]) each.clear()
    },
  }
}

/**
 * Decides charges in their order. Each charge sees the earlier ones, although they are not stored yet: the sums of many
 * calls are written once. Rows of single calls (journal, replies, events) must be written by the user of the book.
 */
export const make = (source: StoreReader) => {
  const sums = sumsOver(source)

  const evaluate = (entry: CallCharge, isLow: boolean) => {
    const { caller, list, at, reply } = entry
    const wallet = sums.readWallet(caller.accountId)
    const spend = list === 0 ? undefined : sums.readSpend(caller, at)
    const keyDay = reply === undefined ? undefined : sums.openKeyDay(caller.keyId, at)
    const payer =
      spend === undefined && keyDay === undefined
        ? wallet
        : {
            balance: wallet.balance,
            lowBalance: wallet.lowBalance,
            agent: spend && toAgentMonth(spend),
            reply: keyDay && sums.toReplyState(caller.keyId, reply!.key, at, keyDay),
          }
    return { wallet, spend, keyDay, decision: decide(payer, entry, isLow) }
  }

  return {
    /** Decides a call. Later calls see its charge if it was accepted, and its budget events in any case. */
    charge: (entry: CallCharge, isLow = false): Decision => {
      const { wallet, spend, keyDay, decision } = evaluate(entry, isLow)
      const { caller, micros, reply } = entry
      if (decision.events.length > 0) noteEvents(spend, decision)
      if (decision.verdict._tag !== "Accepted") return decision
      if (micros > 0) {
        wallet.balance = MicroUsd(wallet.balance - micros)
        wallet.debit += micros
      }
      if (spend !== undefined) {
        spend.counted += decision.counted
        spend.lifetime.counted += decision.counted
      }
      if (decision.reply !== undefined && keyDay !== undefined) {
        keyDay[micros > 0 ? "charged" : "free"] += decision.reply.size
        const { key, requestHash } = reply!
        sums.addReply(caller.keyId, key, { requestHash, isStored: decision.reply.isWhole })
      }
      return decision
    },
    /** The events of a call that is refused before its work; empty if it would now be accepted. */
    refuse: (entry: CallCharge): Decision["events"] => {
      const { spend, decision } = evaluate(entry, false)
      if (decision.verdict._tag === "Accepted") return []
      noteEvents(spend, decision)
      return decision.events
    },
    changes: sums.changes,
    clear: sums.clear,
  }
}

export type Book = ReturnType<typeof make>
