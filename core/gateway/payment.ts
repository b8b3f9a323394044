import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Agent from "../account/Agent.ts"
import type { RateLimitState } from "../account/Bucket.ts"
import type { Price, Verdict } from "../account/decide.ts"
import type { Caller } from "../account/Keyring.ts"
import { type Audit, type Charge, Ledger, type StoredReply } from "../account/Ledger.ts"
import { type MicroUsd, zero } from "../account/Money.ts"
import { RateLimits } from "../account/RateLimits.ts"
import * as Envelope from "../endpoint/Envelope.ts"
import * as Pricing from "../endpoint/Pricing.ts"
import { type Failure, fail } from "../Failure.ts"
import { ifDefined } from "../ifDefined.ts"
import { asBuyer, type Captured } from "../record/captures/Captures.ts"
import * as Step from "../Step.ts"
import { iso } from "../time.ts"
import type { PreparedAnswer } from "./answering.ts"
import type { Call, KeyedQuestion, Progress, Quoted } from "./Call.ts"
import { replyQuotaFailure } from "./idempotency.ts"
import * as Offers from "./offers.ts"
import * as SealedReplies from "./sealedReplies.ts"

/** The end of a call, for its audit row. */
export interface End {
  readonly status: number
  readonly code?: string
  readonly endpoint: string
  readonly paramsHash: string
  readonly fields?: string
}

const monthlyCapFailure = (now: number): Failure => {
  const resetsAt = Agent.nextMonth(now)
  const suggestion = `The cap resets at ${iso(resetsAt)}. Wait, or ask the account's owner to raise it. Free endpoints still answer.`
  return fail("agent_budget_exceeded", {
    detail: "The agent of this key has reached its monthly cap.",
    retryAfterMs: resetsAt - now,
    hints: [{ field: "monthly_cap", action: "wait", suggestion }],
  })
}

/** Counts an uncharged call against the limit of its account. The answer shows whichever limit has less left. */
const makeTakeUncharged = (take: (name: string, perMinute: number) => Step.Step<RateLimitState, Failure>) =>
  Step.fn(function* (progress: Progress, { accountId, perMinute, accountPerMinute = 0 }: Caller) {
    const taken = yield* take(`account:${accountId}`, Math.max(perMinute, accountPerMinute))
    const { limit } = progress.stage
    if (limit === undefined || taken.remaining < limit.remaining) progress.stage = { ...progress.stage, limit: taken }
    if (taken.ok) return
    const suggestion = "Wait, or ask for a higher tier: more keys do not raise this limit. Charged calls do not count."
    return yield* fail("account_rate_limited", {
      detail: `Rate limit exceeded: ${taken.limit} calls per minute that are not charged, over all keys of this account.`,
      retryAfterMs: taken.retryAfterMs,
      hints: [{ field: "Authorization", action: "wait", suggestion }],
    })
  })

const lifetimeCapFailure = fail("agent_budget_exceeded", {
  detail: "The agent of this key has reached its lifetime cap.",
  hints: [
    {
      field: "budget_cap",
      action: "contact",
      suggestion: "The cap does not reset. Ask the account's owner to raise it. Free endpoints still answer.",
    },
  ],
})

/** The capture with its buyer, who may have got an account and a key by the payment after the answer was made. */
const withBuyer = (captured: Captured, by: Caller): Captured => {
  const { bought } = captured.capture
  return bought === undefined || bought.keyId === by.keyId
    ? captured
    : { ...captured, capture: { ...captured.capture, bought: { ...bought, ...asBuyer(by), keyId: by.keyId } } }
}

const makeAudit = (call: Call, caller: Caller, end: End, charged: MicroUsd, now: number): Audit => ({
  at: call.startedAt,
  requestId: call.requestId,
  accountId: caller.accountId,
  ...(caller.agent === undefined ? {} : { agentId: caller.agent.id }),
  keyId: caller.keyId,
  charged,
  latencyMs: Math.max(0, now - call.startedAt),
  ...end,
})

/** Free calls, and calls of test keys without an agent, need no durable write. */
const isFree = ({ micros, list }: Price, { agent }: Caller): boolean =>
  micros === 0 && (list === 0 || agent === undefined)

/**
 * The sale of an answer. An answer that the client already has, that is not billable, or that answers HEAD is free.
 *
 * @param idempotencyKey the answer is stored under it
 */
const toSale = (
  { question: { call, caller, endpoint, paramsHash }, price }: Quoted,
  { answer, prepared, unchanged, captured }: PreparedAnswer,
  idempotencyKey: string | undefined,
  sealed: SealedReplies.SealedReplies,
) => {
  const isSold = !unchanged && answer.billable !== false && call.context.head !== true
  const end: End = { status: unchanged ? 304 : 200, endpoint: endpoint.id, paramsHash }
  const reply: StoredReply | undefined =
    idempotencyKey === undefined || unchanged
      ? undefined
      : {
          key: idempotencyKey,
          requestHash: paramsHash,
          ...ifDefined("stored", sealed.seal(endpoint, caller.keyId, idempotencyKey, Envelope.toStored(prepared))),
        }
  return { price: isSold ? price : Pricing.nothing, captured: isSold ? captured : undefined, end, reply }
}

