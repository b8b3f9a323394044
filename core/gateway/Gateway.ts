import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import { Tag } from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ApiKey from "../account/ApiKey.ts"
import { type Caller, Keyring } from "../account/Keyring.ts"
import { MicroUsd, zero } from "../account/Money.ts"
import * as Quote from "../account/Quote.ts"
import { Secrets } from "../account/Secrets.ts"
import { Wallets } from "../account/Wallet.ts"
import type { Answer } from "../endpoint/Answer.ts"
import type * as Catalogue from "../endpoint/Catalogue.ts"
import * as Cursor from "../endpoint/Cursor.ts"
import * as decode from "../endpoint/decode.ts"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Envelope from "../endpoint/Envelope.ts"
import { type Failure, fail } from "../endpoint/Failure.ts"
import type { Extra } from "../endpoint/Options.ts"
import { LaneSets } from "./LaneSets.ts"
import { RequestIds } from "./RequestIds.ts"
import { Site } from "./Site.ts"

/** What a transport knows about a request besides its parameters. */
export interface Context {
  /** The value of the `Authorization` header, as it came. */
  readonly authorization: string | undefined
  /** HEAD: every check and the answer's headers, but no body and no charge. */
  readonly head?: boolean
}

/** A call as a transport answers it. Never fails: failures are bodies too. */
export interface Served {
  readonly status: number
  readonly requestId: string
  /** JSON. */
  readonly body: string
  readonly retryAfterMs: number | undefined
}

/** A call as an embedder gets it. */
export interface Reply<Results> {
  readonly answer: Answer<Results>
  readonly requestId: string
  readonly charged: MicroUsd
}

interface Request {
  readonly requestId: string
  readonly startedAt: number
}

interface Answered {
  readonly caller: Caller | undefined
  readonly decoded: decode.Decoded
  readonly answer: Answer<unknown>
  readonly extras: Envelope.Extras
  /** What the charge will be. */
  readonly price: MicroUsd
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
      context: Context,
    ) => Effect.Effect<Reply<Endpoint.Results<E>>, Failure>
  }
>() {
  static layer(
    catalogue: Catalogue.Any,
  ): Layer.Layer<Gateway, never, Keyring | LaneSets | RequestIds | Secrets | Site | Wallets> {
    return Layer.effect(Gateway, make(catalogue))
  }
}

const bearer = /^Bearer +(\S+) *$/i

