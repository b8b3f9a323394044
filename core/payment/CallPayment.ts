import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type { MicroUsd } from "../account/Money.ts"
import type { Accept } from "../call/Accept.ts"
import type * as Endpoint from "../endpoint/Endpoint.ts"
import type { Failure } from "../Failure.ts"
import type { Fact, Order } from "./Order.ts"
import type { ProviderBooks } from "./TopUp.ts"

/** A payment was sent and the network reverted it: it cost a fee and moved no money. */
export class Reverted extends Data.TaggedError("Reverted")<{ readonly failure: Failure }> {}

/** A payment was not sent, and will not be: its payer has to sign another one. */
export class NotSent extends Data.TaggedError("NotSent")<{ readonly failure: Failure }> {}

/** A payment that came with a call: signed by its payer for one of the terms, and not yet taken. */
export interface OfferedPayment {
  /**
   * Asks the network whether the payment was used before. Fails with `payment_invalid` if the payer's balance is too low.
   */
  readonly isUsed: Effect.Effect<boolean, Failure>
  /** Address of the payer, lower case. */
  readonly payer: string
  /** Identifies the signed payment for ever: a second use is recognised by it. */
  readonly reference: string
  readonly micros: MicroUsd
  /** Until when the signed payment can be taken, epoch milliseconds. */
  readonly endsAt: number
  /** Takes the money, and returns when it has arrived. Nothing ends it but its own time limits. */
  readonly take: (order: Order) => Effect.Effect<TakenPayment, Failure | NotSent | Reverted>
}

export interface TakenPayment {
  readonly fact: Extract<Fact, { kind: "paid" }>
  /** The value of the header `PAYMENT-RESPONSE`. */
  readonly receipt: string
}

/** Payments that agents send with a call, by the protocol x402. */
export interface CallPayments extends ProviderBooks {
  /** Whether a call that brings its payment needs no key. */
  readonly keyless: boolean
  readonly accept: (micros: MicroUsd) => Accept
  /**
   * The value of the header `PAYMENT-REQUIRED`.
   *
   * @param resource the URL of the endpoint
   */
  readonly required: (
    resource: string,
    accepts: ReadonlyArray<Accept>,
    reason: string,
    endpoint: Endpoint.Any,
  ) => string
  /**
   * Reads the header `PAYMENT-SIGNATURE` and checks its signature; the network is not asked yet. Fails with
   * `payment_invalid`, `payment_expired`, `payment_underpaid` or `payment_wrong_network`.
   *
   * @param amounts the amounts that the payment may have
   */
  readonly read: (header: string, amounts: ReadonlyArray<MicroUsd>) => Effect.Effect<OfferedPayment, Failure>
}
