import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"
import { MicroUsd } from "../../core/account/Money.ts"
import type { Accept } from "../../core/call/Accept.ts"
import { type Code, type Failure, fail } from "../../core/Failure.ts"
import { type CallPayments, NotSent, Reverted, type TakenPayment } from "../../core/payment/CallPayment.ts"

/** What the network does with the next payments that are taken. */
export type Mood =
  /** The money arrives, and the network says so. */
  | "good"
  /** The money arrives, and nobody is told. */
  | "unconfirmed"
  /** The money arrives, and the program ends before it hears of it. */
  | "crash"
  /** The money arrives, and the network never answers: the provider's own limit ends the wait. */
  | "silent"
  /** The money is on its way until `arrive` is called. */
  | "held"
  /** The program ends before the money moves. */
  | "lost"
  /** The network is not given the payment. */
  | "not sent"
  /** The network carries out nothing, and takes its fee. */
  | "reverted"
  /** The money does not arrive. */
  | Extract<Code, "payment_invalid" | "payment_expired" | "upstream_unavailable">

/** A signed payment of the test network, as its header. */
export const signed = (payer: string, micros: number, nonce: string): string => JSON.stringify({ payer, micros, nonce })

/** A network of payments in memory: payments are their own signatures. */
export const callNetwork = (keyless: boolean) => {
  /** Amounts that have arrived, by the reference of their payment. */
  const arrived = new Map<string, number>()
  let mood: Mood = "good"
  const begun = Deferred.unsafeMake<void>(FiberId.none)
  const arrival = Deferred.unsafeMake<void>(FiberId.none)
  const accept = (micros: number): Accept => ({
    scheme: "exact",
    network: "eip155:31337",
    amount: String(micros),
    asset: "0xtoken",
    payTo: "0xus",
    maxTimeoutSeconds: 60,
    extra: {},
  })
  const paid = (reference: string): TakenPayment["fact"] => ({
    kind: "paid",
    reference: `tx/${reference}`,
    amount: { micros: arrived.get(reference)!, currency: "usd" },
  })
  const calls: CallPayments = {
    provider: "x402",
    watchedDays: 2,
    keyless,
    accept,
    required: (resource, accepts, reason) => JSON.stringify({ resource, accepts, reason }),
    read: (header, amounts) => {
      if (!header.startsWith("{")) return fail("payment_invalid")
      const { payer, micros, nonce } = JSON.parse(header) as { payer: string; micros: number; nonce: string }
      const reference = `${payer}/${nonce}`
      if (!(amounts as ReadonlyArray<number>).includes(micros)) return fail("payment_underpaid")
      return Effect.succeed({
        isUsed: Effect.sync(() => arrived.has(reference)),
        payer,
        reference,
        micros: MicroUsd(micros),
        endsAt: Number.MAX_SAFE_INTEGER,
        take: () =>
          Effect.suspend((): Effect.Effect<TakenPayment, Failure | NotSent | Reverted> => {
            if (mood === "payment_invalid" || mood === "payment_expired" || mood === "upstream_unavailable") {
              return fail(mood)
            }
            if (mood === "not sent") return new NotSent({ failure: fail("upstream_unavailable") })
            if (mood === "reverted") return new Reverted({ failure: fail("payment_invalid") })
            if (mood === "lost") return Effect.dieMessage("The program ends here.")
            if (arrived.has(reference)) return fail("payment_replayed")
            arrived.set(reference, micros)
            if (mood === "unconfirmed") return fail("payment_unconfirmed")
            if (mood === "silent") {
              return Effect.timeoutFail(Effect.never, { duration: 10, onTimeout: () => fail("payment_unconfirmed") })
            }
            if (mood === "crash") return Effect.dieMessage("The program ends here.")
            const taken = Effect.sync(() => ({ fact: paid(reference), receipt: `receipt of ${reference}` }))
            if (mood !== "held") return taken
            arrived.delete(reference)
            Deferred.unsafeDone(begun, Effect.void)
            return Effect.zipRight(
              Effect.tap(Deferred.await(arrival), () => void arrived.set(reference, micros)),
              taken,
            )
          }),
      })
    },
    look: (_, { reference }) => Effect.succeed(arrived.has(reference) ? [paid(reference)] : []),
  }
  return {
    calls,
    arrived,
    /** Waits until a payment is on its way. */
    begun: Deferred.await(begun),
    arrive: Deferred.succeed(arrival, undefined),
    feel: (next: Mood) => {
      mood = next
    },
  }
}
