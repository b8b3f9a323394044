import { day, iso } from "../time.ts"
import { type Agent, type Cap, isWarning, monthOf, nextMonth, type Spend } from "./Agent.ts"
import type { Caller } from "./Keyring.ts"
import { MicroUsd, zero } from "./Money.ts"

/** The cost of a call: `list` counts against an agent's caps, `micros` is charged to the wallet (test keys: 0). */
export interface Price {
  readonly list: MicroUsd
  readonly micros: MicroUsd
}

export type Verdict =
  | { readonly _tag: "Accepted" }
  | Refusal
  /** Another call with the same idempotency key was charged in between. */
  | { readonly _tag: "Concurrent" }
  /** The answer has a price, and the key's storage for replies is full until the next UTC day. */
  | { readonly _tag: "ReplyQuotaExceeded" }

/** Why a payer cannot pay. */
export type Refusal =
  | { readonly _tag: "Capped"; readonly cap: Cap }
  | { readonly _tag: "Insufficient"; readonly balance: MicroUsd }

export const accepted: Verdict = { _tag: "Accepted" }

/** A wallet, and the caps and spend of the agent that would use it, if any. */
export interface Funds {
  readonly balance: MicroUsd
  readonly agent?: (Pick<Agent, "monthlyCap" | "budgetCap"> & Pick<Spend, "monthSpent" | "totalSpent">) | undefined
}

/** An agent in the month of a call, live and test calls counted apart. */
export interface AgentMonth
  extends Pick<Agent, "name" | "monthlyCap" | "budgetCap">,
    Pick<Spend, "monthSpent" | "totalSpent"> {
  /** Whether the monthly cap's events were already sent in the month. */
  readonly warned: boolean
  readonly exceeded: boolean
}

/** Bytes of a key's stored replies in a UTC day, rows included. */
export interface ReplyBytes {
  readonly charged: number
  readonly free: number
}

export const noBytes: ReplyBytes = { charged: 0, free: 0 }

/** The replies of a key, where a call brings an idempotency key. */
export interface ReplyState {
  /** The row under the same idempotency key. */
  readonly stored: { readonly requestHash: string; readonly isStored: boolean } | undefined
  readonly used: ReplyBytes
}

/** Everything that the charge of a call depends on. */
export interface Payer {
  readonly balance: MicroUsd
  /** A charge that takes the balance below it emits `wallet.low`. */
  readonly lowBalance?: MicroUsd | undefined
  /** Absent: the call counts against no caps. */
  readonly agent?: AgentMonth | undefined
  readonly reply?: ReplyState | undefined
}

interface Purchase extends Price {
  readonly caller: Pick<Caller, "agent" | "perMinute">
  /** Start of the call, epoch milliseconds. */
  readonly at: number
  /** The reply to be stored; without `bytes` only its key and hash. */
  readonly reply?: { readonly requestHash: string; readonly bytes?: number | undefined } | undefined
}

/** An event that a charge causes, written in the same commit. */
type ChargeEvent = ReturnType<typeof budgetEvent> | ReturnType<typeof lowBalanceEvent>

/** Outcome of a call. Unless its verdict is `Accepted`, only the events are written. */
export interface Decision {
  readonly verdict: Verdict
  /** Added to the agent's spend; 0 for a repeated free call. */
  readonly counted: MicroUsd
  /** The row of the reply: its bytes in the limit of the day, and whether the answer is stored in it. Absent: none. */
  readonly reply?: { readonly size: number; readonly isWhole: boolean }
  readonly events: ReadonlyArray<ChargeEvent>
}

/** Bytes of a stored reply's row without its answer, indexes included. */
export const rowBytes = 256
/** Bytes that a charged call may store, its row included. */
export const maxChargedReplyBytes = 4_096

/** Most bytes of one key's replies in a UTC day. */
export const dailyReplyBytes = {
  /** Answers of free calls. */
  freeReplies: 524_288,
  /** All rows of free calls, with or without answer. */
  free: 1_048_576,
  /** Answers of charged calls: 4 KiB for each call that the key's rate limit allows in a day. */
  charged: (perMinute: number): number => perMinute * 1_440 * maxChargedReplyBytes,
} as const

/** How long a stored reply is valid, milliseconds. */
export const replyLifetimeMs: number = day

/** Why a payer cannot pay a price now: a cap, or the wallet. Undefined: it can. A price of 0 exceeds nothing. */
export const refusal = ({ balance, agent }: Funds, { list, micros }: Price): Refusal | undefined => {
  if (agent !== undefined && list > 0) {
    const { monthlyCap, budgetCap, monthSpent, totalSpent } = agent
    if (monthlyCap !== undefined && monthSpent + list > monthlyCap) return { _tag: "Capped", cap: "monthly" }
    if (budgetCap !== undefined && totalSpent + list > budgetCap) return { _tag: "Capped", cap: "lifetime" }
  }
  return micros > 0 && balance < micros ? { _tag: "Insufficient", balance } : undefined
}

