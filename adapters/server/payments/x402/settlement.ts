import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Accept } from "../../../../core/call/Accept.ts"
import type { Failure } from "../../../../core/Failure.ts"
import { type CallPayments, NotSent, Reverted, type TakenPayment } from "../../../../core/payment/CallPayment.ts"
import type { Fact, Opened, Order } from "../../../../core/payment/Order.ts"
import type { Block, Chain } from "./chain.ts"
import type { Use } from "./evidence.ts"
import type { Facilitator, Limits, Settled } from "./facilitator.ts"
import type { Gas } from "./gas.ts"
import type { Packages } from "./packages.ts"
import { type Hex, type Payment, parseReference } from "./payload.ts"
import { notSent, refused, replayed, unconfirmed, unreachable } from "./refusals.ts"
import { maxValiditySeconds, type Terms, toMicros } from "./terms.ts"

/** Milliseconds between two queries of a transaction that was sent: at first, and at most. */
const pauses = { first: 50, most: 500 } as const

/** Milliseconds of the total limit that are kept for the last query. */
const lastLookMs = 2_000

/** Milliseconds for the facts of one order. */
const lookMs = 30_000

type Transfer = Extract<Use, { _tag: "Transfer" }>

export interface Parts {
  readonly packages: Packages
  readonly terms: Terms
  readonly chain: Chain
  readonly facilitator: Facilitator
  readonly limits: Limits
  readonly gas: Gas
}

const findOurs = ({ payTo }: Terms, use: Use | undefined): Transfer | undefined =>
  use?._tag === "Transfer" && use.to === payTo.toLowerCase() ? use : undefined

const toPaidFact = ({ network, decimals }: Terms, use: Transfer): Extract<Fact, { kind: "paid" }> => ({
  kind: "paid",
  reference: `${network}:${use.transactionHash}:${use.logIndex}`,
  amount: { micros: toMicros(use.value, decimals), currency: "usd" },
})

/**
 * Takes a payment. The facilitator sends it, and only the chain decides whether it has arrived. Fails with a refusal if
 * nothing was taken, and with `payment_unconfirmed` if that is not yet known: `look` finds it out later.
 */
export const takePayment = (
  { packages, terms, chain, facilitator, limits, gas }: Parts,
  payment: Payment,
  accept: Accept,
  order: Order,
): Effect.Effect<TakenPayment, Failure | NotSent | Reverted> => {
  /** The transfer of exactly the payment's amount. */
  const findExact = (use: Use | undefined): Transfer | undefined => {
    const transfer = findOurs(terms, use)
    return transfer?.value === payment.value ? transfer : undefined
  }

  const toTaken = (use: Transfer): TakenPayment => ({
    fact: toPaidFact(terms, use),
    receipt: packages.http.encodePaymentResponseHeader({
      success: true,
      transaction: use.transactionHash,
      network: terms.network,
      payer: payment.from,
      amount: accept.amount,
    }),
  })

  /** Waits for a transaction's confirmations, and reads its use of the payment; undefined: it was reverted, or has no use. */
  const awaitUse = (hash: Hex): Effect.Effect<Use | undefined> =>
    Effect.gen(function* () {
      for (let pause: number = pauses.first; ; pause = Math.min(2 * pause, pauses.most)) {
        const receipt = yield* Effect.option(chain.receipt(hash, payment))
        if (Option.isSome(receipt) && receipt.value !== undefined) {
          const { block, use, mined } = receipt.value
          gas.mined(hash, mined)
          if (terms.confirmations === 1) return use
          const head = yield* Effect.option(chain.confirmed)
          if (Option.isSome(head) && head.value.number >= block) return use
        }
        yield* Effect.sleep(pause)
      }
    })

  /** The use of the payment in any transaction: anybody who saw a signed payment may send it. */
  const findUse: Effect.Effect<Use | undefined, Failure> = Effect.gen(function* () {
    const head = yield* chain.confirmed
    if (!(yield* chain.isUsed(payment, head.number))) return undefined
    return yield* chain.find(payment, head, order.createdAt, Number(payment.validBefore) * 1_000)
  })

  /** @param otherwise the failure for a payment that the chain does not show */
  const lastLook = (otherwise: Failure): Effect.Effect<TakenPayment, Failure> =>
    findUse.pipe(
      Effect.timeoutFail({ duration: lastLookMs, onTimeout: () => otherwise }),
      Effect.mapError(() => otherwise),
      Effect.flatMap((use) => {
        if (use === undefined) return otherwise
        const transfer = findExact(use)
        return transfer === undefined ? replayed() : Effect.succeed(toTaken(transfer))
      }),
    )

  const conclude = (settled: Settled, leftMs: number): Effect.Effect<TakenPayment, Failure | NotSent | Reverted> => {
    if (settled._tag === "Unsent") {
      // Another party may have sent it.
      const failure = notSent(settled.isOutOfGas ? gas.waitMs() : undefined)
      return Effect.mapError(lastLook(failure), (found) => (found === failure ? new NotSent({ failure }) : found))
    }
    if (settled._tag === "Refused") return lastLook(refused(settled.reason))
    if (settled._tag === "Unknown") return lastLook(unconfirmed())
    return awaitUse(settled.hash).pipe(
      Effect.timeoutOption(Math.max(leftMs, pauses.first)),
      Effect.flatMap((seen): Effect.Effect<TakenPayment, Failure | Reverted> => {
        if (Option.isNone(seen)) return lastLook(unconfirmed())
        const transfer = findExact(seen.value)
        if (transfer !== undefined) return Effect.succeed(toTaken(transfer))
        // The service named a transaction that is not of this payment.
        if (settled.isClaimed) return lastLook(unconfirmed())
        return Effect.mapError(lastLook(refused("reverted")), (failure) => new Reverted({ failure }))
      }),
    )
  }

  return Effect.gen(function* () {
    const began = yield* Clock.currentTimeMillis
    const settled = yield* facilitator.settle(payment, accept)
    const spent = (yield* Clock.currentTimeMillis) - began
    return yield* conclude(settled, limits.take - lastLookMs - spent)
  })
}

