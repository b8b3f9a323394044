import * as Schema from "effect/Schema"

/**
 * The parts of Stripe's objects that are read, of messages and answers alike. An object of another shape is an error: it is of
 * another version of the API.
 */

/** Stripe's largest amount has twelve digits, so that its millionths are a safe integer for the currencies it takes. */
const Units = Schema.Int.pipe(Schema.between(0, 9_000_000_000))
const Currency = Schema.String.pipe(Schema.pattern(/^[a-z]{3}$/))
const Metadata = Schema.NullOr(Schema.Record({ key: Schema.String, value: Schema.String }))

const prefixedId = <Prefix extends string>(...prefixes: ReadonlyArray<Prefix>) =>
  Schema.String.pipe(Schema.pattern(new RegExp(`^(${prefixes.join("|")})_\\w+$`)))

const IntentId = prefixedId("pi")

export const Charge = Schema.Struct({
  id: prefixedId("ch", "py"),
  object: Schema.Literal("charge"),
  /** Refunded so far, in all. */
  amount_refunded: Units,
  currency: Currency,
  disputed: Schema.Boolean,
  metadata: Metadata,
})
export type Charge = typeof Charge.Type

export const Intent = Schema.Struct({
  id: IntentId,
  object: Schema.Literal("payment_intent"),
  status: Schema.String,
  metadata: Metadata,
})

/** With the charge itself, in answers to requests that expand it. */
const PaidIntent = Schema.Struct({ ...Intent.fields, latest_charge: Schema.NullOr(Charge) })

const session = {
  id: prefixedId("cs"),
  object: Schema.Literal("checkout.session"),
  mode: Schema.Literal("payment"),
  status: Schema.Literal("open", "complete", "expired"),
  payment_status: Schema.Literal("paid", "unpaid", "no_payment_required"),
  amount_total: Units,
  currency: Currency,
  metadata: Metadata,
  livemode: Schema.Boolean,
}

export const Session = Schema.Struct({ ...session, payment_intent: Schema.NullOr(IntentId) })

export const FullSession = Schema.Struct({ ...session, payment_intent: Schema.NullOr(PaidIntent) })

/** The answer to the request that opens the page. */
export const OpenedSession = Schema.Struct({
  ...session,
  url: Schema.String,
  /** Epoch seconds. */
  expires_at: Schema.Int,
})

/** The fields that sessions of either kind have. */
export type AnySession = { readonly [Field in keyof typeof session]: (typeof session)[Field]["Type"] } & {
  readonly payment_intent: string | { readonly id: string; readonly status: string } | null
}

export const Dispute = Schema.Struct({
  id: prefixedId("dp", "du"),
  object: Schema.Literal("dispute"),
  amount: Units,
  currency: Currency,
  /** Null: a charge that no page of ours made. */
  payment_intent: Schema.NullOr(IntentId),
  /** Money that Stripe withdrew for the dispute (negative) and gave back after it (positive). */
  balance_transactions: Schema.Array(Schema.Struct({ amount: Schema.Int })),
})
export type Dispute = typeof Dispute.Type

export const Disputes = Schema.Struct({ data: Schema.Array(Dispute), has_more: Schema.Literal(false) })

export const Refund = Schema.Struct({
  object: Schema.Literal("refund"),
  charge: Schema.NullOr(prefixedId("ch", "py")),
})

export const Event = Schema.Struct({
  id: prefixedId("evt"),
  object: Schema.Literal("event"),
  type: Schema.String,
  api_version: Schema.NullOr(Schema.String),
  livemode: Schema.Boolean,
  /** Set on messages about an account connected to ours, which are not about our payments. */
  account: Schema.optional(Schema.NullOr(Schema.String)),
  data: Schema.Struct({ object: Schema.Object }),
})
export type Event = typeof Event.Type
