import * as Effect from "effect/Effect"
import * as Agent from "../account/Agent.ts"
import type { Caller } from "../account/Keyring.ts"
import { type Audit, Ledger, type StoredReply, type Verdict } from "../account/Ledger.ts"
import { display, MicroUsd, zero } from "../account/Money.ts"
import type { Price } from "../account/Pricing.ts"
import * as Quote from "../account/Quote.ts"
import * as Endpoint from "../endpoint/Endpoint.ts"
import { ifDefined } from "../endpoint/Field.ts"
import { type Failure, fail, type Quote as ShownQuote } from "../Failure.ts"
import { type Offer, Paying } from "../payment/Paying.ts"
import type { Captured } from "../record/captures/Captures.ts"
import * as Step from "../Step.ts"
import { iso } from "../time.ts"
import { BaseUrl } from "./BaseUrl.ts"
import type { Call } from "./Call.ts"
import { notStorable } from "./idempotency.ts"

/** The end of a call, for its audit row. */
export interface End {
  readonly status: number
  readonly code?: string
  readonly endpoint: string
  readonly paramsHash: string
}

const monthlyCap = (now: number): Failure => {
  const resetsAt = Agent.nextMonth(now)
  const suggestion = `The cap resets at ${iso(resetsAt)}. Wait, or ask the account's owner to raise it. Free endpoints still answer.`
  return fail("agent_budget_exceeded", {
    detail: "The agent of this key has reached its monthly cap.",
    retryAfterMs: resetsAt - now,
    hints: [{ field: "monthly_cap", action: "wait", suggestion }],
  })
}

const lifetimeCap = fail("agent_budget_exceeded", {
  detail: "The agent of this key has reached its lifetime cap.",
  hints: [
    {
      field: "budget_cap",
      action: "contact",
      suggestion: "The cap does not reset. Ask the account's owner to raise it. Free endpoints still answer.",
    },
  ],
})

const unpaid = (quote: ShownQuote): Failure => {
  const suggestion = `Credit at least ${display(quote.shortfall_micros)} (${quote.topup_url}), then repeat the call. A test key answers the same call with mock data, free.`
  return fail("insufficient_funds", { quote, hints: [{ field: "wallet", action: "add", suggestion }] })
}

const unpaidWithoutKey = fail("payment_required", {
  hints: [
    { field: "Authorization", action: "add", suggestion: "Send the header Authorization: Bearer <API key>." },
    {
      field: "PAYMENT-SIGNATURE",
      action: "add",
      suggestion:
        "Or pay for this call: sign a payment on one of the terms in quote.accepts (x402) and repeat the call.",
    },
  ],
})