/** The fact that an authorization can no longer pay. */
const endedFact = (reference: string, detail: string): ReadonlyArray<Fact> => [{ kind: "ended", reference, detail }]

/** Takes back what was credited and is no longer in the chain, because other blocks replaced its own. */
const withLoss = (
  { state, micros }: Parameters<CallPayments["look"]>[0],
  facts: ReadonlyArray<Fact>,
): ReadonlyArray<Fact> => {
  const [fact] = facts
  if (state !== "paid" || fact === undefined) return facts
  const lost = micros - (fact.kind === "paid" ? Math.floor(fact.amount.micros) : 0)
  if (lost <= 0) return facts
  return [fact, { kind: "disputed", reference: fact.reference, amount: { micros: lost, currency: "usd" } }]
}

/** Reads what the chain shows of an order. */
export const readFacts = (
  { terms, chain }: Pick<Parts, "terms" | "chain">,
  order: Parameters<CallPayments["look"]>[0],
  opened: Opened,
): Effect.Effect<ReadonlyArray<Fact>, Failure> =>
  Effect.gen(function* () {
    const authorization = parseReference(terms, opened.reference)
    if (authorization === undefined) {
      yield* Effect.logError(
        `The order ${order.id} is of another network or token than ${terms.network}: it is not looked up`,
      )
      return yield* unreachable("The payment network of this order")
    }
    const until = opened.endsAt ?? order.createdAt + maxValiditySeconds * 1_000
    const head: Block = yield* order.state === "paid" ? chain.final : chain.confirmed
    if (!(yield* chain.isUsed(authorization, head.number))) {
      // The token takes a payment before the second in which its validity ends.
      return Number(head.timestamp) * 1_000 >= until
        ? endedFact(opened.reference, "The signed payment expired before it was sent.")
        : []
    }
    const use = yield* chain.find(authorization, head, order.createdAt, until)
    const transfer = findOurs(terms, use)
    if (transfer !== undefined) return [toPaidFact(terms, transfer)]
    const reference = `${terms.network}:${use.transactionHash}:${use.logIndex}`
    return use._tag === "Cancelled"
      ? endedFact(reference, "The payer cancelled the signed payment.")
      : endedFact(reference, `The payer used the payment's nonce for a transfer to ${use.to}.`)
  }).pipe(
    Effect.map((facts) => withLoss(order, facts)),
    // The dashboard runs uninterruptible, where a limit would wait for the end of what it limits.
    Effect.interruptible,
    Effect.timeoutFail({ duration: lookMs, onTimeout: () => unreachable("The payment network") }),
  )
