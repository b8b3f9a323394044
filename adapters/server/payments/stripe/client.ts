import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Redacted from "effect/Redacted"
import type * as Schema from "effect/Schema"
import type Stripe from "stripe"
import { type Failure, fail } from "../../../../core/Failure.ts"

/** How long to wait for Stripe, milliseconds. */
export interface TimeLimits {
  /** For one answer; one further attempt follows. */
  readonly answerMs: number
  /** For all that a page or a message needs. */
  readonly totalMs: number
}

export const timeLimits: TimeLimits = { answerMs: 8_000, totalMs: 20_000 }

/** The version of the package that the requests and shapes are written for. */
const version = "23.1.0"

/** The version of Stripe's API, which messages should have too. */
export const apiVersion = "2026-10-28.endive"

/** The package of Stripe's client cannot be loaded. */
export class StripeMissing extends Data.TaggedError("StripeMissing")<{ readonly cause: unknown }> {
  override get message(): string {
    const reason = this.cause instanceof Error ? this.cause.message.split("\n")[0] : this.cause
    return `Payments by card need the package stripe, which does not load: ${reason}. Install it: npm install stripe@${version}`
  }
}

export type Load = () => Promise<{ readonly default: typeof Stripe }>

const load: Load = () => import("stripe")

/** Loads the package, which only operators who take cards have installed. */
export const loadPackage = (loading: Load = load): Effect.Effect<typeof Stripe, StripeMissing> =>
  Effect.map(
    Effect.tryPromise({ try: loading, catch: (cause) => new StripeMissing({ cause }) }),
    (module) => module.default,
  )

const hidden = "[hidden]"

/** Hides whatever looks like a secret: Stripe's errors repeat the end of a wrong key. */
const hideSecrets = (text: string): string => text.replace(/\b(sk|rk|pk|whsec)_[\w*+/=-]+/g, hidden)

/** The message of a client error, for the log: never its payload, headers or request. */
const describeError = (error: unknown): string => {
  if (!(error instanceof Error)) return "An error without a message."
  const { type = error.name, statusCode, code, param, requestId, detail } = error as Partial<Stripe.errors.StripeError>
  const inner = detail as unknown
  const reason = inner instanceof Error ? ((inner as NodeJS.ErrnoException).code ?? inner.message) : undefined
  const given = { status: statusCode, code, param, request: requestId, reason }
  const parts = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`]))
  return `${[type, ...parts].join(", ")}: ${error.message.split("\n")[0]}`
}

/** Temporary errors: no connection, no answer in time, too many requests, a fault at Stripe, a request still running. */
const temporaryErrors: ReadonlyArray<string> = ["StripeConnectionError", "StripeRateLimitError", "StripeAPIError"]

const isTemporary = (error: unknown): boolean =>
  error instanceof Error && temporaryErrors.includes((error as Partial<Stripe.errors.StripeError>).type ?? "")

/** An answer or message of another shape than the package's version has. */
export const wrongShape = (subject: string, reason: string): Error =>
  new Error(`${subject} does not have the expected shape: ${reason}`)

export interface Client {
  readonly stripe: Stripe
  /** Asks the API, and decodes its answer. */
  readonly ask: <A, I>(
    subject: string,
    shape: Schema.Schema<A, I>,
    work: (stripe: Stripe) => Promise<unknown>,
  ) => Effect.Effect<A, Failure>
  /** An error as a cause for the log, without secrets. */
  readonly toCause: (error: unknown) => Error
}

const unavailable = (cause: Error): Failure =>
  fail("upstream_unavailable", { detail: "Stripe does not answer at the moment. Try again in a minute.", cause })

/** Where an object differs. Its values are left out, since they may be a payer's. */
const showPath = ({ path }: ParseResult.ArrayFormatterIssue): string =>
  path.length === 0 ? "the whole" : path.join(".")

/** An object of the expected shape, or an error that says where it differs. */
export const decodeShape = <A, I>(
  shape: Schema.Schema<A, I>,
  subject: string,
  value: unknown,
): Either.Either<A, Error> =>
  Either.mapLeft(ParseResult.decodeUnknownEither(shape)(value), (issue) =>
    wrongShape(subject, ParseResult.ArrayFormatter.formatIssueSync(issue).map(showPath).join(", ")),
  )

/**
 * The package's HTTP client, which takes only objects: the package leaves the process an unhandled rejection when the body
 * is a JSON text or number.
 */
const makeHttpClient = (Package: typeof Stripe) => {
  const makeClient = Package.createNodeHttpClient()
  const make = makeClient.makeRequest.bind(makeClient)
  makeClient.makeRequest = async (...request) => {
    const response = await make(...request)
    const read = response.toJSON.bind(response)
    response.toJSON = async () => {
      const body: unknown = await read()
      if (typeof body === "object" && body !== null) return body
      throw new Error("The answer is not a JSON object.")
    }
    return response
  }
  return makeClient
}

/**
 * A client of Stripe's API.
 *
 * @param apiUrl the address of another host than Stripe's, without a path
 */
export const client = (
  Package: typeof Stripe,
  secretKey: Redacted.Redacted,
  { answerMs, totalMs }: TimeLimits,
  apiUrl?: string,
): Client => {
  const address = apiUrl === undefined ? undefined : new URL(apiUrl)
  const isPlain = address?.protocol === "http:"
  const stripe = new Package(Redacted.value(secretKey), {
    apiVersion,
    timeout: answerMs,
    maxNetworkRetries: 1,
    telemetry: false,
    httpClient: makeHttpClient(Package),
    ...(address === undefined
      ? {}
      : {
          host: address.hostname.replace(/^\[|\]$/g, ""),
          port: address.port === "" ? (isPlain ? 80 : 443) : Number(address.port),
          protocol: isPlain ? "http" : "https",
        }),
  })
  const causeOf = (error: unknown): Error => new Error(hideSecrets(describeError(error)))
  return {
    stripe,
    toCause: causeOf,
    ask: (subject, shape, work) =>
      Effect.tryPromise({ try: () => work(stripe), catch: (error) => error }).pipe(
        Effect.mapError((error) => {
          const cause = causeOf(error)
          return isTemporary(error) ? unavailable(cause) : fail("internal_error", { cause })
        }),
        // The client's own limit is on silence, which an answer that trickles in never reaches. Pages and routes may run
        // uninterruptible, where a time-out would wait for the end of what it limits.
        Effect.interruptible,
        Effect.timeoutFail({
          duration: totalMs,
          onTimeout: () => unavailable(new Error(`${subject} took more than ${totalMs} ms.`)),
        }),
        Effect.flatMap((answer) =>
          Either.mapLeft(decodeShape(shape, subject, answer), (cause) => fail("internal_error", { cause })),
        ),
      ),
  }
}