const toCharge = (call: Call, caller: Caller, sale: ReturnType<typeof toSale>, now: number): Charge => {
  const { price, captured, end, reply } = sale
  return {
    caller,
    listMicros: price.list,
    chargedMicros: price.micros,
    audit: makeAudit(call, caller, end, price.micros, now),
    ...ifDefined("reply", reply),
    ...ifDefined("captured", captured && withBuyer(captured, caller)),
  }
}

const verdictFailure = (offers: Offers.Offers, { question, price }: Quoted, verdict: Verdict, now: number): Failure => {
  switch (verdict._tag) {
    case "Capped":
      return verdict.cap === "monthly" ? monthlyCapFailure(now) : lifetimeCapFailure
    case "Insufficient":
      return offers.insufficient(question, price.micros, { now, balance: verdict.balance })
    default:
      return fail("idempotency_in_progress", { retryAfterMs: 1_000 })
  }
}

const noBalance: Verdict = { _tag: "Insufficient", balance: zero }

/** Checks budget and wallet before the work, charges both after it, and writes the audit row of every keyed call. */
export const make = Effect.gen(function* () {
  const clock = yield* Effect.clock
  const ledger = yield* Ledger
  const check = Step.eager(ledger.precheck)
  const charge = Step.eager(ledger.charge)
  const append = Step.eager(ledger.appendAudit)
  const takeUncharged = makeTakeUncharged(Step.eager((yield* RateLimits).take))
  const offers = yield* Offers.make
  const sealed = yield* SealedReplies.make

  /** A payer without an account has no audit trail either. */
  const appendUnlessNew = (audit: Audit, { isNew }: Caller): Step.Step<void> =>
    isNew === true ? Exit.void : append(audit)

  return {
    payer: offers.payer,
    takeUncharged,

    precheck: Step.fn(function* (progress: Progress, question: KeyedQuestion, price: Price) {
      const { call, caller } = question
      if (price.micros === 0 || call.context.head === true) yield* takeUncharged(progress, caller)
      if (isFree(price, caller)) return { question, price, payment: undefined } satisfies Quoted
      const payment =
        question.payment ??
        (call.context.payment === undefined ? undefined : yield* offers.read(question, price.micros))
      const quoted: Quoted = { question, price, payment }
      const verdict = caller.isNew === true ? noBalance : yield* check(caller, price.list, price.micros, call.startedAt)
      if (verdict._tag === "Accepted") return quoted
      if (verdict._tag === "Insufficient" && payment !== undefined && verdict.balance + payment.micros >= price.micros)
        return quoted
      return yield* verdictFailure(offers, quoted, verdict, call.startedAt)
    }),

    /** Charges the call and writes its audit row, or fails. */
    charge: Step.fn(function* (
      progress: Progress,
      quoted: Quoted,
      prepared: PreparedAnswer,
      idempotencyKey: string | undefined,
    ) {
      const { call, caller } = quoted.question
      const sale = toSale(quoted, prepared, idempotencyKey, sealed)
      const { price, captured, end, reply } = sale
      const { micros } = price
      // Only the answer shows that this call is free.
      if (micros === 0 && quoted.price.micros > 0 && call.context.head !== true) yield* takeUncharged(progress, caller)
      const offer = micros > 0 ? quoted.payment : undefined
      const now = clock.unsafeCurrentTimeMillis()
      if (isFree(price, caller) && ((reply ?? captured) === undefined || caller.isNew === true))
        return yield* Step.andThen(appendUnlessNew(makeAudit(call, caller, end, micros, now), caller), () =>
          Exit.succeed(zero),
        )
      const chargeTo = (by: Caller) => charge(toCharge(call, by, sale, now))
      const isPaidNow = offer !== undefined && !(yield* offers.isCovered(quoted.question, micros))
      const payer = isPaidNow ? yield* offers.take(progress, quoted, caller, offer) : caller
      let verdict = yield* chargeTo(payer)
      // Another call of the payer has used the rest.
      if (verdict._tag === "Insufficient" && offer !== undefined && !isPaidNow) {
        yield* offers.take(progress, quoted, payer, offer)
        verdict = yield* chargeTo(payer)
      }
      if (verdict._tag === "ReplyQuotaExceeded") return yield* replyQuotaFailure(call, now)
      if (verdict._tag !== "Accepted") return yield* verdictFailure(offers, quoted, verdict, now)
      return micros
    }),

    /** Appends the audit row of a keyed call without a charge. */
    appendAudit: (call: Call, caller: Caller, end: End): Step.Step<void> =>
      appendUnlessNew(makeAudit(call, caller, end, zero, clock.unsafeCurrentTimeMillis()), caller),
  }
})

export type Payment = Effect.Effect.Success<typeof make>
