import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import { Tag } from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type { Caller, Keyring } from "../account/Keyring.ts"
import type { Ledger } from "../account/Ledger.ts"
import { type MicroUsd, zero } from "../account/Money.ts"
import * as Pricing from "../account/Pricing.ts"
import type { RateLimits } from "../account/RateLimits.ts"
import { Secrets } from "../account/Secrets.ts"
import type { Answer } from "../endpoint/Answer.ts"
import type * as Catalogue from "../endpoint/Catalogue.ts"
import * as decode from "../endpoint/decode.ts"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Envelope from "../endpoint/Envelope.ts"
import { type Failure, fail } from "../Failure.ts"
import { Account, accountCatalogue, withAccount } from "../lanes/account/Account.ts"
import { Asker } from "../lanes/account/Asker.ts"
import * as dryRun from "../lanes/account/dryRun.ts"
import { ExampleTokens } from "../lanes/account/ExampleTokens.ts"
import { Recorder } from "../record/captures/Recorder.ts"
import * as access from "./access.ts"
import * as answering from "./answering.ts"
import type { Call, Context } from "./Call.ts"
import * as CallLog from "./callLog.ts"
import { EntityTags } from "./EntityTags.ts"
import * as EntityTag from "./etag.ts"
import * as replay from "./idempotency.ts"
import { fromContext, type Handler, LaneSets } from "./LaneSets.ts"
import * as paramsHash from "./paramsHash.ts"
import * as payment from "./payment.ts"
import { RequestIds } from "./RequestIds.ts"
import * as Served from "./Served.ts"
import { Site } from "./Site.ts"

/** A call as an embedder gets it. */
export interface Reply<Results> {
  readonly answer: Answer<Results>
  readonly requestId: string
  readonly charged: MicroUsd
}

/**
 * The one path of a call, for HTTP, MCP, command line and embedders alike. No step goes back; a step that fails is a
 * `Failure` and nothing is charged. The order is the contract's:
 *
 * key → agent → rate limit → parameters → idempotent replay → agent budget → wallet → answer → charge → envelope
 */
export class Gateway extends Tag("core/gateway/Gateway")<
  Gateway,
  {
    /**
     * The untyped door, for transports. An interruption that comes after the charge takes the answer away unless this
     * is run uninterruptible; the part before the charge can be interrupted all the same.
     */
    readonly serve: (entry: Catalogue.Entry, raw: decode.Raw, context: Context) => Effect.Effect<Served.Served>
    /** The answer to a request that reaches no endpoint (404, 405, 410, malformed). */
    readonly refuse: (failure: Failure) => Effect.Effect<Served.Served>
    /** The typed door, for embedders. */
    readonly call: <E extends Endpoint.Any>(
      endpoint: E,
      input: Endpoint.Input<E>,
      context: Pick<Context, "authorization">,
    ) => Effect.Effect<Reply<Endpoint.Results<E>>, Failure>
  }
>() {
  static layer(
    catalogue: Catalogue.Any,
  ): Layer.Layer<
    Gateway,
    never,
    EntityTags | Keyring | LaneSets | Ledger | RateLimits | Recorder | RequestIds | Secrets | Site
  > {
    return Layer.effect(Gateway, make(catalogue)).pipe(
      Layer.provide(Account.layer(catalogue)),
      Layer.provide(ExampleTokens.layer),
    )
  }
}

