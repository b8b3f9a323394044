import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { MicroUsd } from "../../../../core/account/Money.ts"
import type { Fact, PaidAmount } from "../../../../core/payment/Order.ts"
import type { AnySession, Charge, Dispute } from "./shapes.ts"

/** Micro-dollars of a cent. */
const microsPerCent = 10_000

/**
 * Digits after the point of the currencies that Stripe counts in units other than hundredths. Some currencies without a
 * smaller coin (`isk`, `ugx`) are missing, since Stripe still counts them in hundredths.
 */
const decimals: Readonly<Record<string, 0 | 3>> = {
  ...Object.fromEntries(
    "bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf".split(" ").map((code) => [code, 0] as const),
  ),
  ...Object.fromEntries("bhd jod kwd omr tnd".split(" ").map((code) => [code, 3] as const)),
}

/** Micro-dollars as cents; undefined: not a whole number of cents. */
export const toCents = (micros: MicroUsd): number | undefined =>
  micros % microsPerCent === 0 ? micros / microsPerCent : undefined

/**
 * Converts an amount of Stripe's, exactly.
 *
 * @param units of the currency's smallest coin as Stripe counts it, such as cents
 * @param currency lower-case ISO 4217 code
 */
export const toPaidAmount = (units: number, currency: string): PaidAmount => ({
  micros: units * 10 ** (6 - (decimals[currency] ?? 2)),
  currency,
})

/** The key of the order's id in the metadata of sessions, payments and charges. */
export const orderKey = "order"

/** Stripe's own ids of balance transactions begin with `txn_` too; they are never a ULID in capitals. */
const orderIdPattern = /^txn_[0-7][0-9A-HJKMNP-TV-Z]{25}$/

const OrderMetadata = Schema.Struct({
  metadata: Schema.Struct({ [orderKey]: Schema.String.pipe(Schema.pattern(orderIdPattern)) }),
})
const decodeOrderMetadata = Schema.decodeUnknownOption(OrderMetadata)

/**
 * The order that an object of Stripe's belongs to; undefined: it belongs to another product of the same account.
 * Only the metadata counts, which cannot be written without the account's key: anybody who opens a payment link of the
 * account can write `client_reference_id`.
 */
export const findOrder = (object: unknown): string | undefined =>
  Option.getOrUndefined(Option.map(decodeOrderMetadata(object), ({ metadata }) => metadata[orderKey]))

const endedFact = ({ id }: AnySession, detail: string): ReadonlyArray<Fact> => [
  { kind: "ended", reference: id, detail },
]

/** States of a payment after which its completed session is never paid. */
const failed: ReadonlyArray<string> = ["requires_payment_method", "canceled"]

/**
 * The facts that a session shows. A completed session is paid at once, or unpaid until a slow payment arrives or fails.
 *
 * @param hasFailed whether the message says that the slow payment failed, which its session does not show
 * @returns an error if it is paid and names no payment
 */
export const sessionFacts = (session: AnySession, hasFailed = false): Either.Either<ReadonlyArray<Fact>, Error> => {
  const { id, status, payment_status: paid, payment_intent: intent } = session
  if (paid === "paid") {
    const reference = typeof intent === "object" ? intent?.id : intent
    return reference === undefined
      ? Either.left(new Error(`Stripe's session ${id} is paid and names no payment.`))
      : Either.right([{ kind: "paid", reference, amount: toPaidAmount(session.amount_total, session.currency) }])
  }
  if (status === "expired") return Either.right(endedFact(session, "The page expired."))
  if (status === "open") return Either.right([])
  if (paid === "no_payment_required") return Either.right(endedFact(session, "The page was closed without a payment."))
  const isOver = hasFailed || (typeof intent === "object" && intent !== null && failed.includes(intent.status))
  return Either.right(isOver ? endedFact(session, "The payment failed.") : [])
}

/** The total refunded of a charge: each further refund makes another fact. */
export const chargeFacts = ({ id, amount_refunded: refunded, currency }: Charge): ReadonlyArray<Fact> =>
  refunded === 0 ? [] : [{ kind: "refunded", reference: `${id}:${refunded}`, amount: toPaidAmount(refunded, currency) }]

/**
 * The money that a dispute took. A bank's inquiry takes none, and a won dispute has given it back.
 *
 * @param isWithdrawn whether a message says that the money was just taken
 */
export const disputeFacts = (dispute: Dispute, isWithdrawn = false): ReadonlyArray<Fact> => {
  const moved = dispute.balance_transactions.map(({ amount }) => amount)
  const isTaken = isWithdrawn || (moved.some((amount) => amount < 0) && !moved.some((amount) => amount > 0))
  const { id: reference, amount, currency } = dispute
  return isTaken ? [{ kind: "disputed", reference, amount: toPaidAmount(amount, currency) }] : []
}
