import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { AccountStore } from "../account/AccountStore.ts"
import { type Caller, Keyring } from "../account/Keyring.ts"
import { display, MicroUsd } from "../account/Money.ts"
import { PlatformCrypto } from "../account/PlatformCrypto.ts"
import * as Tier from "../account/Tier.ts"
import * as Ulid from "../account/Ulid.ts"
import type { Accept } from "../call/Accept.ts"
import { type Code, type Failure, fail, type Hint, type HintAction } from "../Failure.ts"
import { minute, second } from "../time.ts"
import type { CallPayments, OfferedPayment } from "./CallPayment.ts"
import type { Fact, Order } from "./Order.ts"
import { OrderStore, type OrderWithFacts, type Turn, type TurnEnd } from "./OrderStore.ts"
import { Payments } from "./Payments.ts"

/** Amounts of a top-up with a call. */
export const topUps = [1_000_000, 5_000_000, 20_000_000].map((micros) => MicroUsd(micros))

/** Longer than any call takes. */
const longestCallMs = minute

/**
 * How long a payer's turn lasts unless the server renews it, and how often the server does: after a crash the payer waits no
 * longer than this.
 */
const lease = { ms: 5 * second, renewMs: 1_500 } as const

/** How long a call waits for the provider's books on an earlier payment, milliseconds. */
const lookTimeoutMs = 5_000

/** Milliseconds after which a payment under way is looked up: most have arrived or ended by then. */
const overdueMs = 2_000

/** A payment that came with a call, and that the call may take. */
export interface Offer {
  readonly payer: string
  readonly micros: MicroUsd
  /** Takes the payment and credits it to the caller's wallet. A payer who is new gets its account here. */
  readonly take: (caller: Caller) => Effect.Effect<Received, Failure>
}

export interface Received {
  /** The value of the header `PAYMENT-RESPONSE`. */
  readonly receipt: string
  readonly caller: Caller
}

interface GateService {
  readonly keyless: CallPayments["keyless"]
  /** The terms of payment for a call: its price, and with a key also top-ups. */
  readonly terms: (price: MicroUsd, hasKey: boolean) => ReadonlyArray<Accept>
  /** The terms of payment for top-ups of a key's wallet. */
  readonly topUps: ReadonlyArray<Accept>
  readonly required: CallPayments["required"]
  /** Checks the payment of a call, and takes nothing. */
  readonly offer: (header: string, price: MicroUsd, hasKey: boolean) => Effect.Effect<Offer, Failure>
  /**
   * Whether the money in a payer's wallet is left from a payment whose call was cut off; such a payment is looked up. False
   * while a call is under way, which may need the new payment.
   */
  readonly isLeft: (accountId: string) => Effect.Effect<boolean, Failure>
  /**
   * The caller for a payer without a key: an account that nobody else can have, with the payer's address in its name. It
   * is made when the payer's first payment is taken; until then the caller is new.
   */
  readonly callerOf: (payer: string) => Effect.Effect<Caller, Failure>
}

/** Payments sent with calls, as the gateway takes them; undefined: none are accepted. */
export class CallPaymentGate extends Context.Tag("market-signals/core/payment/CallPaymentGate")<
  CallPaymentGate,
  GateService | undefined
>() {
  static readonly layerNone: Layer.Layer<CallPaymentGate> = Layer.succeed(CallPaymentGate, undefined)

  static layer(
    calls: CallPayments,
  ): Layer.Layer<CallPaymentGate, never, AccountStore | Keyring | OrderStore | Payments | PlatformCrypto> {
    return Layer.effect(CallPaymentGate, make(calls))
  }
}

/** The amounts that a payment with a call may have; the price comes first, which clients choose. */
const amounts = (price: MicroUsd, hasKey: boolean): ReadonlyArray<MicroUsd> =>
  hasKey ? [price, ...topUps.filter((micros) => micros > price)] : [price]

/** Whether a payment was refused for good. After every other failure the money may still arrive. */
const isRefusal = (code: Code): boolean =>
  code === "payment_invalid" || code === "payment_expired" || code === "payment_underpaid"

/**
 * The name of a payer's account, and in place of the hash of its key. Nobody can choose a name with a colon, so no account
 * that somebody made gets a payer's money or pays for it; and no SHA-256 has one, so no token is this key.
 */
const payerAccount = (payer: string): string => `x402:${payer}`

/**
 * Runs work that is not to be cut off from outside, in a fiber of its own. Where nothing can be interrupted, as in the
 * gateway's charge, the work's own time limits would wait for the end of what they limit.
 */
