import * as Cause from "effect/Cause"
import { Tag } from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Keyring } from "../account/Keyring.ts"
import { Ledger } from "../account/Ledger.ts"
import type { MicroUsd } from "../account/Money.ts"
import type { PlatformCrypto } from "../account/PlatformCrypto.ts"
import { RateLimits } from "../account/RateLimits.ts"
import { BaseUrl } from "../call/BaseUrl.ts"
import { MarketQuotes } from "../contracts/MarketQuotes.ts"
import type { Answer } from "../endpoint/Answer.ts"
import type * as Catalogue from "../endpoint/Catalogue.ts"
import type * as decode from "../endpoint/decode.ts"
import * as Endpoint from "../endpoint/Endpoint.ts"
import type { LaneSets } from "../endpoint/LaneSets.ts"
import { type Failure, fail } from "../Failure.ts"
import { Finder } from "../find/Finder.ts"
import { ifDefined } from "../ifDefined.ts"
import * as Account from "../lanes/account/Account.ts"
import { ExampleTokens } from "../lanes/account/ExampleTokens.ts"
import { Manage } from "../lanes/account/Manage.ts"
import { CallPaymentGate } from "../payment/CallPaymentGate.ts"
import { Payments } from "../payment/Payments.ts"
import { type PaymentMethod, paymentMethods } from "../payment/paymentMethods.ts"
import { Recorder } from "../record/captures/Recorder.ts"
import * as Step from "../Step.ts"
import { type Counting, Meter } from "../telemetry/Meter.ts"
import * as Tracing from "../telemetry/Tracing.ts"
import type { Progress, RequestContext } from "./Call.ts"
import * as CallLog from "./callLog.ts"
import { EntityTags } from "./EntityTags.ts"
import * as payment from "./payment.ts"
import { RequestIds } from "./RequestIds.ts"
import * as running from "./run.ts"
import * as Served from "./Served.ts"

/** Services that a gateway needs. */
export type Needs = Keyring | LaneSets | PlatformCrypto

/** Services that `Gateway.layerDefaults` provides if a program has none of its own. */
export type Optional =
  | BaseUrl
  | EntityTags
  | Finder
  | Ledger
  | MarketQuotes
  | CallPaymentGate
  | Payments
  | RateLimits
  | Recorder
  | RequestIds

/** The result of a call for an embedder. */
export interface Reply<Results> {
  readonly answer: Answer<Results>
  readonly requestId: string
  readonly charged: MicroUsd
}

/**
 * Every call runs through the checks of `run.ts`, for HTTP, MCP, command line and embedders alike. A check that fails
 * gives a `Failure`, and nothing is charged. Their order is part of the interface.
 */
export class Gateway extends Tag("market-signals/core/gateway/Gateway")<
  Gateway,
  {
    /**
     * For transports, untyped. Run it uninterruptible, or an interruption after the charge loses the answer; the part
     * before the charge stays interruptible.
     */
    readonly serve: (entry: Catalogue.Entry, raw: decode.Raw, context: RequestContext) => Effect.Effect<Served.Served>
    /** Whether callers can manage alerts and webhooks: the layer of `Manage` was provided. */
    readonly manages: boolean
    /** Payment methods that this gateway accepts. */
    readonly waysToPay: ReadonlyArray<PaymentMethod>
    /**
     * The reply to a request that matches no endpoint (404, 405, 410, malformed).
     *
     * @param request for the log, if the path is of something other than an endpoint, such as a health probe
     */
    readonly errorReply: (failure: Failure, request?: CallLog.UnmatchedRequest) => Effect.Effect<Served.Served>
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
  static layer(catalogue: Catalogue.Any): Layer.Layer<Gateway, never, Needs | Optional> {
    return Layer.effect(Gateway, make(catalogue)).pipe(
      Layer.provide(Account.layer(catalogue)),
      Layer.provide(ExampleTokens.layer),
    )
  }

  /**
   * Empty wallets, no record, no payments, limits of this process only, and relative links. Services of your own that are
   * provided first take precedence.
   */
  static readonly layerDefaults: Layer.Layer<Optional, never, PlatformCrypto> = Layer.suspend(() =>
    Layer.mergeAll(
      BaseUrl.layer(""),
      EntityTags.layerMemory,
      Finder.layerNone,
      Ledger.layerMemory([]),
      MarketQuotes.layerNone,
      CallPaymentGate.layerNone,
      Payments.layerNone,
      RateLimits.layerMemory,
      Recorder.layerNone,
      RequestIds.layer,
    ),
  )
}

/** Maximum number of field names that are stored of a call, and their length: a caller may invent names. */
const [maxFields, maxFieldLength] = [8, 40]

/** The names of the fields that a caller has to correct, never their values; undefined: none. */
const badFields = ({ hints = [] }: Failure): string | undefined => {
  const bad = hints.filter(({ action }) => action === "add" || action === "change" || action === "remove")
  const names = [...new Set(bad.map(({ field }) => field.slice(0, maxFieldLength)))].slice(0, maxFields)
  return names.length === 0 ? undefined : names.join(", ")
}