const make = Effect.fnUntraced(function* (catalogue: Catalogue.Any) {
  const admit = yield* access.make
  const log = yield* CallLog.make
  const lanes = yield* LaneSets
  const pay = yield* payment.make
  const recorder = yield* Recorder
  const repeats = yield* replay.make
  const requestIds = yield* RequestIds
  const secrets = yield* Secrets
  const { baseUrl } = yield* Site
  const account = fromContext<Asker>(accountCatalogue, yield* Effect.context<Account>())
  const quote = yield* dryRun.make
  const decoders = new Map(
    withAccount(catalogue).entries.map(({ endpoint }) => [endpoint.id, decode.compile(endpoint)]),
  )
  const answered = answering.make(catalogue, yield* EntityTags)
  const hash = paramsHash.make(secrets)

  const begin = (context: Context): Effect.Effect<Call> =>
    Effect.zipWith(requestIds.next, Clock.currentTimeMillis, (requestId, startedAt) => ({
      requestId,
      startedAt,
      context,
    }))

  /** The endpoint's own parameters; a malformed `Idempotency-Key` is reported beside them. */
  const read = (
    { endpoint }: Catalogue.Entry,
    raw: decode.Raw,
    { context, startedAt }: Call,
  ): Effect.Effect<decode.Decoded, Failure> => {
    const decoded = Either.mapLeft(decoders.get(endpoint.id)!(raw, startedAt), (failure) =>
      Endpoint.methodOf(endpoint) === "POST" ? fail("invalid_request_body", { hints: failure.hints ?? [] }) : failure,
    )
    const key = context.idempotencyKey
    if (key === undefined || repeats.isKey(key)) return decoded
    const hints = decoded._tag === "Left" ? (decoded.left.hints ?? []) : []
    const field = context.idempotencyField ?? replay.keyHeader
    const hint = { field, action: "change", suggestion: `${field} must be a UUIDv4.` } as const
    return Effect.fail(fail("invalid_parameter", { hints: [...hints, hint] }))
  }

  const laneOf = (endpoint: Endpoint.Any, livemode: boolean): answering.Ask =>
    (livemode ? lanes.live : lanes.test).get(endpoint.id)!

  const isUnchanged = ({ context: { ifNoneMatch, format = "json" } }: Call, { etag }: answering.Answered): boolean =>
    ifNoneMatch !== undefined && etag !== undefined && EntityTag.isNamed(ifNoneMatch, EntityTag.inFormat(etag, format))

  /** Requests without a key: no price, no audit row. */
  const open = (call: Call, endpoint: Endpoint.Any, decoded: decode.Decoded): Effect.Effect<Served.Finished, Failure> =>
    Effect.map(
      Effect.flatMap(hash(endpoint, decoded), (question) =>
        Effect.interruptible(answered(call, endpoint, decoded, laneOf(endpoint, true), question)),
      ),
      (found) => ({ ...found, charged: zero, replayed: false, unchanged: isUnchanged(call, found) }),
    )

  /** Answers of the gateway itself: about the key that asks, or a quote in place of a call. Always free. */
  const told = (
    call: Call,
    caller: Caller,
    endpoint: Endpoint.Any,
    decoded: decode.Decoded,
    paramsHash: string,
    ask: Handler<Asker>,
  ): Effect.Effect<Served.Finished, Failure> =>
    Effect.flatMap(
      Effect.interruptible(
        answered(
          call,
          endpoint,
          decoded,
          (params) => Effect.provideService(ask(params), Asker, { caller, startedAt: call.startedAt }),
          paramsHash,
        ),
      ),
      ({ answer, prepared }) =>
        Effect.as(pay.note(call, caller, { status: 200, endpoint: endpoint.id, paramsHash }), {
          answer,
          prepared,
          charged: zero,
          replayed: false,
          isQuote: true,
        }),
    )

  /**
   * Everything up to the answer can be interrupted (a client that went away, a time-out) and costs nothing; from the
   * charge on it runs to its end, so that a charge is never made for an answer that is dropped here.
   */
  const sold = (
    call: Call,
    caller: Caller,
    endpoint: Endpoint.Any,
    decoded: decode.Decoded,
    paramsHash: string,
    remember: string | undefined,
  ): Effect.Effect<Served.Finished, Failure> => {
    const price = Pricing.priceOf(endpoint, caller.livemode)
    const look = pay.afford(call, caller, endpoint, price)
    // What is not sold is no part of the record either.
    const offer: answering.Offer | undefined =
      caller.livemode && call.context.head !== true
        ? (record) => recorder.offer(record, { requestId: call.requestId, accountId: caller.accountId })
        : undefined
    const asked = answered(call, endpoint, decoded, laneOf(endpoint, caller.livemode), paramsHash, offer)
    return Effect.flatMap(Effect.interruptible(Effect.zipRight(look, asked)), (found) => {
      const unchanged = isUnchanged(call, found)
      const isFree = unchanged || found.answer.billable === false || call.context.head === true
      return Effect.map(
        pay.settle(
          call,
          caller,
          endpoint,
          isFree ? Pricing.nothing : price,
          { status: unchanged ? 304 : 200, endpoint: endpoint.id, paramsHash },
          remember === undefined || unchanged
            ? undefined
            : { key: remember, requestHash: paramsHash, stored: Envelope.toStored(found.prepared) },
          isFree ? undefined : found.captured,
        ),
        (charged) => ({ ...found, charged, replayed: false, unchanged }),
      )
    })
  }

  const run = Effect.fnUntraced(function* (call: Call, entry: Catalogue.Entry, raw: decode.Raw) {
    const { endpoint } = entry
    yield* admit(call, entry)
    const decoded = yield* read(entry, raw, call)
    const { caller } = call
    if (caller === undefined) return yield* open(call, endpoint, decoded)
    const paramsHash = yield* hash(endpoint, decoded)
    call.paramsHash = paramsHash
    if (entry.lane.about === "caller") {
      return yield* told(call, caller, endpoint, decoded, paramsHash, account.get(endpoint.id)!)
    }
    if (decoded.options.dry_run === true) {
      const whole = { ...decoded, mask: "all" as const, options: { verbose: true } }
      return yield* told(call, caller, endpoint, whole, paramsHash, () => quote(endpoint))
    }
    const { idempotencyKey, head } = call.context
    if (idempotencyKey === undefined || head === true) {
      return yield* sold(call, caller, endpoint, decoded, paramsHash, undefined)
    }
    const finished = yield* repeats.once(
      call,
      caller.keyId,
      idempotencyKey,
      paramsHash,
      (key) => sold(call, caller, endpoint, decoded, paramsHash, key),
      (prepared): Served.Finished => ({ answer: undefined, prepared, charged: zero, replayed: true }),
    )
    if (finished.replayed) yield* pay.note(call, caller, { status: 200, endpoint: endpoint.id, paramsHash })
    return finished
  })

  /** A keyed call that failed leaves its audit row; nobody waits for it. What is our fault goes to the log. */
  const refused = (
    call: Call,
    { id }: Endpoint.Any,
    failure: Failure,
    defect?: Cause.Cause<never>,
  ): Effect.Effect<Served.Served> => {
    const served = Served.failed(failure, call, baseUrl)
    const told = log.refused(call, id, failure, defect)
    if (call.caller === undefined) return Effect.as(told, served)
    const end = { status: failure.status, code: failure.code, endpoint: id, paramsHash: call.paramsHash ?? "" }
    return Effect.as(Effect.zipRight(told, pay.note(call, call.caller, end)), served)
  }

  /** A bug answers `internal_error`; what it was goes to the log alone. A call that was cut off is on the audit trail. */
  const defect = (call: Call, endpoint: Endpoint.Any, cause: Cause.Cause<never>): Effect.Effect<Served.Served> =>
    Cause.isInterruptedOnly(cause)
      ? Effect.zipRight(refused(call, endpoint, fail("request_timeout")), Effect.failCause(cause))
      : refused(call, endpoint, fail("internal_error"), cause)

  const serve = (entry: Catalogue.Entry, raw: decode.Raw, call: Call): Effect.Effect<Served.Served> =>
    Effect.catchAllCause(
      Effect.matchEffect(run(call, entry, raw), {
        onFailure: (failure) => refused(call, entry.endpoint, failure),
        onSuccess: (finished) =>
          log.sold(
            Effect.map(Clock.currentTimeMillis, (now) => Served.succeeded(call, entry.endpoint, finished, now)),
            call,
            entry.endpoint.id,
            finished.charged,
          ),
      }),
      (cause) => defect(call, entry.endpoint, cause),
    )

  return Gateway.of({
    refuse: (failure) =>
      Effect.flatMap(requestIds.next, (requestId) =>
        Effect.as(log.refused({ requestId }, undefined, failure), Served.failed(failure, { requestId }, baseUrl)),
      ),
    serve: (entry, raw, context) =>
      Effect.uninterruptible(Effect.flatMap(begin(context), (call) => serve(entry, raw, call))),
    call: (endpoint, input, { authorization }) =>
      Effect.uninterruptible(
        Effect.flatMap(begin({ authorization }), (call) =>
          Effect.map(
            run(call, catalogue.byId.get(endpoint.id)!, {
              _tag: "Json",
              value: input as Readonly<Record<string, unknown>>,
            }),
            ({ answer, charged }) => ({ answer, charged, requestId: call.requestId }),
          ),
        ),
      ) as never,
  })
})
