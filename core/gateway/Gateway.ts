import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import { Tag } from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Taken } from "../account/Bucket.ts"
import type { Caller, Keyring } from "../account/Keyring.ts"
import type { Ledger } from "../account/Ledger.ts"
import { type MicroUsd, zero } from "../account/Money.ts"
import type { RateLimits } from "../account/RateLimits.ts"
import { Secrets } from "../account/Secrets.ts"
import type { Answer } from "../endpoint/Answer.ts"
import type * as Catalogue from "../endpoint/Catalogue.ts"
import * as Cursor from "../endpoint/Cursor.ts"
import * as decode from "../endpoint/decode.ts"
import type * as Endpoint from "../endpoint/Endpoint.ts"
import * as Envelope from "../endpoint/Envelope.ts"
import { type Failure, fail } from "../endpoint/Failure.ts"
import type { Extra } from "../endpoint/Options.ts"
import * as access from "./access.ts"
import type { Call, Context } from "./Call.ts"
import { LaneSets } from "./LaneSets.ts"
import * as payment from "./payment.ts"
import { RequestIds } from "./RequestIds.ts"
import * as replay from "./replay.ts"
import { Site } from "./Site.ts"

/** A call as a transport answers it. Never fails: failures are bodies too. */
export interface Served {
  readonly status: number
  readonly requestId: string
  /** JSON. */
  readonly body: string
  readonly retryAfterMs: number | undefined
  /** What is left of the rate limit, where the call got as far. */
  readonly limit: Taken | undefined
  /** The body is that of an earlier call with the same `Idempotency-Key`. */
  readonly replayed: boolean
}

/** A call as an embedder gets it. */
export interface Reply<Results> {
  readonly answer: Answer<Results>
  readonly requestId: string
  readonly charged: MicroUsd
}

/** What the lane said, written down but for what is known last. */
interface Answered {
  readonly answer: Answer<unknown>
  readonly prepared: Envelope.Prepared
}

interface Finished {
  readonly answer: Answer<unknown> | undefined
  readonly prepared: Envelope.Prepared
  readonly charged: MicroUsd
  readonly replayed: boolean
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
    readonly serve: (entry: Catalogue.Entry, raw: decode.Raw, context: Context) => Effect.Effect<Served>
    /** The answer to a request that reaches no endpoint (404, 405, 410, malformed). */
    readonly refuse: (failure: Failure) => Effect.Effect<Served>
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
  ): Layer.Layer<Gateway, never, Keyring | LaneSets | Ledger | RateLimits | RequestIds | Secrets | Site> {
    return Layer.effect(Gateway, make(catalogue))
  }
}

/** At most half a megabyte of digests. */
const hashesKept = 1_000
const longestKept = 512