const makeFailedReplies = (pay: payment.Payment, log: CallLog.CallLog, meter: Counting, baseUrl: string) => {
  /** Appends the audit row of a failed keyed call, without waiting for the write, and logs a server error. */
  const auditAndReply = Step.fn(function* (
    { call, stage }: Progress,
    endpoint: Endpoint.Any,
    failure: Failure,
    defect?: Cause.Cause<never>,
  ) {
    const { id } = endpoint
    const { caller, paramsHash = "" } = stage
    yield* log.refused({ ...call, caller }, endpoint, failure, defect)
    if (caller !== undefined) {
      const { status, code } = failure
      const end = { status, code, endpoint: id, paramsHash, ...ifDefined("fields", badFields(failure)) }
      yield* pay.appendAudit(call, caller, end)
    }
    meter.answered(id, failure.status, 0, call.since)
    return Served.failed(failure, { ...stage, ...call }, baseUrl)
  })

  /** A defect gives `internal_error`; only the log has its cause. An interrupted call gets an audit row. */
  const errorReply = (
    progress: Progress,
    endpoint: Endpoint.Any,
    cause: Cause.Cause<never>,
  ): Step.Step<Served.Served> =>
    Cause.isInterruptedOnly(cause)
      ? Step.andThen(auditAndReply(progress, endpoint, fail("request_timeout")), () => Exit.failCause(cause))
      : auditAndReply(progress, endpoint, fail("internal_error"), cause)

  return { auditAndReply, errorReply }
}

const initialStage: Progress["stage"] = {}

type Serve = (entry: Catalogue.Entry, raw: decode.Raw, context: RequestContext) => Step.Step<Served.Served>

const withTracing =
  (serve: Serve, sample: Tracing.Sampler | undefined): Serve =>
  (entry, raw, context) => {
    const traced = sample?.(context.traceparent)
    if (traced === undefined) return serve(entry, raw, context)
    const { endpoint, lane } = entry
    const method = context.head === true ? "HEAD" : Endpoint.methodOf(endpoint)
    return Tracing.endWithCall(
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

const make = Effect.fnUntraced(function* (catalogue: Catalogue.Any) {
  const clock = yield* Effect.clock
  const meter = yield* Meter
  const { baseUrl } = yield* BaseUrl
  const nextRequestId = Step.eager((yield* RequestIds).next)
  const log = yield* CallLog.make
  const pay = yield* payment.make
  const run = yield* running.make(catalogue, pay)
  const { auditAndReply, errorReply } = makeFailedReplies(pay, log, meter, baseUrl)

  const begin = (context: RequestContext): Step.Step<Progress> =>
    Step.andThen(nextRequestId(), (requestId) =>
      Exit.succeed<Progress>({
        call: { requestId, startedAt: clock.unsafeCurrentTimeMillis(), since: meter.now(), context },
        stage: initialStage,
      }),
    )

  const reply = Step.fn(function* (progress: Progress, entry: Catalogue.Entry, raw: decode.Raw) {
    const finished = yield* run(progress, entry, raw)
    const served = Served.succeeded(progress, entry.endpoint, finished, clock.unsafeCurrentTimeMillis())
    yield* log.paidCall(progress, entry.endpoint, served.status, finished.charged)
    meter.answered(entry.endpoint.id, served.status, finished.charged, progress.call.since)
    return served
  })

  const serve = Step.fn(function* (entry: Catalogue.Entry, raw: decode.Raw, context: RequestContext) {
    const progress = yield* begin(context)
    const { endpoint } = entry
    const replied = Step.catchCause(reply(progress, entry, raw), (cause) =>
      Either.match(Cause.failureOrCause(cause), {
        onLeft: (failure) => auditAndReply(progress, endpoint, failure),
        onRight: Exit.failCause,
      }),
    )
    return yield* Step.catchCause(replied, (cause) => errorReply(progress, endpoint, cause))
  })

  const refuse = Step.fn(function* (failure: Failure, request?: CallLog.UnmatchedRequest) {
    const since = meter.now()
    const requestId = yield* nextRequestId()
    yield* log.refused({ requestId, ...ifDefined("startedAt", request?.startedAt) }, request, failure)
    meter.answered(undefined, failure.status, 0, since)
    return Served.failed(failure, { requestId }, baseUrl)
  })

  const call = Step.fn(function* (
    endpoint: Endpoint.Any,
    input: unknown,
    { authorization }: Pick<RequestContext, "authorization">,
  ) {
    const progress = yield* begin({ authorization })
    const value = input as Readonly<Record<string, unknown>>
    const { answer, charged } = yield* run(progress, catalogue.byId.get(endpoint.id)!, { _tag: "Json", value })
    return { answer, charged, requestId: progress.call.requestId }
  })

  return Gateway.of({
    manages: Option.isSome(yield* Effect.serviceOption(Manage)),
    waysToPay: yield* paymentMethods,
    errorReply: Step.methodFrom(refuse),
    nextRequestId: Step.methodFrom(nextRequestId),
    serve: Step.methodFrom(withTracing(serve, yield* Tracing.Tracing), Effect.uninterruptible),
    call: Step.methodFrom(call, Effect.uninterruptible) as never,
  })
})
