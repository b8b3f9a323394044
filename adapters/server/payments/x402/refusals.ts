import { type Code, type Failure, fail } from "../../../../core/Failure.ts"

/** A failure that names what to correct in the payment. */
export const refusal = (code: Code, field: string, suggestion: string): Failure =>
  fail(code, { hints: [{ field, action: "change", suggestion }] })

/** The failure if a service did not answer and nothing was taken. */
export const unreachable = (who: string): Failure =>
  fail("upstream_unavailable", {
    detail: `${who} does not answer at the moment. Nothing was taken.`,
    retryAfterMs: 5_000,
  })

/**
 * The failure of a payment that was not sent: the node failed or refused it, or our gas is used up.
 *
 * @param gasMs milliseconds until there is gas again; undefined: gas is not the reason
 */
export const notSent = (gasMs?: number): Failure =>
  fail("upstream_unavailable", {
    detail: "The payment was not sent to the network. Nothing was taken, and this payment cannot be used any more.",
    hints: [
      { field: "payload.authorization.nonce", action: "change", suggestion: "Sign a new payment with another nonce." },
    ],
    retryAfterMs: gasMs ?? 5_000,
  })

/** The failure of a payment that may have been sent and that the chain does not show. */
export const unconfirmed = (): Failure =>
  fail("payment_unconfirmed", {
    hints: [
      {
        field: "PAYMENT-SIGNATURE",
        action: "wait",
        suggestion:
          "Wait for the network, then call again: with a key without a payment; without one, a minute later, with a new payment, which is not taken if this one has arrived.",
      },
    ],
    retryAfterMs: 10_000,
  })

export const replayed = (): Failure =>
  refusal("payment_replayed", "payload.authorization.nonce", "Sign a new payment with another nonce.")

/** Failures by words in a facilitator's reason, the first match: codes differ between facilitators and are added to. */
const reasons: ReadonlyArray<readonly [RegExp, () => Failure]> = [
  [/nonce.*used|already.*used|replay/i, replayed],
  [
    /valid_?before|valid_?after|expired/i,
    () => refusal("payment_expired", "payload.authorization.validBefore", "Sign a payment that is valid now."),
  ],
  [
    /insufficient.*(balance|funds)/i,
    () => refusal("payment_invalid", "payload.authorization.from", "The payer has too little of the token: fund it."),
  ],
  [
    /signature/i,
    () =>
      refusal(
        "payment_invalid",
        "payload.signature",
        "Sign the authorization with the payer's key, by the token's name and version in the terms.",
      ),
  ],
  [
    /value|amount/i,
    () => refusal("payment_underpaid", "payload.authorization.value", "Pay exactly one of the amounts."),
  ],
  [/recipient|pay_?to/i, () => refusal("payment_invalid", "payload.authorization.to", "Pay to the terms' payTo.")],
]

/**
 * Whether a reason says nothing about the payment: the facilitator failed, or does not serve the network, which has already
 * been checked.
 */
export const isOutage = (reason: string): boolean =>
  /unexpected|internal|unsupported|network|timeout|unavailable/i.test(reason)

/** Whether a reason says what is wrong with the payment, so that nothing was sent. */
export const isDefinite = (reason: string): boolean =>
  !isOutage(reason) && reasons.some(([pattern]) => pattern.test(reason))

export const refused = (reason: string): Failure =>
  reasons.find(([pattern]) => pattern.test(reason))?.[1]() ??
  refusal(
    "payment_invalid",
    "payload.authorization",
    "The token refuses this transfer: sign a new one, or fund the payer.",
  )