const inOwnFiber = <A, E>(work: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.uninterruptible(Effect.flatMap(Effect.fork(Effect.interruptible(work)), Fiber.join))

/** The limits of payers without a key. */
const newPayer = { tier: "indie", perMinute: Tier.tiers.indie } as const

const closedAccount = fail("invalid_api_key", { detail: "The operator has closed the account of this payer." })

const hint = (action: HintAction, suggestion: string): Hint => ({ field: "PAYMENT-SIGNATURE", action, suggestion })

/** The failure of a payment whose payer has to wait. */
const busy = ({ orderId, until }: Turn, now: number): Failure =>
  orderId === undefined
    ? fail("rate_limit_exceeded", {
        detail: "The network reverted the last payment of this payer. It may pay again later.",
        hints: [hint("wait", "Keep the amount on the payer's address until the payment has arrived.")],
        retryAfterMs: until - now,
      })
    : fail("payment_in_progress", {
        hints: [hint("retry", "Send the same payment again: it was not sent to the network.")],
        retryAfterMs: Math.min(overdueMs, Math.max(1, until - now)),
      })

const makePayers = (accounts: AccountStore["Type"], keyring: Keyring["Type"], newId: Ulid.NewId) => ({
  /** The account and the key of a payer; two first calls at once make one of each. */
  enrol: Effect.fn("CallPaymentGate.enrol")(function* (payer: string) {
    const createdAt = yield* Clock.currentTimeMillis
    const { tier, perMinute } = newPayer
    const name = payerAccount(payer)
    yield* accounts.insertAccount({ id: yield* newId("acct", createdAt), name, tier, perMinute, createdAt })
    const account = (yield* accounts.findAccount(name))!
    yield* accounts.insertKey(
      {
        id: yield* newId("key", createdAt),
        accountId: account.id,
        environment: "live",
        tier,
        perMinute,
        lastFour: payer.slice(-4),
        name: "x402 payments",
        createdAt,
      },
      name,
    )
    return yield* keyring.find(name)
  }),

  callerOf: Effect.fn("CallPaymentGate.callerOf")(function* (payer: string) {
    const name = payerAccount(payer)
    const account = yield* keyring.find(name)
    if (account !== undefined) return account
    if ((yield* accounts.findAccount(name)) !== undefined) return yield* closedAccount
    const { perMinute } = newPayer
    return { accountId: name, keyId: name, livemode: true, perMinute, isNew: true }
  }),
})

/** Earlier payments: those that are sent a second time, and those that were cut off. */
const makeEarlierPayments = (orders: OrderStore["Type"], payments: Payments["Type"]) => {
  /** Looks for the money of a payment that was cut off, and credits it. Then the payer's turn is over. */
  const settleEarlier = Effect.fn("CallPaymentGate.settleEarlier")(function* (earlier: OrderWithFacts) {
    if (earlier.state !== "open") return earlier
    const order = yield* inOwnFiber(Effect.timeout(payments.look(earlier), lookTimeoutMs)).pipe(
      Effect.orElseSucceed(() => earlier),
    )
    if (order.state !== "open") {
      yield* orders.endTurn(earlier.id, order.state === "paid" ? "paid" : "refused", yield* Clock.currentTimeMillis)
    }
    return order
  })

  /** A second use of a payment; if the first was cut off, its money is looked for and credited. */
  const failReplayed = Effect.fn("CallPaymentGate.failReplayed")(function* (earlier: OrderWithFacts | undefined) {
    const settled = earlier && (yield* settleEarlier(earlier))
    if (settled?.state === "paid") {
      return yield* fail("payment_replayed", {
        detail: `This payment was used before: ${display(settled.micros)} are in the wallet that it was sent for.`,
        hints: [hint("remove", "Call again, with a key without a payment.")],
      })
    }
    return yield* fail("payment_replayed", {
      hints: [
        settled?.state === "open"
          ? hint("wait", "Wait for the network, and do not pay twice: what arrives is credited.")
          : hint("change", "Sign a new payment with another nonce."),
      ],
    })
  })

  /** Fails while a payer has to wait. A payment that takes long is looked for: its server may be gone. */
  const mayPay = Effect.fn("CallPaymentGate.mayPay")(function* (payer: string) {
    const now = yield* Clock.currentTimeMillis
    const turn = yield* orders.turnOf(payerAccount(payer), now)
    if (turn === undefined) return
    const order = turn.orderId === undefined ? undefined : yield* orders.find(turn.orderId)
    if (order === undefined || now - order.createdAt < overdueMs) return yield* busy(turn, now)
    if ((yield* settleEarlier(order)).state === "open") return yield* busy(turn, now)
  })

  /** Checks a payment. The first use of it is recognised at any time: its order is written before its money moves. */
  const checkPayment = Effect.fn("CallPaymentGate.checkPayment")(function* (offered: OfferedPayment) {
    const first = orders.findBy("opened", offered.reference)
    const earlier = yield* first
    if (earlier !== undefined) return yield* failReplayed(earlier)
    // Its first use may have begun since.
    const unlessFirst = (failure: Failure) =>
      Effect.flatMap(first, (order) => (order === undefined ? failure : failReplayed(order)))
    yield* Effect.catchAll(mayPay(offered.payer), unlessFirst)
    const isUsed = yield* Effect.catchAll(offered.isUsed, unlessFirst)
    if (isUsed) return yield* failReplayed(yield* first)
  })

  return { settleEarlier, failReplayed, checkPayment }
}

/** Takes the money of an order, and ends the payer's turn once the outcome is known. */
const makeMoveMoney = (orders: OrderStore["Type"], payments: Payments["Type"]) =>
  Effect.fn("CallPaymentGate.moveMoney")(function* (offered: OfferedPayment, order: Order) {
    const note = (fact: Fact) => payments.note(order.id, [fact])
    const end = (how: TurnEnd) => Effect.flatMap(Clock.currentTimeMillis, (at) => orders.endTurn(order.id, how, at))
    const refused = (failure: Failure, how: TurnEnd, isOver = isRefusal(failure.code)) =>
      Effect.gen(function* () {
        if (isOver) {
          yield* note({ kind: "ended", reference: offered.reference, detail: failure.message })
        }
        // It may still be carried out. The turn ends when it is looked for, or after a while.
        yield* failure.code === "payment_unconfirmed"
          ? orders.renewTurn(order.id, order.createdAt + longestCallMs)
          : end(how)
        return yield* failure
      })
    const renewing = Effect.gen(function* () {
      for (;;) {
        yield* Effect.sleep(lease.renewMs)
        yield* Effect.ignore(orders.renewTurn(order.id, (yield* Clock.currentTimeMillis) + lease.ms))
      }
    })
    const { fact, receipt } = yield* Effect.catchTags(Effect.raceFirst(offered.take(order), renewing), {
      Failure: (failure) => refused(failure, "refused"),
      NotSent: ({ failure }) => refused(failure, "refused", true),
      Reverted: ({ failure }) => refused(failure, "reverted"),
    })
    const noted = yield* note(fact)
    yield* end("paid")
    if (noted?.state === "paid") return receipt
    return yield* fail("payment_invalid", { detail: "The payment that arrived is not the one that was asked for." })
  })

const make = (calls: CallPayments) =>
  Effect.gen(function* () {
    const accounts = yield* AccountStore
    const keyring = yield* Keyring
    const orders = yield* OrderStore
    const payments = yield* Payments
    const { randomBytes } = yield* PlatformCrypto

    const newId = Ulid.makeNewId(randomBytes)
    const { enrol, callerOf } = makePayers(accounts, keyring, newId)
    const { settleEarlier, failReplayed, checkPayment } = makeEarlierPayments(orders, payments)
    const moveMoney = makeMoveMoney(orders, payments)

    const take = Effect.fn("CallPaymentGate.take")(function* (offered: OfferedPayment, by: Caller) {
      const caller = by.isNew === true ? yield* enrol(offered.payer) : by
      if (caller === undefined) return yield* closedAccount
      const createdAt = yield* Clock.currentTimeMillis
      const order: Order = {
        id: yield* newId("txn", createdAt),
        accountId: caller.accountId,
        provider: calls.provider,
        micros: offered.micros,
        createdAt,
      }
      // Written before the money moves, so that a crash after it finds the money again.
      const inserted = yield* orders.insert(
        order,
        { kind: "opened", reference: offered.reference, endsAt: offered.endsAt },
        { payer: payerAccount(offered.payer), until: createdAt + lease.ms },
      )
      if (inserted._tag === "Busy") return yield* busy(inserted.turn, createdAt)
      if (inserted._tag === "Known") return yield* failReplayed(yield* orders.findBy("opened", offered.reference))
      return { receipt: yield* moveMoney(offered, order), caller }
    })

    const service: GateService = {
      keyless: calls.keyless,
      terms: (price, hasKey) => amounts(price, hasKey).map(calls.accept),
      topUps: topUps.map(calls.accept),
      required: calls.required,
      offer: (header, price, hasKey) =>
        Effect.gen(function* () {
          const offered = yield* calls.read(header, amounts(price, hasKey))
          yield* checkPayment(offered)
          const { payer, micros } = offered
          return { payer, micros, take: (caller: Caller) => inOwnFiber(take(offered, caller)) }
        }),
      isLeft: Effect.fn("CallPaymentGate.isLeft")(function* (accountId) {
        const [newest] = yield* orders.page({ accountId, limit: 1 })
        if (newest === undefined) return true
        if ((yield* Clock.currentTimeMillis) - newest.createdAt <= longestCallMs) return false
        yield* settleEarlier(newest)
        return true
      }),
      callerOf,
    }
    return service
  })
