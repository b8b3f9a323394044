import * as Cause from "effect/Cause"
import { Tag } from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { Asker } from "../account/Asker.ts"
import type { Caller, Keyring } from "../account/Keyring.ts"
import type { Ledger } from "../account/Ledger.ts"
import { type MicroUsd, zero } from "../account/Money.ts"
import { PlatformCrypto } from "../account/PlatformCrypto.ts"
import * as Pricing from "../account/Pricing.ts"
import type { RateLimits } from "../account/RateLimits.ts"
import { Tariff } from "../account/Tariff.ts"
import type { Answer } from "../endpoint/Answer.ts"
import type * as Catalogue from "../endpoint/Catalogue.ts"
import type * as decode from "../endpoint/decode.ts"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Envelope from "../endpoint/Envelope.ts"
import { ifDefined } from "../endpoint/Field.ts"
import { type Failure, fail } from "../Failure.ts"
import { Account, accountCatalogue } from "../lanes/account/Account.ts"
import * as dryRun from "../lanes/account/dryRun.ts"
import { ExampleTokens } from "../lanes/account/ExampleTokens.ts"
import { type Way, ways } from "../payment/ways.ts"
import { asBuyer } from "../record/captures/Captures.ts"
import { Recorder } from "../record/captures/Recorder.ts"
import * as Step from "../Step.ts"
import { Meter } from "../telemetry/Meter.ts"
import * as Tracing from "../telemetry/Tracing.ts"
import * as access from "./access.ts"
import * as answering from "./answering.ts"
import { BaseUrl } from "./BaseUrl.ts"
import type { Call, RequestContext } from "./Call.ts"
import * as CallLog from "./callLog.ts"
import type { EntityTags } from "./EntityTags.ts"
import * as Idempotency from "./idempotency.ts"
import { fromContext, type Handler, LaneSets } from "./LaneSets.ts"
import * as parameters from "./parameters.ts"
import * as paramsHash from "./paramsHash.ts"
import * as payment from "./payment.ts"
import { RequestIds } from "./RequestIds.ts"
import * as Served from "./Served.ts"

/** The result of a call for an embedder. */
export interface Reply<Results> {
  readonly answer: Answer<Results>
  readonly requestId: string
  readonly charged: MicroUsd
}

/**
 * Every call runs through these steps, for HTTP, MCP, command line and embedders alike. A step that fails gives a
 * `Failure`, and nothing is charged. The order is part of the interface:
 *
 * key → agent → rate limit → parameters → idempotent replay → agent budget → wallet → answer → charge → envelope
 */
export class Gateway extends Tag("core/gateway/Gateway")<
  Gateway,
  {
    /**
     * For transports, untyped. Run it uninterruptible, or an interruption after the charge loses the answer; the part
     * before the charge stays interruptible.
     */
    readonly serve: (entry: Catalogue.Entry, raw: decode.Raw, context: RequestContext) => Effect.Effect<Served.Served>
    /** What a call costs a caller, whole micro-dollars; the caps count as much for a test key, which pays nothing. */
    readonly due: (endpoint: Endpoint.Any, caller: Caller) => number
    /** The ways to pay for calls here. */
    readonly waysToPay: ReadonlyArray<Way>
    /**
     * The reply to a request that matches no endpoint (404, 405, 410, malformed).
     *
     * @param place for the log, where something else is at the path
     */
    readonly errorReply: (failure: Failure, place?: CallLog.Place) => Effect.Effect<Served.Served>
    /** A new request id, for an answer without a body that the transport writes itself. */
    readonly nextRequestId: () => Effect.Effect<string>
    /** For embedders, typed. */
    readonly call: <E extends Endpoint.Any>(
      endpoint: E,
      input: Endpoint.Input<E>,
      context: Pick<RequestContext, "authorization">,
    ) => Effect.Effect<Reply<Endpoint.Results<E>>, Failure>
  }
>() {
  static layer(
    catalogue: Catalogue.Any,
  ): Layer.Layer<
    Gateway,
    never,
    EntityTags | Keyring | LaneSets | Ledger | RateLimits | Recorder | RequestIds | PlatformCrypto | BaseUrl
  > {
    return Layer.effect(Gateway, make(catalogue)).pipe(
      Layer.provide(Account.layer(catalogue)),
      Layer.provide(ExampleTokens.layer),
    )
  }
}

const interruptible = <A>(step: Step.Step<A, Failure>): Step.Step<A, Failure> =>
  Step.whileWaiting(step, Effect.interruptible)

/** A method that is named its caller. */
const asking =
  (handler: Handler<Asker>, { call, caller }: answering.KeyedQuestion): Handler =>
  (params) =>
    Effect.provideService(handler(params), Asker, { caller, startedAt: call.startedAt })

