import * as Effect from "effect/Effect"
import type { Caller } from "../account/Keyring.ts"
import { Ledger } from "../account/Ledger.ts"
import { display, MicroUsd } from "../account/Money.ts"
import * as Quote from "../account/Quote.ts"
import * as Endpoint from "../endpoint/Endpoint.ts"
import { ifDefined } from "../endpoint/Field.ts"
import { type Failure, fail, type Quote as ShownQuote } from "../Failure.ts"
import { type Offer, Paying } from "../payment/Paying.ts"
import * as Step from "../Step.ts"
import { hintOfKey } from "./access.ts"
import { BaseUrl } from "./BaseUrl.ts"
import type { Call } from "./Call.ts"

const unpaid = (quote: ShownQuote): Failure => {
  const suggestion = `Credit at least ${display(quote.shortfall_micros)} (${quote.topup_url}), then repeat the call. A test key answers the same call with mock data, free.`
  return fail("insufficient_funds", { hints: [{ field: "wallet", action: "add", suggestion }] })
}

const unpaidWithoutKey = ({ context }: Call): Failure =>
  fail("payment_required", {
    hints: [
      hintOfKey(context),
      {
        field: "PAYMENT-SIGNATURE",
        action: "add",
        suggestion:
          "Or pay for this call: sign a payment on one of the terms in quote.accepts (x402) and repeat the call.",
      },
    ],
  })

/** What is asked to be paid. */
interface Asked {
  readonly call: Call
  readonly endpoint: Endpoint.Any
  readonly price: MicroUsd
}

const hasKey = ({ context: { authorization } }: Call): boolean => authorization !== undefined

/** The terms of payment for calls, and the payments that come with them. */
export const make = Effect.gen(function* () {
  const ledger = yield* Ledger
  const { baseUrl } = yield* BaseUrl
  const paying = yield* Paying

  /** A failure with the quote and the terms of payment. */
  const withTerms = (
    { call, endpoint, price }: Asked,
    failureOf: (quote: ShownQuote) => Failure,
    known: { readonly now: number; readonly balance?: MicroUsd } = { now: call.startedAt },
  ): Failure => {
    const accepts = paying?.terms(price, hasKey(call)) ?? []
    const quote = Quote.make({
      endpoint: endpoint.path,
      price,
      topupUrl: `${baseUrl}${Quote.topUpPath}`,
      forAgent: call.caller?.agent !== undefined,
      accepts,
      ...known,
    })
    const { code, message, detail, hints, retryAfterMs, cause } = failureOf(quote)
    return fail(code, {
      quote,
      ...(paying === undefined ? {} : { required: paying.required(`${baseUrl}${endpoint.path}`, accepts, message) }),
      ...ifDefined("detail", detail),
      ...ifDefined("hints", hints),
      ...ifDefined("retryAfterMs", retryAfterMs),
      ...ifDefined("cause", cause),
    })
  }

  /** A payment that is refused is answered with the terms again. */
  const refused = (asked: Asked) => (failure: Failure) =>
    failure.status === 402 ? withTerms(asked, () => failure) : failure

  return {
    /** The failure of a call that the wallet does not cover. */
    insufficient: (asked: Asked, known: { readonly now: number; readonly balance: MicroUsd }): Failure =>
      withTerms(asked, unpaid, known),

    /** Reads the payment that came with a call, if it is not read yet; nothing is taken. */
    read: Step.fn(function* (asked: Asked) {
      const { call, price } = asked
      const { payment, head } = call.context
      if (paying === undefined || payment === undefined || price === 0 || head === true) return
      call.offer ??= yield* Effect.mapError(paying.offer(payment, price, hasKey(call)), refused(asked))
    }),

    /** The caller that the payment of a call without a key stands for; a failure with the terms if it has none. */
    payer: Step.fn(function* (call: Call, endpoint: Endpoint.Any, isFree: boolean) {
      const asked: Asked = { call, endpoint, price: MicroUsd(Endpoint.charge(endpoint)) }
      const { payment } = call.context
      // A call that takes no payment has no payer: an account for it would cost nothing.
      if (paying === undefined || payment === undefined || isFree)
        return yield* withTerms(asked, () => unpaidWithoutKey(call))
      call.offer = yield* Effect.mapError(paying.offer(payment, asked.price, false), refused(asked))
      return yield* paying.callerOf(call.offer.payer)
    }),

    /** Whether the payer of a call without a key has money left of a payment whose call was cut off. */
    isCovered: Step.fn(function* ({ call, price }: Asked, { accountId, isNew }: Caller) {
      if (paying === undefined || hasKey(call) || isNew === true) return false
      return (yield* paying.isLeft(accountId)) && (yield* ledger.balance(accountId)) >= price
    }),

    /** Takes the payment of a call and credits it. Returns the caller, who may have got an account by it. */
    take: Step.fn(function* (asked: Asked, by: Caller, offer: Offer) {
      const { receipt, caller } = yield* Effect.mapError(offer.take(by), refused(asked))
      asked.call.receipt = receipt
      asked.call.caller = caller
      return caller
    }),
  }
})
