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
import { type AgentRow, agentMonth, agentStatus } from "./agentSpend.ts"
import * as Replies from "./replies.ts"

/** The balance check before a call is skipped for a payer whose balance was at least this multiple of the price. */
const ampleMultiple = 1_000

/**
 * How long a hint holds. On several nodes each has calls of an account seldom: with a second, most calls of a thousand
 * accounts would read its balance.
 */
const hintMs = 30_000
const maxHints = 100_000

const payerKey = ({ agent, accountId, livemode }: Caller): string =>
  agent === undefined ? accountId : `${agent.id}/${livemode}`

/** The price whose payer gets a hint. */
export const hintPrice = (list: MicroUsd, micros: MicroUsd): Price => ({
  list: MicroUsd(list * ampleMultiple),
  micros: MicroUsd(micros * ampleMultiple),
})

/**
 * Accounts, and agents, that could pay 1,000 times the price half a minute ago: they skip the check before the work.
 * The charge still decides.
 */
export const makeHints = () => {
  const until = new BoundedMap<string, number>(maxHints)
  return {
    set: (caller: Caller, at: number): void => until.set(payerKey(caller), at + hintMs),
    /** A clock that stepped back must not extend it. */
    has: (caller: Caller, at: number): boolean => {
      const end = until.get(payerKey(caller))
      return end !== undefined && at < end && end - at <= hintMs
    },
  }
}

/** A call at a wallet. */
export interface Asked extends Pick<Charge, "caller" | "list" | "micros"> {
  readonly at: number
}

/** What an engine reads, and writes in its batches. */
export interface Engine {
  readonly balance: (accountId: string) => Step.Step<MicroUsd, Failure>
  readonly agent: (agentId: string, livemode: boolean, month: string) => Step.Step<AgentRow | undefined, Failure>
  /** Charges of calls that began in a month, of one key or of all that the account has. */
  readonly spent: (accountId: string, month: string, keyId?: string) => Step.Step<MicroUsd, Failure>
  readonly reply: (keyId: string, key: string, after: number) => Step.Step<Replies.Row | undefined, Failure>
  /** Writes the event of a call that a cap refuses before its work. */
  readonly refuse: (asked: Asked) => Step.Step<unknown, Failure>
  /** @param written the call's capture */
  readonly charge: (
    charge: Charge,
    reply: Replies.Reply | undefined,
    written: ReadonlyArray<sqlCaptures.Written>,
  ) => Step.Step<Verdict, Failure>
  readonly reached: (written: ReadonlyArray<sqlCaptures.Written>) => void
}

/** A ledger over an engine, but for its trail. */
export const make = (engine: Engine): Omit<Ledger["Type"], "appendAudit"> => {
  const balanceHints = makeHints()
  const readAgent = ({ agent, livemode }: Caller, at: number) =>
    agent === undefined ? Exit.succeed(undefined) : engine.agent(agent.id, livemode, monthOf(at))
  return {
    balance: Step.methodFrom(engine.balance),
    accountSpent: Step.methodFrom((accountId, month) => engine.spent(accountId, month)),
    spendStatus: Step.method(function* (caller, at) {
      const month = monthOf(at)
      const agent = agentStatus(yield* readAgent(caller, at))
      const monthSpent = yield* engine.spent(caller.accountId, month, caller.keyId)
      return { balance: yield* engine.balance(caller.accountId), month, monthSpent, ...agent }
    }),
    precheck: Step.method(function* (caller, list, micros, at) {
      const isFree = micros === 0 && (list === 0 || caller.agent === undefined)
      if (isFree || balanceHints.has(caller, at)) return accepted
      const row = list === 0 ? undefined : yield* readAgent(caller, at)
      const balance = micros === 0 ? zero : yield* engine.balance(caller.accountId)
      const payer = { balance, agent: row && agentMonth(row) }
      if (micros > 0 && refusal(payer, hintPrice(list, micros)) === undefined) balanceHints.set(caller, at)
      const asked = { caller, list, micros, at }
      const { verdict, events } = decide(payer, asked)
      if (verdict._tag !== "Accepted" && events.length > 0) yield* engine.refuse(asked)
      return verdict
    }),
    charge: Step.method(function* (charge) {
      const reply = yield* Replies.packed(charge)
      const { captured } = charge
      const written = captured === undefined ? [] : [sqlCaptures.writtenOf(captured)]
      const verdict = yield* engine.charge(charge, reply, written)
      if (verdict._tag === "Accepted") engine.reached(written)
      return verdict
    }),
    recall: Step.method(function* (keyId, key, now) {
      return yield* Replies.recalled(key, yield* engine.reply(keyId, key, now - replyLifetimeMs))
    }),
  }
}
