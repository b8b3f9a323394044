import * as Effect from "effect/Effect"
import { Asker } from "../account/Asker.ts"
import { zero } from "../account/Money.ts"
import { PlatformCrypto } from "../account/PlatformCrypto.ts"
import * as Pricing from "../account/Pricing.ts"
import { Tariff } from "../account/Tariff.ts"
import type * as Catalogue from "../endpoint/Catalogue.ts"
import type * as decode from "../endpoint/decode.ts"
import * as Envelope from "../endpoint/Envelope.ts"
import type { Failure } from "../Failure.ts"
import { type Account, accountCatalogue } from "../lanes/account/Account.ts"
import * as dryRun from "../lanes/account/dryRun.ts"
import { asBuyer } from "../record/captures/Captures.ts"
import { Recorder } from "../record/captures/Recorder.ts"
import * as Step from "../Step.ts"
import * as access from "./access.ts"
import * as answering from "./answering.ts"
import type { Call } from "./Call.ts"
import * as Idempotency from "./idempotency.ts"
import { fromContext, type Handler, LaneSets } from "./LaneSets.ts"
import * as parameters from "./parameters.ts"
import * as paramsHash from "./paramsHash.ts"
import type { Payment } from "./payment.ts"
import type * as Served from "./Served.ts"

const interruptible = <A>(step: Step.Step<A, Failure>): Step.Step<A, Failure> =>
  Step.whileWaiting(step, Effect.interruptible)

/** A method that is named its caller. */
const asking =
  (handler: Handler<Asker>, { call, caller }: answering.KeyedQuestion): Handler =>
  (params) =>
    Effect.provideService(handler(params), Asker, { caller, startedAt: call.startedAt })

/** Calls that are charged. */
const paidCalls = (pay: Payment, prepare: answering.Prepare) =>
  Effect.gen(function* () {
    const lanes = yield* LaneSets
    const tariff = yield* Tariff
    const offerToRecord = Step.starting((yield* Recorder).offer)

    /**
     * Everything before the charge can be interrupted (client gone, timeout) and costs nothing. The charge and the rest
     * cannot, so that no charge is made for an answer that is dropped here.
     */
    return Step.fn(function* (question: answering.KeyedQuestion, idempotencyKey?: string) {
      const { call, caller, endpoint, paramsHash } = question
      const isHead = call.context.head === true
      const price = Pricing.priceOf(tariff.due(endpoint, caller), caller.livemode)
      // Only sold signals are recorded.
      const offer: answering.Offer | undefined =
        caller.livemode && !isHead
          ? (record) => offerToRecord(record, { ...asBuyer(caller), requestId: call.requestId, keyId: caller.keyId })
          : undefined
      const own = (caller.livemode ? lanes.live : lanes.test).get(endpoint.id)!
      const handler = endpoint.writes === undefined ? own : asking(own, question)
      const found = yield* interruptible(
        Step.andThen(pay.precheck(call, caller, endpoint, price), () => prepare(question, handler, offer)),
      )
      const isFree = found.unchanged || found.answer.billable === false || isHead
      const charged = yield* pay.settle(
        call,
        caller,
        endpoint,
        isFree ? Pricing.nothing : price,
        { status: found.unchanged ? 304 : 200, endpoint: endpoint.id, paramsHash },
        idempotencyKey === undefined || found.unchanged
          ? undefined
          : { key: idempotencyKey, requestHash: paramsHash, stored: Envelope.toStored(found.prepared) },
        isFree ? undefined : found.captured,
      )
      const finished: Served.Finished = { ...found, charged, replayed: false }
      return finished
    })
  })

/** Calls that are never charged. */
const freeCalls = (pay: Payment, prepare: answering.Prepare) =>
  Effect.gen(function* () {
    const { live } = yield* LaneSets
    /** A call of an endpoint that needs no key: no price, no audit row. */
    const keylessCall = Step.fn(function* (question: answering.Question) {
      const found = yield* interruptible(prepare(question, live.get(question.endpoint.id)!))
      const finished: Served.Finished = { ...found, charged: zero, replayed: false }
      return finished
    })

    /** Answers about the caller, and quotes for `dry_run`: always free, never replayed. */
    const freeCall = Step.fn(function* (question: answering.KeyedQuestion, handler: Handler<Asker>) {
      const { call, caller, endpoint, paramsHash } = question
      const { answer, prepared } = yield* interruptible(prepare(question, asking(handler, question)))
      yield* pay.appendAudit(call, caller, { status: 200, endpoint: endpoint.id, paramsHash })
      const finished: Served.Finished = { answer, prepared, charged: zero, replayed: false, ownResults: false }
      return finished
    })

    return { keylessCall, freeCall }
  })

/** Runs calls through their checks. The order of the checks is that of `run`; it is part of the interface. */
export const make = Effect.fnUntraced(function* (catalogue: Catalogue.Any, pay: Payment) {
  const account = fromContext<Asker>(accountCatalogue, yield* Effect.context<Account>())
  const { authorize, admit } = yield* access.make
  const idempotency = yield* Idempotency.make
  const quote = yield* dryRun.make
  const prepare = yield* answering.make(catalogue)
  const hash = paramsHash.make(yield* PlatformCrypto)
  const decodeParams = parameters.make(catalogue)
  const paidCall = yield* paidCalls(pay, prepare)
  const { keylessCall, freeCall } = yield* freeCalls(pay, prepare)

  /** The caller of a call that is paid for without a key. */
  const payerOf = Step.fn(function* (call: Call, { endpoint, lane }: Catalogue.Entry, { options }: decode.Decoded) {
    const isFree = call.context.head === true || options.dry_run === true
    const payer = yield* interruptible(pay.payer(call, endpoint, isFree))
    yield* admit(call, payer, lane)
    return payer
  })

  return Step.fn(function* (call: Call, entry: Catalogue.Entry, raw: decode.Raw) {
    const { endpoint, lane } = entry
    yield* authorize(call, entry)
    const decoded = yield* Step.ofEither(decodeParams(endpoint, raw, call))
    const paramsHash = yield* hash(endpoint, decoded)
    call.paramsHash = paramsHash
    if (endpoint.auth !== "key") return yield* keylessCall({ call, endpoint, decoded, paramsHash })
    const caller = call.caller ?? (yield* payerOf(call, entry, decoded))
    const question: answering.KeyedQuestion = { call, caller, endpoint, decoded, paramsHash }
    if (lane.about === "caller") return yield* freeCall(question, account.get(endpoint.id)!)
    if (decoded.options.dry_run === true) {
      const { params, slim } = decoded
      const whole: decode.Decoded = { params, slim, mask: "all", options: { verbose: true } }
      return yield* freeCall({ ...question, decoded: whole }, () => quote(endpoint))
    }
    const { idempotencyKey, head } = call.context
    if (idempotencyKey === undefined || head === true) return yield* paidCall(question)
    const finished = yield* idempotency.once(call, caller.keyId, idempotencyKey, paramsHash, (key) =>
      paidCall(question, key),
    )
    if (finished.replayed) yield* pay.appendAudit(call, caller, { status: 200, endpoint: endpoint.id, paramsHash })
    return finished
  })
})
