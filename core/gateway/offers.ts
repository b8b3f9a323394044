import * as Effect from "effect/Effect"
import type { Caller } from "../account/Keyring.ts"
import { Ledger } from "../account/Ledger.ts"
import { display, MicroUsd } from "../account/Money.ts"
import * as Quote from "../account/Quote.ts"
import { BaseUrl } from "../call/BaseUrl.ts"
import * as Endpoint from "../endpoint/Endpoint.ts"
import { type Failure, fail, type Quote as ShownQuote } from "../Failure.ts"
import { ifDefined } from "../ifDefined.ts"
import { CallPaymentGate, type Offer } from "../payment/CallPaymentGate.ts"
import * as Step from "../Step.ts"
import { missingKeyHint } from "./access.ts"
import type { Call, KeyedQuestion, Progress, Question, Quoted } from "./Call.ts"

const insufficientFunds = (quote: ShownQuote): Failure => {
  const suggestion = `Credit at least ${display(quote.shortfall_micros)} (${quote.topup_url}), then repeat the call. A test key answers the same call with mock data, free.`
  return fail("insufficient_funds", { hints: [{ field: "wallet", action: "add", suggestion }] })
}

const paymentRequired = ({ context }: Call): Failure =>
  fail("payment_required", {
    hints: [
      missingKeyHint(context),
      {
        field: "PAYMENT-SIGNATURE",
        action: "add",
        suggestion:
          "Or pay for this call: sign a payment on one of the terms in quote.accepts (x402) and repeat the call.",
      },
    ],
  })

const hasKey = ({ context: { authorization } }: Call): boolean => authorization !== undefined

/** A failure with the quote and the terms of payment. */
const makeWithTerms =
  (paying: CallPaymentGate["Type"], baseUrl: string) =>
  (
    { call, caller, endpoint }: Question,
    price: MicroUsd,
    failureOf: (quote: ShownQuote) => Failure,
    known: { readonly now: number; readonly balance?: MicroUsd } = { now: call.startedAt },
  ): Failure => {
    const accepts = paying?.terms(price, hasKey(call)) ?? []
    const quote = Quote.make({
      endpoint: endpoint.path,
      price,
      topupUrl: `${baseUrl}${Quote.topUpPath}`,
      forAgent: caller?.agent !== undefined,
      accepts,
      ...known,
    })
    const { code, message, detail, hints, retryAfterMs, cause } = failureOf(quote)
    return fail(code, {
      quote,
      ...(paying === undefined
        ? {}
        : { required: paying.required(`${baseUrl}${endpoint.path}`, accepts, message, endpoint) }),
      ...ifDefined("detail", detail),
      ...ifDefined("hints", hints),
      ...ifDefined("retryAfterMs", retryAfterMs),
      ...ifDefined("cause", cause),
    })
  }

/** The terms of payment for calls, and the payments that come with them. */
export const make = Effect.gen(function* () {
  const ledger = yield* Ledger
  const { baseUrl } = yield* BaseUrl
  const paying = yield* CallPaymentGate

  const withTerms = makeWithTerms(paying, baseUrl)

  /** A refused payment is answered with the terms again. */
  const refused = (question: Question, price: MicroUsd) => (failure: Failure) =>
    failure.status === 402 ? withTerms(question, price, () => failure) : failure

  return {
    /** The failure of a call that the wallet does not cover. */
    insufficient: (
      question: Question,
      price: MicroUsd,
      known: { readonly now: number; readonly balance: MicroUsd },
    ): Failure => withTerms(question, price, insufficientFunds, known),

    /** The payment that came with a call, checked; nothing is taken. */
    read: Step.fn(function* (question: Question, price: MicroUsd) {
      const { payment, head } = question.call.context
      if (paying === undefined || payment === undefined || price === 0 || head === true) return undefined
      return yield* Effect.mapError(paying.offer(payment, price, hasKey(question.call)), refused(question, price))
    }),

    /** The payment of a call without a key, and the caller whom it identifies. Without a payment it fails with the terms. */
    payer: Step.fn(function* (question: Question, isFree: boolean) {
      const { call, endpoint } = question
      const price = MicroUsd(Endpoint.charge(endpoint))
      const { payment } = call.context
      // A call that takes no payment has no payer: an account for it would cost nothing.
      if (paying === undefined || payment === undefined || isFree)
        return yield* withTerms(question, price, () => paymentRequired(call))
      const offer = yield* Effect.mapError(paying.offer(payment, price, false), refused(question, price))
      return { payment: offer, caller: yield* paying.callerOf(offer.payer) }
    }),

    /** Whether a payer without a key has enough money left from a payment whose call was cut off. */
    isCovered: Step.fn(function* ({ call, caller: { accountId, isNew } }: KeyedQuestion, price: MicroUsd) {
      if (paying === undefined || hasKey(call) || isNew === true) return false
      return (yield* paying.isLeft(accountId)) && (yield* ledger.balance(accountId)) >= price
    }),

    /** Takes the payment of a call and credits it. Returns the caller, who may have got an account by the payment. */
    take: Step.fn(function* (progress: Progress, { question, price }: Quoted, by: Caller, payment: Offer) {
      const { receipt, caller } = yield* Effect.mapError(payment.take(by), refused(question, price.micros))
      progress.stage = { ...progress.stage, caller, receipt }
      return caller
    }),
  }
})

export type Offers = Effect.Effect.Success<typeof make>
