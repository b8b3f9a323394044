import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { MicroUsd } from "../account/Money.ts"
import type { Failure } from "../Failure.ts"
import type { Fact, Order } from "./Order.ts"
import type { Books } from "./TopUp.ts"

/** Terms on which a payment sent with a call is accepted: an entry of x402's `accepts`. */
export interface Accept {
  readonly scheme: "exact"
  /** CAIP-2 id of the chain, such as `eip155:8453`. */
  readonly network: string
  /** Whole units of the token, decimal. */
  readonly amount: string
  /** Address of the token's contract. */
  readonly asset: string
  /** Address that is paid. */
  readonly payTo: string
  /** Seconds for which a signed payment must be valid at most. */
  readonly maxTimeoutSeconds: number
  /** Of the scheme: name and version of the token, which are part of the signature. */
  readonly extra: Readonly<Record<string, string>>
}

/** A payment that came with a call: genuine, covered by the payer's balance, and not yet taken. */
export interface Offered {
  /** Address of the payer, lower case. */
  readonly payer: string
  /** Identifies the signed payment for ever: a second use is recognised by it. */
  readonly reference: string
  readonly micros: MicroUsd
  /** Epoch milliseconds from which on it cannot be taken any more. */
  readonly endsAt: number
  /** Takes the money, and returns when it has arrived. */
  readonly take: (order: Order) => Effect.Effect<Taken, Failure>
}

export interface Taken {
  readonly fact: Extract<Fact, { kind: "paid" }>
  /** The value of the header `PAYMENT-RESPONSE`. */
  readonly receipt: string
}

/** Payments that agents send with a call, by the protocol x402. */
export interface CallPayments extends Books {
  /** Whether a payment for one call stands in for a key. */
  readonly keyless: boolean
  /** The terms for an amount. */
  readonly accept: (micros: MicroUsd) => Accept
  /**
   * The value of the header `PAYMENT-REQUIRED`.
   *
   * @param resource the URL that asks to be paid
   */
  readonly required: (resource: string, accepts: ReadonlyArray<Accept>, reason: string) => string
  /**
   * Reads and checks the value of the header `PAYMENT-SIGNATURE`; nothing is taken yet. It fails with `payment_invalid`,
   * `payment_expired`, `payment_underpaid`, `payment_wrong_network` or `payment_replayed`.
   *
   * @param amounts the amounts of the terms that the payment may be for
   */
  readonly read: (header: string, amounts: ReadonlyArray<MicroUsd>) => Effect.Effect<Offered, Failure>
}

/** The payments that this installation accepts with a call; undefined: none. */
export class CallPayment extends Context.Reference<CallPayment>()("core/payment/CallPayment", {
  defaultValue: (): CallPayments | undefined => undefined,
}) {}