const none: ReadonlyArray<never> = []

const toRefusal = (verdict: Verdict, events: Decision["events"] = none): Decision => ({
  verdict,
  counted: zero,
  events,
})

const budgetEvent = (
  type: "agent.budget_warning" | "agent.budget_exceeded",
  agent: AgentMonth,
  { caller, at }: Purchase,
) => {
  const [cap, spent] = [agent.monthlyCap!, agent.monthSpent]
  return {
    type,
    data: {
      agent_id: caller.agent!.id,
      agent_name: agent.name,
      period: monthOf(at),
      cap_micros: cap,
      spent_micros: spent,
      percent: cap === 0 ? 100 : Math.floor((spent * 100) / cap),
      resets_at: iso(nextMonth(at)),
    },
  }
}

/** Events of the monthly cap, each once a month; the warning first if one charge crosses both levels. */
const budgetEvents = (agent: AgentMonth, charge: Purchase, counted: MicroUsd): ReadonlyArray<ChargeEvent> => {
  const cap = agent.monthlyCap
  if (cap === undefined || counted === 0) return none
  const after = { ...agent, monthSpent: MicroUsd(agent.monthSpent + counted) }
  const isReached = after.monthSpent >= cap
  return [
    ...(!agent.warned && isWarning(after.monthSpent, cap)
      ? [budgetEvent("agent.budget_warning", after, charge)]
      : none),
    ...(!agent.exceeded && isReached ? [budgetEvent("agent.budget_exceeded", after, charge)] : none),
  ]
}

const lowBalanceEvent = (balance: number, threshold: MicroUsd) =>
  ({ type: "wallet.low", data: { balance_micros: balance, threshold_micros: threshold } }) as const

const lowBalanceEvents = ({ balance, lowBalance }: Payer, micros: MicroUsd): ReadonlyArray<ChargeEvent> =>
  lowBalance !== undefined && balance >= lowBalance && balance - micros < lowBalance
    ? [lowBalanceEvent(balance - micros, lowBalance)]
    : none

/** The row of a reply: undefined for none; the verdict if the call must not run without it. */
const replyRow = (
  { stored, used }: ReplyState,
  { micros, caller: { perMinute }, reply }: Purchase,
  isLow: boolean,
): Decision["reply"] | "again" | "Concurrent" | "ReplyQuotaExceeded" => {
  const { requestHash, bytes } = reply!
  if (stored !== undefined && (stored.isStored || stored.requestHash !== requestHash)) return "Concurrent"
  const size = rowBytes + (bytes ?? 0)
  if (micros > 0) {
    return used.charged + size > dailyReplyBytes.charged(perMinute)
      ? "ReplyQuotaExceeded"
      : { size, isWhole: bytes !== undefined }
  }
  if (stored !== undefined) return "again"
  const isWhole = bytes !== undefined && used.free + size <= dailyReplyBytes.freeReplies
  const counted = isWhole ? size : rowBytes
  return isLow || used.free + counted > dailyReplyBytes.free ? undefined : { size: counted, isWhole }
}

/** The decision on most calls: accepted, without agent, reply and events. */
const acceptedPlain: Decision = { verdict: accepted, counted: zero, events: none }

/**
 * The rules of a charge: whether a call is accepted, and what its charge changes. Caps are checked before the wallet, the
 * wallet before the stored reply. Every engine decides by this function.
 *
 * @param isLow disk space is low: free calls store no reply
 */
export const decide = (payer: Payer, charge: Purchase, isLow = false): Decision => {
  const { list, micros } = charge
  const { agent, reply } = payer
  const verdict = refusal(payer, charge)
  if (verdict !== undefined) {
    // The month's first call that the monthly cap refuses, even if the spend is below it; the lifetime cap has no event.
    const isFirst = verdict._tag === "Capped" && verdict.cap === "monthly" && agent?.exceeded === false
    return toRefusal(verdict, isFirst ? [budgetEvent("agent.budget_exceeded", agent, charge)] : none)
  }
  if (agent === undefined && reply === undefined && payer.lowBalance === undefined) return acceptedPlain
  const row = reply === undefined ? undefined : replyRow(reply, charge, isLow)
  if (row === "Concurrent" || row === "ReplyQuotaExceeded") return toRefusal({ _tag: row })
  const counted = agent === undefined || row === "again" ? zero : list
  const budget = agent === undefined ? none : budgetEvents(agent, charge, counted)
  return {
    verdict: accepted,
    counted,
    ...(row === undefined || row === "again" ? {} : { reply: row }),
    events: [...lowBalanceEvents(payer, micros), ...budget],
  }
}