const make = Effect.fnUntraced(function* (catalogue: Catalogue.Any) {
  const clock = yield* Effect.clock
  const account = fromContext<Asker>(accountCatalogue, yield* Effect.context<Account>())
  const { authorize, admit } = yield* access.make
  const idempotency = yield* Idempotency.make
  const lanes = yield* LaneSets
  const log = yield* CallLog.make
  const meter = yield* Meter
  const sample = yield* Tracing.Tracing
  const pay = yield* payment.make
  const quote = yield* dryRun.make
  const offerToRecord = Step.starting((yield* Recorder).offer)
  const nextRequestId = Step.starting((yield* RequestIds).next)
  const tariff = yield* Tariff
  const { baseUrl } = yield* BaseUrl
  const prepare = yield* answering.make(catalogue)
  const hash = paramsHash.make(yield* PlatformCrypto)
  const decodeParams = parameters.make(catalogue)

  const begin = (context: RequestContext): Step.Step<Call> =>
    Step.andThen(nextRequestId(), (requestId) =>
      Exit.succeed<Call>({ requestId, startedAt: clock.unsafeCurrentTimeMillis(), since: meter.now(), context }),
    )

  /** A call of an endpoint that needs no key: no price, no audit row. */
  const keylessCall = Step.fn(function* (question: answering.Question) {
    const found = yield* interruptible(prepare(question, lanes.live.get(question.endpoint.id)!))
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

  /**
   * Everything before the charge can be interrupted (client gone, timeout) and costs nothing. The charge and the rest
   * cannot, so that no charge is made for an answer that is dropped here.
   */
  const paidCall = Step.fn(function* (question: answering.KeyedQuestion, idempotencyKey?: string) {
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

  /** The caller of a call that is paid for without a key. */
  const payerOf = Step.fn(function* (call: Call, { endpoint, lane }: Catalogue.Entry, { options }: decode.Decoded) {
    const isFree = call.context.head === true || options.dry_run === true
    const payer = yield* interruptible(pay.payer(call, endpoint, isFree))
    yield* admit(call, payer, lane)
    return payer
  })

  const run = Step.fn(function* (call: Call, entry: Catalogue.Entry, raw: decode.Raw) {
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

  /** Appends the audit row of a failed keyed call, without waiting for the write, and logs a server error. */
  const auditAndReply = Step.fn(function* (
    call: Call,
    endpoint: Endpoint.Any,
    failure: Failure,
    defect?: Cause.Cause<never>,
  ) {
    const { id } = endpoint
    const { caller, paramsHash = "" } = call
    yield* log.refused(call, endpoint, failure, defect)
    if (caller !== undefined) {
      yield* pay.appendAudit(call, caller, { status: failure.status, code: failure.code, endpoint: id, paramsHash })
    }
    meter.answered(id, failure.status, 0, call.since)
    return Served.failed(failure, call, baseUrl)
  })

  /** A defect gives `internal_error`; only the log has its cause. An interrupted call gets an audit row. */
  const errorReply = (call: Call, endpoint: Endpoint.Any, cause: Cause.Cause<never>): Step.Step<Served.Served> =>
    Cause.isInterruptedOnly(cause)
      ? Step.andThen(auditAndReply(call, endpoint, fail("request_timeout")), () => Exit.failCause(cause))
      : auditAndReply(call, endpoint, fail("internal_error"), cause)

  const reply = Step.fn(function* (call: Call, entry: Catalogue.Entry, raw: decode.Raw) {
    const finished = yield* run(call, entry, raw)
    const served = Served.succeeded(call, entry.endpoint, finished, clock.unsafeCurrentTimeMillis())
    yield* log.paidCall(call, entry.endpoint, served.status, finished.charged)
    meter.answered(entry.endpoint.id, served.status, finished.charged, call.since)
    return served
  })

  const serve = Step.fn(function* (entry: Catalogue.Entry, raw: decode.Raw, context: RequestContext) {
    const call = yield* begin(context)
    const { endpoint } = entry
    const replied = Step.catchCause(reply(call, entry, raw), (cause) =>
      Either.match(Cause.failureOrCause(cause), {
        onLeft: (failure) => auditAndReply(call, endpoint, failure),
        onRight: Exit.failCause,
      }),
    )
    return yield* Step.catchCause(replied, (cause) => errorReply(call, endpoint, cause))
  })

  const observed = (entry: Catalogue.Entry, raw: decode.Raw, context: RequestContext): Step.Step<Served.Served> => {
    const traced = sample?.(context.traceparent)
    if (traced === undefined) return serve(entry, raw, context)
    const { endpoint, lane } = entry
    const method = context.head === true ? "HEAD" : Endpoint.methodOf(endpoint)
    return Tracing.call(
      serve(entry, raw, context),
      traced,
      `${method} ${endpoint.path}`,
      (reply) => ({
        "http.request.method": method,
        "http.route": endpoint.path,
        "market_signals.lane": lane.name,
        ...(reply && { "market_signals.request_id": reply.requestId, "http.response.status_code": reply.status }),
      }),
      ({ status }) => status >= 500,
    )
  }

  const refuse = Step.fn(function* (failure: Failure, place?: CallLog.Place) {
    const since = meter.now()
    const requestId = yield* nextRequestId()
    yield* log.refused({ requestId, ...ifDefined("startedAt", place?.startedAt) }, place, failure)
    meter.answered(undefined, failure.status, 0, since)
    return Served.failed(failure, { requestId }, baseUrl)
  })

  const call = Step.fn(function* (
    endpoint: Endpoint.Any,
    input: unknown,
    { authorization }: Pick<RequestContext, "authorization">,
  ) {
    const call = yield* begin({ authorization })
    const value = input as Readonly<Record<string, unknown>>
    const { answer, charged } = yield* run(call, catalogue.byId.get(endpoint.id)!, { _tag: "Json", value })
    return { answer, charged, requestId: call.requestId }
  })

  return Gateway.of({
    waysToPay: yield* ways,
    due: tariff.due,
    errorReply: Step.methodOf(refuse),
    nextRequestId: Step.methodOf(nextRequestId),
    serve: Step.methodOf(observed, Effect.uninterruptible),
    call: Step.methodOf(call, Effect.uninterruptible) as never,
  })
})