/** Checks budget and wallet before the work, settles both after it, and writes the audit row of every keyed call. */
export const make = Effect.gen(function* () {
  const clock = yield* Effect.clock
  const ledger = yield* Ledger
  const [check, settle, append] = [
    Step.starting(ledger.precheck),
    Step.starting(ledger.settle),
    Step.starting(ledger.appendAudit),
  ]
  const { baseUrl } = yield* BaseUrl
  const paying = yield* Paying

  /** The failure of a call that is not paid for, with the ways to pay. */
  const withTerms = (
    call: Call,
    endpoint: Endpoint.Any,
    price: MicroUsd,
    failureOf: (quote: ShownQuote) => Failure,
    known: { readonly now: number; readonly balance?: MicroUsd } = { now: call.startedAt },
  ): Failure => {
    const accepts = paying?.terms(price, call.context.authorization !== undefined) ?? []
    const quote = Quote.make({
      endpoint: endpoint.path,
      price,
      topupUrl: `${baseUrl}${Quote.topUpPath}`,
      forAgent: call.caller?.agent !== undefined,
      accepts,
      ...known,
    })
    const failure = failureOf(quote)
    if (paying === undefined) return failure
    const required = paying.required(`${baseUrl}${endpoint.path}`, accepts, failure.message)
    const { code, detail, hints, retryAfterMs, cause } = failure
    return fail(code, {
      quote,
      required,
      ...ifDefined("detail", detail),
      ...ifDefined("hints", hints),
      ...ifDefined("retryAfterMs", retryAfterMs),
      ...ifDefined("cause", cause),
    })
  }

  /** The payment that came with a call, checked. */
  const offered = (
    call: Call,
    endpoint: Endpoint.Any,
    price: MicroUsd,
    header: string,
    { offer }: NonNullable<Paying["Type"]>,
  ): Effect.Effect<Offer, Failure> =>
    Effect.mapError(offer(header, price, call.context.authorization !== undefined), (failure) =>
      failure.status === 402 ? withTerms(call, endpoint, price, () => failure) : failure,
    )

  /** Takes the payment of a call. Without a key, money of an earlier payment is used first. */
  const takeOffer = Step.fn(function* (call: Call, { accountId }: Caller, endpoint: Endpoint.Any, price: MicroUsd) {
    const { offer } = call
    if (offer === undefined) return
    const isCovered = call.context.authorization === undefined && (yield* ledger.balance(accountId)) >= price
    if (isCovered) return
    call.receipt = yield* Effect.mapError(offer.take(accountId), (failure) =>
      failure.status === 402 ? withTerms(call, endpoint, price, () => failure) : failure,
    )
  })

  const failureFor = (verdict: Verdict, call: Call, endpoint: Endpoint.Any, price: Price, now: number): Failure => {
    switch (verdict._tag) {
      case "Capped":
        return verdict.cap === "monthly" ? monthlyCap(now) : lifetimeCap
      case "Insufficient":
        return withTerms(call, endpoint, price.micros, unpaid, { now, balance: verdict.balance })
      default:
        return fail("idempotency_in_progress", { retryAfterMs: 1_000 })
    }
  }

  const auditOf = (call: Call, caller: Caller, end: End, charged: MicroUsd, now: number): Audit => ({
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

  return {
    /** The caller that the payment of a call without a key makes; a failure with the terms if it has none. */
    payer: Step.fn(function* (call: Call, endpoint: Endpoint.Any) {
      const price = MicroUsd(Endpoint.charge(endpoint))
      const { payment } = call.context
      if (paying === undefined || payment === undefined) {
        return yield* withTerms(call, endpoint, price, () => unpaidWithoutKey)
      }
      call.offer = yield* offered(call, endpoint, price, payment, paying)
      return yield* paying.callerOf(call.offer.payer)
    }),

    /** A cheap check before the work. */
    precheck: Step.fn(function* (call: Call, caller: Caller, endpoint: Endpoint.Any, price: Price) {
      if (isFree(price, caller)) return
      const { payment, head } = call.context
      if (payment !== undefined && paying !== undefined && price.micros > 0 && head !== true) {
        call.offer ??= yield* offered(call, endpoint, price.micros, payment, paying)
      }
      const verdict = yield* check(caller, price.list, price.micros, call.startedAt)
      if (verdict._tag === "Settled") return
      const { offer } = call
      if (verdict._tag === "Insufficient" && offer !== undefined && verdict.balance + offer.micros >= price.micros)
        return
      return yield* failureFor(verdict, call, endpoint, price, call.startedAt)
    }),

    /** Charges the call and writes its audit row, or fails. */
    settle: Step.fn(function* (
      call: Call,
      caller: Caller,
      endpoint: Endpoint.Any,
      price: Price,
      end: End,
      reply: StoredReply | undefined,
      captured: Captured | undefined,
    ) {
      const now = clock.unsafeCurrentTimeMillis()
      const audit = auditOf(call, caller, end, price.micros, now)
      if (isFree(price, caller) && (reply ?? captured) === undefined) {
        yield* append(audit)
        return zero
      }
      if (call.offer !== undefined && price.micros > 0) yield* takeOffer(call, caller, endpoint, price.micros)
      const verdict = yield* settle({
        caller,
        list: price.list,
        micros: price.micros,
        audit,
        ...ifDefined("reply", reply),
        ...ifDefined("captured", captured),
      })
      if (verdict._tag === "Unkept") return yield* notStorable(call, now)
      if (verdict._tag !== "Settled") return yield* failureFor(verdict, call, endpoint, price, now)
      return price.micros
    }),

    /** Appends the audit row of a keyed call without a settlement. */
    appendAudit: (call: Call, caller: Caller, end: End): Step.Step<void> =>
      append(auditOf(call, caller, end, zero, clock.unsafeCurrentTimeMillis())),
  }
})
