import type { NonEmptyReadonlyArray } from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import type * as Schema from "effect/Schema"
import { type Failure, fail, type Hint } from "../../../../core/Failure.ts"
import { ifDefined } from "../../../../core/ifDefined.ts"
import type { Fact } from "../../../../core/payment/Order.ts"
import type { PaymentProof, TopUp } from "../../../../core/payment/TopUp.ts"
import { apiVersion, type Client, decodeShape } from "./client.ts"
import { chargeFacts, disputeFacts, findOrder, sessionFacts } from "./facts.ts"
import { type AnySession, Charge, Dispute, Event, Intent, Refund, Session } from "./shapes.ts"

/** The age up to which a signed message is accepted, seconds. */
const toleranceSeconds = 300

const header = "Stripe-Signature"

const bad = (
  detail: string,
  field: string,
  suggestion: string,
  cause?: Error,
  action: Hint["action"] = "change",
): Failure =>
  fail("invalid_request_body", { detail, hints: [{ field, action, suggestion }], ...ifDefined("cause", cause) })

const unsigned = (action: Hint["action"], cause?: Error): Failure =>
  bad(
    "The message is not signed by Stripe for this endpoint.",
    header,
    `Send the header ${header} with a signature made by the endpoint's secret over the body as it is sent, at most ${toleranceSeconds} seconds old.`,
    cause,
    action,
  )

const misread = (cause: Error): Failure =>
  bad(
    `The message does not have the form of version ${apiVersion} of Stripe's API.`,
    "api_version",
    `Give the webhook endpoint at Stripe the API version ${apiVersion}.`,
    cause,
  )

const wrongMode = (isLive: boolean): Failure =>
  bad(
    `The message is of Stripe's ${isLive ? "test" : "live"} mode, and the key is a ${isLive ? "live" : "test"} key.`,
    "livemode",
    "Use key and webhook secret of the same mode.",
  )

/** The messages about sessions, each with what must hold of its session. */
const sessions: Readonly<Record<string, (session: AnySession) => boolean>> = {
  "checkout.session.completed": ({ status }) => status === "complete",
  "checkout.session.async_payment_succeeded": ({ payment_status: paid }) => paid === "paid",
  "checkout.session.async_payment_failed": ({ payment_status: paid }) => paid === "unpaid",
  "checkout.session.expired": ({ status }) => status === "expired",
}

const withdrawn = "charge.dispute.funds_withdrawn"
const disputes: ReadonlyArray<string> = ["charge.dispute.created", withdrawn]
const refunds: ReadonlyArray<string> = ["refund.created", "refund.updated"]

const none: ReadonlyArray<PaymentProof> = []

const toProofs = (orderId: string | undefined, facts: ReadonlyArray<Fact>): ReadonlyArray<PaymentProof> =>
  orderId === undefined ? none : facts.map((fact) => ({ orderId, fact }))

/** Checks and reads messages of a Stripe account. */
export const make = (
  { stripe, ask: asking, toCause: causeOf }: Client,
  secrets: NonEmptyReadonlyArray<Redacted.Redacted>,
  isLive: boolean,
): TopUp["proof"] => {
  const isUnsigned = (error: unknown): boolean => error instanceof stripe.errors.StripeSignatureVerificationError

  /** Verifies a message with one secret after the other, and parses it. */
  const verify = (signature: string, body: Uint8Array, now: number): Effect.Effect<unknown, Failure> => {
    const { webhooks } = stripe
    const verifyWith = (secret: Redacted.Redacted): Effect.Effect<unknown, unknown> =>
      Effect.tryPromise({
        try: () =>
          webhooks.constructEventAsync(body, signature, Redacted.value(secret), toleranceSeconds, undefined, now),
        catch: (error) => error,
      })
    const [first, ...others] = secrets
    return others
      .reduce((before, secret) => Effect.catchIf(before, isUnsigned, () => verifyWith(secret)), verifyWith(first))
      .pipe(
        Effect.mapError((error) => {
          const cause = causeOf(error)
          return isUnsigned(error) ? unsigned("change", cause) : misread(cause)
        }),
      )
  }

  const read = <A, I>(shape: Schema.Schema<A, I>, { id, api_version }: Event, object: unknown) =>
    Either.mapLeft(decodeShape(shape, `Stripe's message ${id} (API version ${api_version})`, object), misread)

  const eventProofs = (event: Event): Effect.Effect<ReadonlyArray<PaymentProof>, Failure> =>
    Effect.gen(function* () {
      const { type, data } = event
      const makesSense = sessions[type]
      if (makesSense !== undefined) {
        const orderId = findOrder(data.object)
        if (orderId === undefined) return none
        const session = yield* read(Session, event, data.object)
        if (!makesSense(session)) {
          const states = `${session.status} and ${session.payment_status}`
          return yield* misread(new Error(`Stripe's message ${event.id} is ${type}, and its session is ${states}.`))
        }
        const facts = sessionFacts(session, type === "checkout.session.async_payment_failed")
        return toProofs(orderId, yield* Either.mapLeft(facts, misread))
      }
      if (type === "charge.refunded") {
        const orderId = findOrder(data.object)
        return orderId === undefined ? none : toProofs(orderId, chargeFacts(yield* read(Charge, event, data.object)))
      }
      if (refunds.includes(type)) {
        // A refund knows neither our order nor the sum of the charge's refunds.
        const { charge: id } = yield* read(Refund, event, data.object)
        if (id === null) return none
        const charge = yield* asking(`Stripe's charge ${id}`, Charge, ({ charges }) => charges.retrieve(id))
        return toProofs(findOrder(charge), chargeFacts(charge))
      }
      if (disputes.includes(type)) {
        const dispute = yield* read(Dispute, event, data.object)
        const { payment_intent: id } = dispute
        const facts = disputeFacts(dispute, type === withdrawn)
        if (id === null || facts.length === 0) return none
        const intent = yield* asking(`Stripe's payment ${id}`, Intent, ({ paymentIntents }) =>
          paymentIntents.retrieve(id),
        )
        return toProofs(findOrder(intent), facts)
      }
      return none
    })

  return (headers, body) =>
    Effect.gen(function* () {
      const signature = headers[header.toLowerCase()]
      if (signature === undefined) return yield* unsigned("add")
      const message = yield* verify(signature, body, yield* Clock.currentTimeMillis)
      const event = yield* Either.mapLeft(decodeShape(Event, "Stripe's message", message), misread)
      if (event.livemode !== isLive) return yield* wrongMode(isLive)
      return typeof event.account === "string" ? none : yield* eventProofs(event)
    })
}
