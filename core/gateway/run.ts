import * as Effect from "effect/Effect"
import { CurrentCaller } from "../account/CurrentCaller.ts"
import { zero } from "../account/Money.ts"
import { PlatformCrypto } from "../account/PlatformCrypto.ts"
import type * as Catalogue from "../endpoint/Catalogue.ts"
import type * as decode from "../endpoint/decode.ts"
import type * as Lane from "../endpoint/Lane.ts"
import { fromContext, type Handler, type LaneSet, LaneSets } from "../endpoint/LaneSets.ts"
import * as Pricing from "../endpoint/Pricing.ts"
import { type Failure, fail } from "../Failure.ts"
import { ifDefined } from "../ifDefined.ts"
import { type Account, accountCatalogue } from "../lanes/account/Account.ts"
import * as dryRun from "../lanes/account/dryRun.ts"
import { asBuyer } from "../record/captures/Captures.ts"
import { Recorder } from "../record/captures/Recorder.ts"
import * as Step from "../Step.ts"
import * as access from "./access.ts"
import * as answering from "./answering.ts"
import type { KeyedQuestion, Progress, Question } from "./Call.ts"
import * as Idempotency from "./idempotency.ts"
import * as parameters from "./parameters.ts"
import * as paramsHash from "./paramsHash.ts"
import type { Payment } from "./payment.ts"
import type * as Served from "./Served.ts"

const interruptible = <A>(step: Step.Step<A, Failure>): Step.Step<A, Failure> =>
  Step.mapRemaining(step, Effect.interruptible)

/** Passes the caller to a method that needs it. */
const withCaller =
  (handler: Handler<CurrentCaller>, { call, caller }: KeyedQuestion): Handler =>
  (params) =>
    Effect.provideService(Step.run(handler(params)), CurrentCaller, {
      caller,
      startedAt: call.startedAt,
      ...ifDefined("once", call.context.idempotencyKey?.toLowerCase()),
    })

const isKeyed = (question: Question): question is KeyedQuestion => question.caller !== undefined

/**
 * Calls that are charged, and those that change what an account has.
 *
 * @param account the endpoints about the caller and its account
 */
const paidCalls = (pay: Payment, prepare: answering.Prepare, account: LaneSet<CurrentCaller>) =>
  Effect.gen(function* () {
    const lanes = yield* LaneSets
    const capture = Step.eager((yield* Recorder).capture)

    /**
     * Everything before the charge can be interrupted (client gone, timeout) and costs nothing. The charge and the rest
     * cannot, so that no charge is made for an answer that is dropped here.
     */
    return Step.fn(function* (progress: Progress, question: KeyedQuestion, idempotencyKey?: string) {
      const { call, caller, endpoint } = question
      const price = Pricing.quotePrice(endpoint, caller.livemode)
      // Only sold signals are recorded.
      const captureSold: answering.Capture | undefined =
        caller.livemode && call.context.head !== true
          ? (record) => capture(record, { ...asBuyer(caller), requestId: call.requestId, keyId: caller.keyId })
          : undefined
      const laneMethod = account.get(endpoint.id) ?? (caller.livemode ? lanes.live : lanes.test).get(endpoint.id)!
      const handler = endpoint.writes === undefined ? (laneMethod as Handler) : withCaller(laneMethod, question)
      const quoted = yield* interruptible(pay.precheck(progress, question, price))
      const prepared = yield* interruptible(prepare(question, handler, captureSold))
      const charged = yield* pay.charge(progress, quoted, prepared, idempotencyKey)
      const finished: Served.Finished = { ...prepared, charged, replayed: false }
      return finished
    })
  })

const demoKeyFailure = fail("insufficient_scope", {
  detail: "The demo key has no account.",
  hints: [{ field: "Authorization", action: "change", suggestion: "Use a key of your own; test keys are free." }],
})

