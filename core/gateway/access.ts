import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as ApiKey from "../account/ApiKey.ts"
import type { RateLimitState } from "../account/Bucket.ts"
import { type Caller, Keyring } from "../account/Keyring.ts"
import { PlatformCrypto } from "../account/PlatformCrypto.ts"
import { RateLimits } from "../account/RateLimits.ts"
import type * as Catalogue from "../endpoint/Catalogue.ts"
import type * as Lane from "../endpoint/Lane.ts"
import { type Code, type Failure, fail, type Hint } from "../Failure.ts"
import { Paying } from "../payment/Paying.ts"
import * as Step from "../Step.ts"
import type { Call, KeyPlace, RequestContext } from "./Call.ts"

const bearer = /^Bearer +(\S+) *$/i

/** The token of an `Authorization` header. */
export const bearerOf = (authorization: string | undefined): string | undefined =>
  authorization === undefined ? undefined : bearer.exec(authorization)?.[1]

/** Calls without a key per client address and minute. */
export const perAddress = 60
/**
 * Requests without a valid key per client address and minute: documents, error replies, MCP messages. Ten a second are
 * more than a person or a crawler needs, and cost about 1 % of a core.
 */
export const requestsPerAddress = 600

/** Takes a keyless call from the limit of an address; all transports share the limit. */
export const takeOfAddress = (limits: RateLimits["Type"], address: string): Effect.Effect<RateLimitState, Failure> =>
  Step.starting(limits.take)(`address:${address}`, perAddress)

const inHeader = (token: string): KeyPlace => ({
  field: "Authorization",
  suggestion: `Send the header Authorization: Bearer <${token}>.`,
})

/** The failure of a request without a Bearer token. */
export const missingAuthorization = (token: string): Failure =>
  fail("missing_authorization", { hints: [{ action: "add", ...inHeader(token) }] })

const missingKey = missingAuthorization("API key")
const malformedKey = fail("invalid_api_key_format", { hints: [{ action: "change", ...inHeader("API key") }] })

/** The hint of a call without a key. */
export const hintOfKey = ({ keyPlace = inHeader("API key") }: RequestContext): Hint => ({ action: "add", ...keyPlace })

/** The same failure in the words of a transport that takes the key from elsewhere than a header. */
const inWordsOf =
  (keyPlace: KeyPlace) =>
  (failure: Failure): Failure => {
    if (failure.status !== 401) return failure
    const isMissing = failure.code === "missing_authorization"
    return fail(failure.code, {
      ...(isMissing ? { detail: "No API key is set." } : {}),
      hints: [{ action: isMissing ? "add" : "change", ...keyPlace }],
    })
  }

/** Fails if the limit of a key or an address is exceeded. */
export const within = (
  { ok, limit, retryAfterMs }: RateLimitState,
  whose: "key" | "address",
): Effect.Effect<void, Failure> => {
  if (ok) return Effect.void
  const detail = `Rate limit exceeded: ${limit} calls per minute for this ${whose}.`
  return Effect.fail(fail("rate_limit_exceeded", { detail, retryAfterMs }))
}

/** Takes a request without a valid key from the limit of an address; fails if the limit is exceeded. */
export const takeRequestOfAddress = (limits: RateLimits["Type"], address: string): Effect.Effect<void, Failure> =>
  Effect.flatMap(limits.take(`requests:${address}`, requestsPerAddress), (state) => within(state, "address"))

/** The hash of the key in an `Authorization` header. */
interface Hashed {
  readonly authorization: string
  readonly hash: string
}