const make = Effect.fnUntraced(function* (catalogue: Catalogue.Any) {
  const admit = yield* access.make
  const lanes = yield* LaneSets
  const pay = yield* payment.make
  const repeats = yield* replay.make
  const requestIds = yield* RequestIds
  const secrets = yield* Secrets
  const { baseUrl } = yield* Site
  const decoders = new Map(catalogue.entries.map(({ endpoint }) => [endpoint.id, decode.compile(endpoint)]))

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
    { context }: Call,
  ): Effect.Effect<decode.Decoded, Failure> => {
    const decoded = decoders.get(endpoint.id)!(raw)
    const key = context.idempotencyKey
    if (key === undefined || repeats.isKey(key)) return decoded
    const hints = decoded._tag === "Left" ? (decoded.left.hints ?? []) : []
    const hint = {
      field: "Idempotency-Key",
      action: "change",
      suggestion: "Idempotency-Key must be a UUIDv4.",
    } as const
    return Effect.fail(fail("invalid_parameter", { hints: [...hints, hint] }))
  }

  const extrasOf = (answer: Answer<unknown>, include: ReadonlyArray<Extra>): Effect.Effect<Envelope.Extras, Failure> =>
    include.length === 0
      ? Effect.succeed({})
      : Effect.all({
          ...(include.includes("_alternatives")
            ? { _alternatives: answer.extras?.alternatives ?? Effect.succeed([]) }
            : {}),
          ...(include.includes("_counterfactual")
            ? { _counterfactual: answer.extras?.counterfactual ?? Effect.succeed({}) }
            : {}),
          ...(include.includes("_suggestions")
            ? { _suggestions: Effect.sync(() => Envelope.suggestions(catalogue, answer)) }
            : {}),
        })

  /** Asks the lane and writes its answer down: what cannot be written is a bug, and a bug is not billed. */
  const answered = (
    endpoint: Endpoint.Any,
    decoded: decode.Decoded,
    livemode: boolean,
  ): Effect.Effect<Answered, Failure> =>
    Effect.flatMap((livemode ? lanes.live : lanes.test).get(endpoint.id)!(decoded.params), (answer) =>
      Effect.map(extrasOf(answer, decoded.options.include ?? []), (extras) => {
        const cursor = answer.next === undefined ? undefined : Cursor.encode(endpoint.id, decoded.params, answer.next)
        return { answer, prepared: Envelope.prepare(endpoint, answer, decoded.mask, extras, cursor) }
      }),
    )

  /** Requests without a key: no price, no audit row. */
  const open = (endpoint: Endpoint.Any, decoded: decode.Decoded): Effect.Effect<Finished, Failure> =>
    Effect.map(Effect.interruptible(answered(endpoint, decoded, true)), (found) => ({
      ...found,
      charged: zero,
      replayed: false,
    }))

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
  ): Effect.Effect<Finished, Failure> => {
    const price = payment.priceFor(caller, endpoint)
    const look = pay.afford(call, caller, endpoint, price)
    return Effect.flatMap(
      Effect.interruptible(Effect.zipRight(look, answered(endpoint, decoded, caller.livemode))),
      (found) =>
        Effect.map(
          pay.settle(
            call,
            caller,
            endpoint,
            found.answer.billable === false || call.context.head === true ? payment.nothing : price,
            { status: 200, endpoint: endpoint.id, paramsHash },
            remember === undefined
              ? undefined
              : { key: remember, requestHash: paramsHash, stored: JSON.stringify(found.prepared) },
          ),
          (charged) => ({ ...found, charged, replayed: false }),
        ),
    )
  }

  /** Digests of calls that were seen; an agent asks the same few over and over. */
  const hashes = new Map<string, string>()

  /** Which call this is, without what it asked: for the audit trail and for idempotent replay. */
  const hash = (endpoint: Endpoint.Any, { params, options }: decode.Decoded): Effect.Effect<string> => {
    const text = JSON.stringify([endpoint.id, params, options])
    const known = hashes.get(text)
    if (known !== undefined) return Effect.succeed(known)
    return Effect.tap(secrets.sha256(text), (found) =>
      Effect.sync(() => {
        if (hashes.size >= hashesKept) hashes.clear()
        if (text.length <= longestKept) hashes.set(text, found)
      }),
    )
  }

  const run = Effect.fnUntraced(function* (call: Call, entry: Catalogue.Entry, raw: decode.Raw) {
    const { endpoint } = entry
    yield* admit(call, entry)
    const decoded = yield* read(entry, raw, call)
    const { caller } = call
    if (caller === undefined) return yield* open(endpoint, decoded)
    const paramsHash = yield* hash(endpoint, decoded)
    call.paramsHash = paramsHash
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
      (prepared): Finished => ({ answer: undefined, prepared, charged: zero, replayed: true }),
    )
    if (finished.replayed) yield* pay.note(call, caller, { status: 200, endpoint: endpoint.id, paramsHash })
    return finished
  })

  const refusal = (failure: Failure, { requestId, limit }: Pick<Call, "requestId" | "limit">): Served => ({
    status: failure.status,
    requestId,
    body: Envelope.failure(failure, requestId, baseUrl),
    retryAfterMs: failure.retryAfterMs,
    limit,
    replayed: false,
  })

  /** A keyed call that failed leaves its audit row; nobody waits for it. */
  const refused = (call: Call, endpoint: Endpoint.Any, failure: Failure): Effect.Effect<Served> => {
    const served = refusal(failure, call)
    if (call.caller === undefined) return Effect.succeed(served)
    const end = { status: failure.status, code: failure.code, endpoint: endpoint.id, paramsHash: call.paramsHash ?? "" }
    return Effect.as(pay.note(call, call.caller, end), served)
  }

  /** A bug answers `internal_error`; what it was goes to the log alone. A call that was cut off is on the audit trail. */
  const defect = (call: Call, endpoint: Endpoint.Any, cause: Cause.Cause<never>): Effect.Effect<Served> =>
    Cause.isInterruptedOnly(cause)
      ? Effect.zipRight(refused(call, endpoint, fail("request_timeout")), Effect.failCause(cause))
      : Effect.zipRight(
          Effect.annotateLogs(Effect.logError("A call ended in a defect", cause), "request_id", call.requestId),
          refused(call, endpoint, fail("internal_error")),
        )

  const serve = (entry: Catalogue.Entry, raw: decode.Raw, call: Call): Effect.Effect<Served> =>
    Effect.catchAllCause(
      Effect.matchEffect(run(call, entry, raw), {
        onFailure: (failure) => refused(call, entry.endpoint, failure),
        onSuccess: ({ prepared, charged, replayed }) =>
          Effect.map(Clock.currentTimeMillis, (now): Served => {
            const latencyMs = Math.max(0, now - call.startedAt)
            const body = Envelope.finish(prepared, { requestId: call.requestId, latencyMs, charged })
            return {
              status: 200,
              requestId: call.requestId,
              body,
              retryAfterMs: undefined,
              limit: call.limit,
              replayed,
            }
          }),
      }),
      (cause) => defect(call, entry.endpoint, cause),
    )

  return Gateway.of({
    refuse: (failure) => Effect.map(requestIds.next, (requestId) => refusal(failure, { requestId })),
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