/** Calls that are never charged. */
const freeCalls = (pay: Payment, prepare: answering.Prepare) =>
  Effect.gen(function* () {
    const { live, test } = yield* LaneSets
    /** A call of an endpoint that needs no key, or of a visitor, who gets generated data: no price, no audit row. */
    const keylessCall = Step.fn(function* (question: Question, lanes: LaneSet = live) {
      const prepared = yield* interruptible(prepare(question, lanes.get(question.endpoint.id)!))
      const finished: Served.Finished = { ...prepared, charged: zero, replayed: false }
      return finished
    })

    const demoCall = ({ about }: Lane.Any, question: Question): Step.Step<Served.Finished, Failure> =>
      about !== "market" || question.endpoint.writes !== undefined || question.decoded.options.dry_run === true
        ? demoKeyFailure
        : keylessCall(question, test)

    /** Answers about the caller, and quotes for `dry_run`: always free, never replayed. */
    const freeCall = Step.fn(function* (progress: Progress, question: KeyedQuestion, handler: Handler<CurrentCaller>) {
      const { call, caller, endpoint, paramsHash } = question
      yield* interruptible(pay.takeUncharged(progress, caller))
      const { answer, prepared } = yield* interruptible(prepare(question, withCaller(handler, question)))
      yield* pay.appendAudit(call, caller, { status: 200, endpoint: endpoint.id, paramsHash })
      const finished: Served.Finished = { answer, prepared, charged: zero, replayed: false, ownResults: false }
      return finished
    })

    return { keylessCall, demoCall, freeCall }
  })

/** Runs calls through their checks. Their order is that of the code at the end; it is part of the interface. */
export const make = Effect.fnUntraced(function* (catalogue: Catalogue.Any, pay: Payment) {
  const account = fromContext<CurrentCaller>(accountCatalogue, yield* Effect.context<Account>())
  const { identify, admit, admitAddress } = yield* access.make
  const idempotency = yield* Idempotency.make
  const quote = yield* dryRun.makeDryRun
  const prepare = yield* answering.make(catalogue)
  const hash = paramsHash.make(yield* PlatformCrypto)
  const decodeParams = parameters.make(catalogue)
  const paidCall = yield* paidCalls(pay, prepare, account)
  const { keylessCall, demoCall, freeCall } = yield* freeCalls(pay, prepare)

  /** The question of a call that is paid for without a key, with its payer. */
  const paidWithoutKey = Step.fn(function* (progress: Progress, question: Question, lane: Lane.Any) {
    const { call, decoded, paramsHash } = question
    const isFree = call.context.head === true || decoded.options.dry_run === true
    const { caller, payment } = yield* interruptible(pay.payer(question, isFree))
    progress.stage = { ...progress.stage, caller }
    const { limit, refused } = yield* admit(caller, lane)
    progress.stage = { caller, limit, paramsHash }
    if (refused !== undefined) return yield* refused
    const keyed: KeyedQuestion = { ...question, caller, limit, payment }
    return keyed
  })

  return Step.fn(function* (progress: Progress, entry: Catalogue.Entry, raw: decode.Raw) {
    const { call } = progress
    const { endpoint, lane } = entry
    const caller = yield* identify(call, entry)
    progress.stage = { caller }
    const authorized = yield* caller === undefined ? admitAddress(call) : admit(caller, lane)
    progress.stage = authorized
    if (authorized.refused !== undefined) return yield* authorized.refused
    const decoded = yield* Step.ofEither(decodeParams(endpoint, raw, call))
    const paramsHash = yield* hash(endpoint, decoded)
    const question: Question = { call, caller, limit: authorized.limit, endpoint, decoded, paramsHash }
    progress.stage = question
    if (endpoint.auth !== "key") return yield* keylessCall(question)
    // The demo key has no caller, and no other key is compared with it.
    if (caller === undefined && access.isDemo(call.context)) return yield* demoCall(lane, question)
    const keyed = isKeyed(question) ? question : yield* paidWithoutKey(progress, question, lane)
    if (decoded.options.dry_run === true) {
      const { params, slim } = decoded
      const fullShape: decode.Decoded = { params, slim, mask: "all", options: { verbose: true } }
      return yield* freeCall(progress, { ...keyed, decoded: fullShape }, () => quote(endpoint))
    }
    if (lane.about !== "market" && endpoint.writes === undefined)
      return yield* freeCall(progress, keyed, account.get(endpoint.id)!)
    const { idempotencyKey, head } = call.context
    if (idempotencyKey === undefined || head === true) return yield* paidCall(progress, keyed)
    const finished = yield* idempotency.once(call, keyed.caller.keyId, idempotencyKey, paramsHash, (key) =>
      paidCall(progress, keyed, key),
    )
    if (finished.replayed)
      yield* pay.appendAudit(call, keyed.caller, { status: 200, endpoint: endpoint.id, paramsHash })
    return finished
  })
})
