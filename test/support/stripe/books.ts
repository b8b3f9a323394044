import { randomBytes } from "node:crypto"
import Stripe from "stripe"
import { textAt, textsIn, type Value } from "./form.ts"
import {
  type Act,
  ApiError,
  type Charge,
  type Dispute,
  type Intent,
  idOf,
  type Of,
  type Session,
  type Standing,
  type StripeEvent,
  seconds,
} from "./objects.ts"

/** Added to what is paid, in cents, and its currency: the account's own settings could do that. */
export interface Paid {
  readonly surcharge: number
  readonly currency: string | undefined
}

/**
 * The books of an account: sessions, payments, charges, refunds and disputes.
 *
 * @param tell receives each event
 */
export const books = (livemode: boolean, paidAs: () => Paid, tell: (event: StripeEvent) => void) => {
  const objects = new Map<string, Of<object>>()
  const sessions = new Map<string, Session>()
  const asked = new Map<string, number>()
  const put = <A extends Of<object>>(object: A): A => {
    objects.set(object.id, object)
    return object
  }
  const get = (id: string): Of<object> => {
    const found = objects.get(id)
    if (found === undefined) {
      throw new ApiError(404, `No such object: '${id}'`, {
        type: "invalid_request_error",
        code: "resource_missing",
        param: "id",
      })
    }
    return found
  }
  const made = <Object extends string>(object: Object) => ({ object, created: seconds(), livemode })
  const event = (type: string, object: Of<object>): void =>
    tell({
      id: idOf("evt"),
      ...made("event"),
      api_version: Stripe.API_VERSION,
      type,
      data: { object: structuredClone(object) },
      pending_webhooks: 1,
      request: { id: idOf("req"), idempotency_key: null },
    })

  const create = (form: Value, origin: string): Session => {
    const id = idOf(livemode ? "cs_live" : "cs_test")
    const line = ["line_items", "0"] as const
    const cents = Number(textAt(form, ...line, "price_data", "unit_amount")) * Number(textAt(form, ...line, "quantity"))
    const metadata = { ...textsIn(typeof form === "string" ? undefined : form["metadata"]) }
    asked.set(id, cents)
    const intentData = typeof form === "string" ? undefined : form["payment_intent_data"]
    const session = put<Session>({
      ...made("checkout.session"),
      id,
      mode: textAt(form, "mode"),
      status: "open",
      payment_status: "unpaid",
      amount_subtotal: cents,
      amount_total: cents,
      currency: textAt(form, ...line, "price_data", "currency")!,
      client_reference_id: textAt(form, "client_reference_id") ?? null,
      metadata,
      payment_intent: null,
      success_url: textAt(form, "success_url")!,
      cancel_url: textAt(form, "cancel_url") ?? null,
      expires_at: Number(textAt(form, "expires_at") ?? seconds() + 86_400),
      url: `${origin}/c/pay/${id}#${randomBytes(20).toString("hex")}`,
    })
    sessions.set(id, session)
    forIntents.set(id, { ...textsIn(typeof intentData === "object" ? intentData["metadata"] : undefined) })
    return session
  }
  /** The metadata of the payment that a session will make. */
  const forIntents = new Map<string, Record<string, string>>()

  /** The session of an order, or with an id. */
  const ofOrder = (order: string): Session => {
    const found = sessions.get(order) ?? [...sessions.values()].find(({ metadata }) => metadata["order"] === order)
    if (found === undefined) throw new ApiError(404, `No session of the order ${order}`)
    return found
  }
  const intentOf = (session: Session): Intent => {
    if (session.payment_intent === null) throw new ApiError(400, `Nobody has paid ${session.id}`)
    return get(session.payment_intent) as Intent
  }
  const chargeOf = (session: Session): Charge => {
    const { latest_charge: id } = intentOf(session)
    const charge = id === null ? undefined : (get(id) as Charge)
    if (charge?.["paid"] !== true) throw new ApiError(400, `The payment of ${session.id} has not arrived`)
    return charge
  }
  const disputesOf = (intent: string): ReadonlyArray<Dispute> =>
    [...objects.values()].filter(
      (each): each is Dispute => each.object === "dispute" && (each as Dispute).payment_intent === intent,
    )

  /** The payment that an attempt makes or continues. */
  const trying = (session: Session): Intent => {
    if (session.status !== "open") throw new ApiError(400, `The session ${session.id} is ${session.status}`)
    if (session.payment_intent !== null) return intentOf(session)
    const intent = put<Intent>({
      ...made("payment_intent"),
      id: idOf("pi"),
      amount: session.amount_total,
      currency: session.currency,
      status: "requires_payment_method",
      metadata: forIntents.get(session.id) ?? {},
      latest_charge: null,
      customer: null,
    })
    session.payment_intent = intent.id
    return intent
  }
  const charged = (intent: Intent, isPaid: boolean): Charge => {
    const charge = put<Charge>({
      ...made("charge"),
      id: idOf("ch"),
      amount: intent.amount,
      amount_captured: isPaid ? intent.amount : 0,
      amount_refunded: 0,
      refunded: false,
      currency: intent.currency,
      disputed: false,
      metadata: { ...intent.metadata },
      paid: isPaid,
      payment_intent: intent.id,
      billing_details: { email: "payer@example.com", name: "A Payer" },
      status: isPaid ? "succeeded" : "failed",
    })
    intent.latest_charge = charge.id
    return charge
  }
  const closing = (session: Session): Intent => {
    const intent = trying(session)
    const { surcharge, currency = session.currency } = paidAs()
    session.amount_total += surcharge
    session.currency = currency
    session.status = "complete"
    session.url = null
    return Object.assign(intent, { status: "processing", amount: session.amount_total, currency })
  }
  const arrived = (session: Session, intent: Intent): void => {
    const charge = charged(intent, true)
    intent.status = "succeeded"
    session.payment_status = "paid"
    event("payment_intent.succeeded", intent)
    event("charge.succeeded", charge)
  }
  const moved = (dispute: Dispute, cents: number): void => {
    dispute.balance_transactions = [
      ...dispute.balance_transactions,
      { ...made("balance_transaction"), id: idOf("txn"), amount: cents, fee: 1_500, type: "adjustment" } as {
        amount: number
      },
    ]
  }
  const withdrawn = (dispute: Dispute): void => {
    dispute.status = "needs_response"
    moved(dispute, -dispute.amount)
  }
  const disputed = (session: Session, status: string, cents?: number): Dispute => {
    const charge = chargeOf(session)
    charge.disputed = true
    return put<Dispute>({
      ...made("dispute"),
      id: idOf("dp"),
      amount: cents ?? charge.amount - charge.amount_refunded,
      currency: charge.currency,
      charge: charge.id,
      payment_intent: charge.payment_intent,
      balance_transactions: [],
      metadata: {},
      reason: "fraudulent",
      status,
    })
  }
  const latest = (session: Session, status: string): Dispute => {
    const found = disputesOf(intentOf(session).id).findLast((each) => each.status === status)
    if (found === undefined) throw new ApiError(400, `The session ${session.id} has no dispute with status ${status}`)
    return found
  }

  const act: Readonly<Record<Act, (session: Session, cents?: number) => void>> = {
    decline: (session) => {
      const intent = trying(session)
      event("charge.failed", charged(intent, false))
      event("payment_intent.payment_failed", intent)
    },
    pay: (session) => {
      arrived(session, closing(session))
      event("checkout.session.completed", session)
    },
    later: (session) => {
      event("payment_intent.processing", closing(session))
      event("checkout.session.completed", session)
    },
    settle: (session) => {
      const intent = intentOf(session)
      if (intent.status !== "processing") throw new ApiError(400, `The payment ${intent.id} is ${intent.status}`)
      arrived(session, intent)
      event("checkout.session.async_payment_succeeded", session)
    },
    fail: (session) => {
      const intent = intentOf(session)
      if (intent.status !== "processing") throw new ApiError(400, `The payment ${intent.id} is ${intent.status}`)
      intent.status = "requires_payment_method"
      event("payment_intent.payment_failed", intent)
      event("checkout.session.async_payment_failed", session)
    },
    expire: (session) => {
      if (session.status !== "open") throw new ApiError(400, `The session ${session.id} is ${session.status}`)
      session.status = "expired"
      session.url = null
      event("checkout.session.expired", session)
    },
    refund: (session, cents) => {
      const charge = chargeOf(session)
      const amount = cents ?? charge.amount - charge.amount_refunded
      if (amount <= 0 || charge.amount_refunded + amount > charge.amount) {
        throw new ApiError(400, `Refund amount (${amount}) is greater than unrefunded amount on charge`)
      }
      charge.amount_refunded += amount
      charge["refunded"] = charge.amount_refunded === charge.amount
      const { currency, payment_intent } = charge
      const about = { amount, currency, charge: charge.id, payment_intent, metadata: {}, status: "succeeded" }
      event("charge.refunded", charge)
      event("refund.created", put({ ...made("refund"), id: idOf("re"), ...about }))
    },
    dispute: (session, cents) => {
      const dispute = disputed(session, "needs_response", cents)
      withdrawn(dispute)
      event("charge.dispute.created", dispute)
      event("charge.dispute.funds_withdrawn", dispute)
    },
    inquiry: (session, cents) => event("charge.dispute.created", disputed(session, "warning_needs_response", cents)),
    escalate: (session) => {
      const dispute = latest(session, "warning_needs_response")
      withdrawn(dispute)
      event("charge.dispute.updated", dispute)
      event("charge.dispute.funds_withdrawn", dispute)
    },
    win: (session) => {
      const dispute = latest(session, "needs_response")
      dispute.status = "won"
      moved(dispute, dispute.amount)
      event("charge.dispute.funds_reinstated", dispute)
      event("charge.dispute.closed", dispute)
    },
  }

  const standing = (session: Session): Standing => {
    const charge = session.payment_status === "paid" ? chargeOf(session) : undefined
    const taken = disputesOf(session.payment_intent ?? "").flatMap((each) => each.balance_transactions)
    return {
      session: session.id,
      status: session.status,
      currency: session.currency,
      asked: asked.get(session.id)!,
      paid: charge?.amount ?? 0,
      refunded: charge?.amount_refunded ?? 0,
      disputed: taken.reduce((sum, { amount }) => sum - amount, 0),
    }
  }

  return {
    create,
    get,
    disputesOf,
    event,
    session: (id: string): Session | undefined => sessions.get(id),
    ofOrder,
    act: (name: Act, session: Session, cents?: number): void => act[name](session, cents),
    /** By order. */
    standings: (): Readonly<Record<string, Standing>> =>
      Object.fromEntries(
        [...sessions.values()].flatMap((session) => {
          const { order } = session.metadata
          return order === undefined ? [] : [[order, standing(session)]]
        }),
      ),
  }
}

export type Books = ReturnType<typeof books>
