import { getOrMake } from "../getOrMake.ts"
import { day } from "../time.ts"
import { monthOf } from "./Agent.ts"
import type { Price } from "./decide.ts"
import { type AgentMonth, type Decision, decide, type ReplyBytes, type ReplyState, replyLifetimeMs } from "./decide.ts"
import type { Caller } from "./Keyring.ts"
import { MicroUsd } from "./Money.ts"

/** The state of a store before the charges of a book. */
export interface Source {
  readonly wallet: (accountId: string) => { readonly balance: MicroUsd; readonly lowBalance?: MicroUsd | undefined }
  readonly agent: (agentId: string, livemode: boolean, month: string) => AgentMonth | undefined
  /** A reply that is not older than `after`, epoch milliseconds. */
  readonly reply: (keyId: string, key: string, after: number) => ReplyState["before"]
  /** @param today days since the epoch */
  readonly bytes: (keyId: string, today: number) => ReplyBytes
}

/** A call of a book. */
export interface Entry extends Price {
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
  readonly before: AgentMonth
  /** Sums of all months of the agent. */
  readonly total: { counted: number }
  counted: number
  warned: boolean
  exceeded: boolean
}

interface KeyDay {
  readonly keyId: string
  readonly today: number
  readonly before: ReplyBytes
  charged: number
  free: number
}

/** Sums of a book's charges, to be added to the store's; each can be read once. */
export interface Changes {
  readonly wallets: Iterable<Readonly<Wallet>>
  readonly agents: Iterable<Readonly<SpendMonth>>
  readonly replies: Iterable<Readonly<KeyDay>>
}

const toAgentMonth = ({ before, total, counted, warned, exceeded }: SpendMonth): AgentMonth => ({
  ...before,
  monthSpent: MicroUsd(before.monthSpent + counted),
  totalSpent: MicroUsd(before.totalSpent + total.counted),
  warned: before.warned || warned,
  exceeded: before.exceeded || exceeded,
})

const rowName = (keyId: string, key: string): string => `${keyId}/${key}`

const noteEvents = (spend: SpendMonth | undefined, { events }: Decision): void => {
  for (const { type } of events) {
    if (spend === undefined) continue
    if (type === "agent.budget_warning") spend.warned = true
    if (type === "agent.budget_exceeded") spend.exceeded = true
  }
}

/** The sums of a book's charges, over a store that has them not yet. */
const sumsOver = (source: Source) => {
  const wallets = new Map<string, Wallet>()
  const agents = new Map<string, SpendMonth>()
  const totals = new Map<string, SpendMonth["total"]>()
  const replies = new Map<string, KeyDay>()
  const rows = new Map<string, NonNullable<ReplyState["before"]>>()

  const makeWallet = (accountId: string): Wallet => {
    const { balance, lowBalance } = source.wallet(accountId)
    return { accountId, balance, lowBalance, debit: 0 }
  }
  const readWallet = (accountId: string): Wallet => getOrMake(wallets, accountId, makeWallet)

  const readSpend = ({ agent, livemode }: Caller, at: number): SpendMonth | undefined => {
    if (agent === undefined) return undefined
    const month = monthOf(at)
    const who = `${agent.id}/${livemode}`
    const name = `${who}/${month}`
    const cached = agents.get(name)
    if (cached !== undefined) return cached
    const stored = source.agent(agent.id, livemode, month)
    if (stored === undefined) return undefined
    const total = getOrMake(totals, who, () => ({ counted: 0 }))
    const made = {
      agentId: agent.id,
      livemode,
      month,
      before: stored,
      total,
      counted: 0,
      warned: false,
      exceeded: false,
    }
    agents.set(name, made)
    return made
  }

  const openKeyDay = (keyId: string, at: number): KeyDay => {
    const today = Math.floor(at / day)
    const make = (): KeyDay => ({ keyId, today, before: source.bytes(keyId, today), charged: 0, free: 0 })
    return getOrMake(replies, `${keyId}/${today}`, make)
  }

  const toReplyState = (keyId: string, key: string, at: number, { before, charged, free }: KeyDay): ReplyState => ({
    before: rows.get(rowName(keyId, key)) ?? source.reply(keyId, key, at - replyLifetimeMs),
    used: { charged: before.charged + charged, free: before.free + free },
  })

  return {
    wallet: readWallet,
    spend: readSpend,
    dayOf: openKeyDay,
    replyOf: toReplyState,
    /** Later calls with the key see this reply. */
    addReply: (keyId: string, key: string, row: NonNullable<ReplyState["before"]>): void =>
      void rows.set(rowName(keyId, key), row),
    changes: (): Changes => ({ wallets: wallets.values(), agents: agents.values(), replies: replies.values() }),
    /** Forgets all charges: the store has them, or they were undone. */
    clear: (): void => {
      for (const each of [wallets, agents, totals, replies, rows]) each.clear()
    },
  }
}

/**
 * Decides charges in their order. Each sees those before it, while the store has them not yet: the sums of many calls are
 * written once. The calls' own rows (journal, replies, events) are the caller's to write.
 */
export const make = (source: Source) => {
  const sums = sumsOver(source)

  const look = (entry: Entry, isLow: boolean) => {
    const { caller, list, at, reply } = entry
    const wallet = sums.wallet(caller.accountId)
    const spend = list === 0 ? undefined : sums.spend(caller, at)
    const keyDay = reply === undefined ? undefined : sums.dayOf(caller.keyId, at)
    const payer =
      spend === undefined && keyDay === undefined
        ? wallet
        : {
            balance: wallet.balance,
            lowBalance: wallet.lowBalance,
            agent: spend && toAgentMonth(spend),
            reply: keyDay && sums.replyOf(caller.keyId, reply!.key, at, keyDay),
          }
    return { wallet, spend, keyDay, decision: decide(payer, entry, isLow) }
  }

  return {
    /** Decides a call; if it is accepted, the next ones see it. */
    charge: (entry: Entry, isLow = false): Decision => {
      const { wallet, spend, keyDay, decision } = look(entry, isLow)
      const { caller, micros, reply } = entry
      if (decision.events.length > 0) noteEvents(spend, decision)
      if (decision.verdict._tag !== "Accepted") return decision
      if (micros > 0) {
        wallet.balance = MicroUsd(wallet.balance - micros)
        wallet.debit += micros
      }
      if (spend !== undefined) {
        spend.counted += decision.counted
        spend.total.counted += decision.counted
      }
      if (decision.reply !== undefined && keyDay !== undefined) {
        keyDay[micros > 0 ? "charged" : "free"] += decision.reply.size
        const { key, requestHash } = reply!
        sums.addReply(caller.keyId, key, { requestHash, isStored: decision.reply.isWhole })
      }
      return decision
    },
    /** The events of a call that is refused before its work; empty if it would now be accepted. */
    refuse: (entry: Entry): Decision["events"] => {
      const { spend, decision } = look(entry, false)
      if (decision.verdict._tag === "Accepted") return []
      noteEvents(spend, decision)
      return decision.events
    },
    changes: sums.changes,
    clear: sums.clear,
  }
}

export type Book = ReturnType<typeof make>