const make = Effect.fnUntraced(function* (catalogue: Catalogue.Any) {
  const keyring = yield* Keyring
  const lanes = yield* LaneSets
  const requestIds = yield* RequestIds
  const secrets = yield* Secrets
  const { baseUrl } = yield* Site
  const wallets = yield* Wallets
  const decoders = new Map(catalogue.entries.map(({ endpoint }) => [endpoint.id, decode.compile(endpoint)]))

  const begin = Effect.zipWith(
    requestIds.next,
    Clock.currentTimeMillis,
    (requestId, startedAt): Request => ({ requestId, startedAt }),
  )

  const authenticate = (authorization: string | undefined): Effect.Effect<Caller, Failure> => {
    const token = authorization === undefined ? undefined : bearer.exec(authorization)?.[1]
    if (token === undefined) return Effect.fail(fail("missing_authorization"))
    // The checksum refuses junk before the store is asked.
    if (ApiKey.environmentOf(token) === undefined) return Effect.fail(fail("invalid_api_key_format"))
    return Effect.flatMap(Effect.flatMap(secrets.sha256(token), keyring.find), (caller) =>
      caller === undefined ? Effect.fail(fail("invalid_api_key")) : Effect.succeed(caller),
    )
  }

  const insufficient = (endpoint: Endpoint.Any, price: MicroUsd, balance: MicroUsd, now: number): Failure =>
    fail("insufficient_funds", {
      quote: Quote.make({
        endpoint: endpoint.path,
        price,
        balance,
        now,
        topupUrl: `${baseUrl}/errors/insufficient_funds`,
      }),
    })

  /** The price for this caller: test keys and free endpoints never touch the wallet. */
  const priceFor = (caller: Caller, endpoint: Endpoint.Any): MicroUsd =>
    caller.livemode ? MicroUsd(Endpoint.charge(endpoint)) : zero

  const afford = (
    caller: Caller,
    endpoint: Endpoint.Any,
    price: MicroUsd,
    request: Request,
  ): Effect.Effect<void, Failure> =>
    price === 0
      ? Effect.void
      : Effect.flatMap(wallets.balance(caller.accountId), (balance) =>
          balance >= price ? Effect.void : Effect.fail(insufficient(endpoint, price, balance, request.startedAt)),
        )

  const charge = (
    caller: Caller,
    endpoint: Endpoint.Any,
    micros: MicroUsd,
    request: Request,
  ): Effect.Effect<MicroUsd, Failure> =>
    micros === 0
      ? Effect.succeed(zero)
      : Effect.flatMap(
          wallets.charge({
            accountId: caller.accountId,
            keyId: caller.keyId,
            requestId: request.requestId,
            endpoint: endpoint.id,
            micros,
            at: request.startedAt,
          }),
          (paid) =>
            paid
              ? Effect.succeed(micros)
              : Effect.flatMap(wallets.balance(caller.accountId), (balance) =>
                  Effect.fail(insufficient(endpoint, micros, balance, request.startedAt)),
                ),
        )

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

  /**
   * The pipeline. Everything up to the answer can be interrupted (a client that went away, a time-out) and costs
   * nothing; from the charge on it runs to its end, so that a charge is never made for an answer that is dropped here.
   * `render` comes before the charge: an answer that cannot be written down is a bug, and a bug is not billed.
   */
  const run = <A>(
    entry: Catalogue.Entry,
    raw: decode.Raw,
    context: Context,
    request: Request,
    render: (found: Answered) => A,
  ): Effect.Effect<{ readonly rendered: A; readonly charged: MicroUsd }, Failure> =>
    Effect.flatMap(
      Effect.interruptible(
        Effect.map(answered(entry, raw, context, request), (found) => ({ found, rendered: render(found) })),
      ),
      ({ found: { caller, price }, rendered }) =>
        caller === undefined
          ? Effect.succeed({ rendered, charged: zero })
          : Effect.map(charge(caller, entry.endpoint, price, request), (charged) => ({ rendered, charged })),
    )

  const answered = Effect.fnUntraced(function* (
    { endpoint }: Catalogue.Entry,
    raw: decode.Raw,
    context: Context,
    request: Request,
  ): Effect.fn.Return<Answered, Failure> {
    const caller = endpoint.auth === "none" ? undefined : yield* authenticate(context.authorization)
    const decoded = yield* decoders.get(endpoint.id)!(raw)
    const price = caller === undefined ? zero : priceFor(caller, endpoint)
    if (caller !== undefined) yield* afford(caller, endpoint, price, request)
    const lane = caller === undefined || caller.livemode ? lanes.live : lanes.test
    const answer = yield* lane.get(endpoint.id)!(decoded.params)
    const extras = yield* extrasOf(answer, decoded.include)
    return { caller, decoded, answer, extras, price: answer.billable === false || context.head === true ? zero : price }
  })

  const refusal = (failure: Failure, requestId: string): Served => ({
    status: failure.status,
    requestId,
    body: Envelope.failure(failure, requestId, baseUrl),
    retryAfterMs: failure.retryAfterMs,
  })

  /** The body but for what is known last: the charge, and how long all of it took. */
  const bodyOf =
    (endpoint: Endpoint.Any, { requestId, startedAt }: Request) =>
    ({ answer, decoded, extras }: Answered): ((charged: MicroUsd, now: number) => string) => {
      const finish = Envelope.prepare(endpoint, answer, decoded.mask, extras)
      const nextCursor = answer.next === undefined ? undefined : Cursor.encode(endpoint.id, decoded.params, answer.next)
      return (charged, now) => finish({ requestId, latencyMs: Math.max(0, now - startedAt), charged, nextCursor })
    }

  /** A bug answers `internal_error`; what it was goes to the log alone. */
  const defect = (cause: Cause.Cause<never>, requestId: string): Effect.Effect<Served> =>
    Cause.isInterruptedOnly(cause)
      ? Effect.failCause(cause)
      : Effect.as(
          Effect.annotateLogs(Effect.logError("A call ended in a defect", cause), "request_id", requestId),
          refusal(fail("internal_error"), requestId),
        )

  return Gateway.of({
    refuse: (failure) => Effect.map(requestIds.next, (requestId) => refusal(failure, requestId)),
    serve: (entry, raw, context) =>
      Effect.uninterruptible(
        Effect.flatMap(begin, (request) =>
          Effect.catchAllCause(
            Effect.matchEffect(run(entry, raw, context, request, bodyOf(entry.endpoint, request)), {
              onFailure: (failure) => Effect.succeed(refusal(failure, request.requestId)),
              onSuccess: ({ rendered, charged }) =>
                Effect.map(
                  Clock.currentTimeMillis,
                  (now): Served => ({
                    status: 200,
                    requestId: request.requestId,
                    body: rendered(charged, now),
                    retryAfterMs: undefined,
                  }),
                ),
            }),
            (cause) => defect(cause, request.requestId),
          ),
        ),
      ),
    call: (endpoint, input, context) =>
      Effect.uninterruptible(
        Effect.flatMap(begin, (request) =>
          Effect.map(
            run(
              catalogue.byId.get(endpoint.id)!,
              { _tag: "Json", value: input as Readonly<Record<string, unknown>> },
              context,
              request,
              ({ answer }) => answer,
            ),
            ({ rendered, charged }) => ({ answer: rendered, charged, requestId: request.requestId }),
          ),
        ),
      ) as never,
  })
})
