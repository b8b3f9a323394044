import * as Exit from "effect/Exit"
import { monthOf } from "../../../core/account/Agent.ts"
import { accepted, decide, type Price, refusal, replyLifetimeMs, type Verdict } from "../../../core/account/decide.ts"
import type { Caller } from "../../../core/account/Keyring.ts"
import type { Charge, Ledger } from "../../../core/account/Ledger.ts"
import { MicroUsd, zero } from "../../../core/account/Money.ts"
import { BoundedMap } from "../../../core/BoundedMap.ts"
import type { Failure } from "../../../core/Failure.ts"
import * as Step from "../../../core/Step.ts"
import * as sqlCaptures from "../record/Captures.ts"
import { type AgentRow, toAgentMonth, toAgentStatus } from "./agentSpend.ts"
import * as Replies from "./replies.ts"

/** A payer whose balance was at least this multiple of the price skips the check before a call. */
const hintMultiple = 1_000

/**
 * How long a payer skips the check, milliseconds. With several nodes each sees an account rarely: with a second, most calls of
 * a thousand accounts would read the balance.
 */
const hintMs = 30_000
const maxHints = 100_000

const payerKey = ({ agent, accountId, livemode }: Caller): string =>
  agent === undefined ? accountId : `${agent.id}/${livemode}`

/** The price that a payer must be able to pay to skip the check. */
export const hintPrice = (list: MicroUsd, micros: MicroUsd): Price => ({
  list: MicroUsd(list * hintMultiple),
  micros: MicroUsd(micros * hintMultiple),
})

/**
 * Accounts, and agents, that could pay 1,000 times the price half a minute ago: they skip the check before the work.
 * The charge still decides.
 */
export const makeHints = () => {
  const until = new BoundedMap<string, number>(maxHints)
  return {
    set: (caller: Caller, at: number): void => until.set(payerKey(caller), at + hintMs),
    /** Also false if the clock was set back, which must not extend the time. */
    has: (caller: Caller, at: number): boolean => {
      const end = until.get(payerKey(caller))
      return end !== undefined && at < end && end - at <= hintMs
    },
  }
}

/** A call, with what its price is decided by. */
export interface PricedCall extends Price {
  readonly caller: Caller
  readonly at: number
}

/** What an engine reads, and writes in its batches. */
export interface Engine {
  readonly balance: (accountId: string) => Step.Step<MicroUsd, Failure>
  readonly agent: (agentId: string, livemode: boolean, month: string) => Step.Step<AgentRow | undefined, Failure>
  /** Charges of calls that began in a month, of one key or of the whole account. */
  readonly spent: (accountId: string, month: string, keyId?: string) => Step.Step<MicroUsd, Failure>
  readonly reply: (keyId: string, key: string, after: number) => Step.Step<Replies.Row | undefined, Failure>
  /** Writes the event of a call that a cap refuses before its work. */
  readonly refuse: (asked: PricedCall) => Step.Step<unknown, Failure>
  /** @param written the call's capture */
  readonly charge: (
    charge: Charge,
    reply: Replies.Reply | undefined,
    written: ReadonlyArray<sqlCaptures.WritableCapture>,
  ) => Step.Step<Verdict, Failure>
  readonly reached: (written: ReadonlyArray<sqlCaptures.WritableCapture>) => void
}

/** A ledger over an engine, without its trail. */
export const make = (engine: Engine): Omit<Ledger["Type"], "appendAudit"> => {
  const balanceHints = makeHints()
  const readAgent = ({ agent, livemode }: Caller, at: number) =>
    agent === undefined ? Exit.succeed(undefined) : engine.agent(agent.id, livemode, monthOf(at))
  return {
    balance: Step.methodFrom(engine.balance),
    accountSpent: Step.methodFrom((accountId, month) => engine.spent(accountId, month)),
    spendStatus: Step.method(function* (caller, at) {
      const month = monthOf(at)
      const agent = toAgentStatus(yield* readAgent(caller, at))
      const monthSpent = yield* engine.spent(caller.accountId, month, caller.keyId)
      return { balance: yield* engine.balance(caller.accountId), month, monthSpent, ...agent }
    }),
    precheck: Step.method(function* (caller, list, micros, at) {
      const isFree = micros === 0 && (list === 0 || caller.agent === undefined)
      if (isFree || balanceHints.has(caller, at)) return accepted
      const row = list === 0 ? undefined : yield* readAgent(caller, at)
      const balance = micros === 0 ? zero : yield* engine.balance(caller.accountId)
      const payer = { balance, agent: row && toAgentMonth(row) }
      if (micros > 0 && refusal(payer, hintPrice(list, micros)) === undefined) balanceHints.set(caller, at)
      const asked = { caller, list, micros, at }
      const { verdict, events } = decide(payer, asked)
      if (verdict._tag !== "Accepted" && events.length > 0) yield* engine.refuse(asked)
      return verdict
    }),
    charge: Step.method(function* (charge) {
      const reply = yield* Replies.pack(charge)
      const { captured } = charge
      const written = captured === undefined ? [] : [sqlCaptures.toWritable(captured)]
      const verdict = yield* engine.charge(charge, reply, written)
      if (verdict._tag === "Accepted") engine.reached(written)
      return verdict
    }),
    recall: Step.method(function* (keyId, key, now) {
      return yield* Replies.recall(key, yield* engine.reply(keyId, key, now - replyLifetimeMs))
    }),
  }
}
