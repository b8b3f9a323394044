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
import { type Code, type Failure, fail, type Hint, type HintAction } from "../Failure.ts"
import { minute } from "../time.ts"
import type { Accept } from "./Accept.ts"
import type { CallPayments, Offered } from "./CallPayment.ts"
import type { Fact, Order } from "./Order.ts"
import { OrderStore } from "./OrderStore.ts"
import { Payments } from "./Payments.ts"

/** Amounts of a top-up with a call. */
const topUps = [1_000_000, 5_000_000, 20_000_000].map((micros) => MicroUsd(micros))

/** Longer than any call takes. */
const longestCall = minute

/** Milliseconds for which a call waits for the books of an earlier payment. */
const lookMs = 5_000

/** A payment that came with a call, and that the call may take. */
export interface Offer {
  readonly payer: string
  readonly micros: MicroUsd
  /** Takes the payment and credits it to a wallet. Returns the value of the header `PAYMENT-RESPONSE`. */
  readonly take: (accountId: string) => Effect.Effect<string, Failure>
}

interface PayingService {
  /** Whether a payment for one call stands in for a key. */
  readonly keyless: boolean
  /** The terms of payment for a call: its price, and with a key also top-ups. */
  readonly terms: (price: MicroUsd, hasKey: boolean) => ReadonlyArray<Accept>
  /** The terms of payment for top-ups of a key's wallet. */
  readonly topUps: ReadonlyArray<Accept>
  readonly required: CallPayments["required"]
  /** Checks the payment of a call, and takes nothing. */
  readonly offer: (header: string, price: MicroUsd, hasKey: boolean) => Effect.Effect<Offer, Failure>
  /**
   * Whether money that a payer's wallet has is left over: of a payment whose call was cut off, which is looked for. A call
   * under way may need what has just been paid.
   */
  readonly isLeft: (accountId: string) => Effect.Effect<boolean, Failure>
  /** The caller that a payer without a key is: an account that nobody else can have, with the payer's address in its name. */
  readonly callerOf: (payer: string) => Effect.Effect<Caller, Failure>
}

/** Payments sent with calls, as the gateway takes them; undefined: none are accepted. */
export class Paying extends Context.Reference<Paying>()("core/payment/Paying", {
  defaultValue: (): PayingService | undefined => undefined,
}) {
  /** Over a network of payments. */
  static layer(
    calls: CallPayments,
  ): Layer.Layer<never, never, AccountStore | Keyring | OrderStore | Payments | PlatformCrypto> {
    return Layer.effect(Paying, make(calls)) as Layer.Layer<
      never,
      never,
      AccountStore | Keyring | OrderStore | Payments | PlatformCrypto
    >
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
const nameOf = (payer: string): string => `x402:${payer}`

/**
 * Runs work that is not to be cut off from outside, in a fiber of its own. Where nothing can be interrupted, as in the
 * gateway's charge, the work's own time limits would wait for the end of what they limit.
 */
const apart = <A, E>(work: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.uninterruptible(Effect.flatMap(Effect.fork(Effect.interruptible(work)), Fiber.join))

const hint = (action: HintAction, suggestion: string): Hint => ({ field: "PAYMENT-SIGNATURE", action, suggestion })

const make = (calls: CallPayments) =>
  Effect.gen(function* () {
    const accounts = yield* AccountStore
    const keyring = yield* Keyring
    const orders = yield* OrderStore
    const payments = yield* Payments
    const { randomBytes } = yield* PlatformCrypto

    const newId = Ulid.ids(randomBytes)

    /** The account and the key of a payer; two first calls at once make one of each. */
    const enrol = Effect.fn("Paying.enrol")(function* (payer: string) {
      const createdAt = yield* Clock.currentTimeMillis
      const tier = "indie"
      const perMinute = Tier.tiers[tier]
      const name = nameOf(payer)
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
    })

    /** A second use of a payment; if the first was cut off, its money is looked for and credited. */
    const replayed = Effect.fn("Paying.replayed")(function* ({ reference }: Offered) {
      const before = yield* orders.findBy("opened", reference)
      const known = before?.state === "open" ? yield* Effect.orElseSucceed(payments.look(before), () => before) : before
      if (known?.state === "paid") {
        return yield* fail("payment_replayed", {
          detail: `This payment was used before: ${display(known.micros)} are in the wallet that it was sent for.`,
          hints: [hint("remove", "Call again, with a key without a payment.")],
        })
      }
      return yield* fail("payment_replayed", {
        hints: [
          known?.state === "open"
            ? hint("wait", "Wait for the network, and do not pay twice: what arrives is credited.")
            : hint("change", "Sign a new payment with another nonce."),
        ],
      })
    })

    const take = Effect.fn("Paying.take")(function* (offered: Offered, accountId: string) {
      const createdAt = yield* Clock.currentTimeMillis
      const order: Order = {
        id: yield* newId("txn", createdAt),
        accountId,
        provider: calls.provider,
        micros: offered.micros,
        createdAt,
      }
      // Written before the money moves, so that a crash after it finds the money again.
      const isNew = yield* orders.insert(order, {
        kind: "opened",
        reference: offered.reference,
        endsAt: offered.endsAt,
      })
      if (!isNew) return yield* replayed(offered)
      const note = (fact: Fact) => payments.note(order.id, [fact])
      const { fact, receipt } = yield* Effect.tapError(offered.take(order), ({ code, message }) =>
        Effect.when(note({ kind: "ended", reference: offered.reference, detail: message }), () => isRefusal(code)),
      )
      if ((yield* note(fact))?.state === "paid") return receipt
      return yield* fail("payment_invalid", { detail: "The payment that arrived is not the one that was asked for." })
    })

    const service: PayingService = {
      keyless: calls.keyless,
      terms: (price, hasKey) => amounts(price, hasKey).map(calls.accept),
      topUps: topUps.map(calls.accept),
      required: calls.required,
      offer: (header, price, hasKey) =>
        Effect.flatMap(calls.read(header, amounts(price, hasKey)), (offered) =>
          offered.isUsed
            ? replayed(offered)
            : Effect.succeed({
                payer: offered.payer,
                micros: offered.micros,
                take: (accountId) => apart(take(offered, accountId)),
              }),
        ),
      isLeft: Effect.fn("Paying.isLeft")(function* (accountId) {
        const [newest] = yield* orders.page({ accountId, limit: 1 })
        if (newest === undefined) return true
        if ((yield* Clock.currentTimeMillis) - newest.createdAt <= longestCall) return false
        if (newest.state === "open") yield* Effect.ignore(apart(Effect.timeout(payments.look(newest), lookMs)))
        return true
      }),
      callerOf: (payer) =>
        Effect.gen(function* () {
          const known = (yield* keyring.find(nameOf(payer))) ?? (yield* enrol(payer))
          return (
            known ?? (yield* fail("invalid_api_key", { detail: "The operator has closed the account of this payer." }))
          )
        }),
    }
    return service
  })