/** The caller of an `Authorization` header. */
export const authentication = Effect.gen(function* () {
  const find = Step.starting((yield* Keyring).find)
  const { sha256 } = yield* PlatformCrypto
  /**
   * The last key of each connection, so that its next request is not hashed again. It is compared with a header of the
   * same connection only, and the hash is still looked up: a revocation counts at once.
   */
  const known = new WeakMap<object, Hashed>()

  const hashOf = Step.fn(function* (authorization: string | undefined, connection: object | undefined) {
    const before = connection === undefined ? undefined : known.get(connection)
    if (before !== undefined && before.authorization === authorization) return before.hash
    const token = bearerOf(authorization)
    if (authorization === undefined || token === undefined) return yield* missingKey
    // The checksum rejects malformed keys without a look-up.
    if (ApiKey.environmentOf(token) === undefined) return yield* malformedKey
    const hash = yield* sha256(token)
    if (connection !== undefined) known.set(connection, { authorization, hash })
    return hash
  })

  /** @param connection identifies the client's connection, if it has one */
  return Step.fn(function* (authorization: string | undefined, connection?: object) {
    return (yield* find(yield* hashOf(authorization, connection))) ?? (yield* fail("invalid_api_key"))
  })
})

/** Who stopped the key, if anybody: the operator its account, or the owner its agent. */
const stoppedBy = ({ suspended, agent }: Caller): Code | undefined =>
  suspended === true ? "account_suspended" : agent?.paused === true ? "agent_paused" : undefined

/** Authorizes calls. Sets caller and limit on the call, for every kind of reply. */
export const make = Effect.gen(function* () {
  const authenticate = yield* authentication
  const limits = yield* RateLimits
  const keyless = (yield* Paying)?.keyless === true
  const take = Step.starting(limits.take)

  const limit = (
    call: Call,
    state: Step.Step<RateLimitState, Failure>,
    whose: "key" | "address",
  ): Step.Step<void, Failure> =>
    Step.andThen(state, (taken) => {
      call.limit = taken
      return within(taken, whose)
    })

  /** A request with an invalid key counts against its address, so that keys cannot be guessed at a higher rate. */
  const callerOf = ({ context }: Call): Step.Step<Caller, Failure> => {
    const { authorization, address, connection, keyPlace } = context
    const found = authenticate(authorization, connection)
    if (Step.isDone(found) && Exit.isSuccess(found)) return found
    const caller = keyPlace === undefined ? found : Effect.mapError(found, inWordsOf(keyPlace))
    if (address === undefined) return caller
    return Effect.tapError(caller, ({ status }) =>
      status === 401 ? takeRequestOfAddress(limits, address) : Effect.void,
    )
  }

  /** Admits a known caller: account → agent → rate limit → scope. */
  const admit = Step.fn(function* (call: Call, caller: Caller, { name, about }: Lane.Any) {
    call.caller = caller
    const stopped = stoppedBy(caller)
    if (stopped !== undefined) {
      call.limit = yield* limits.peek(caller.keyId, caller.perMinute)
      return yield* fail(stopped)
    }
    yield* limit(call, take(caller.keyId, caller.perMinute), "key")
    if (about === "market" && caller.scopes?.includes(name) === false) {
      const suggestion = `Use a key whose scopes include ${name}.`
      return yield* fail("insufficient_scope", { hints: [{ field: "Authorization", action: "change", suggestion }] })
    }
  })

  /** Whether a payment may stand in for the key of a call. */
  const isPayable = ({ context: { authorization } }: Call, { endpoint, lane }: Catalogue.Entry): boolean =>
    keyless && authorization === undefined && lane.about === "market" && endpoint.priceMicros > 0

  return {
    admit,
    /** Key → account → agent → rate limit → scope. A call that may be paid without a key has no caller yet. */
    authorize: (call: Call, entry: Catalogue.Entry): Step.Step<void, Failure> => {
      const { endpoint, lane } = entry
      if (endpoint.auth === "key" && !isPayable(call, entry)) {
        return Step.andThen(callerOf(call), (caller) => admit(call, caller, lane))
      }
      const { address } = call.context
      return address === undefined ? Exit.void : limit(call, takeOfAddress(limits, address), "address")
    },
  }
})
