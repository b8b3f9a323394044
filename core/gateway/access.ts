import * as Effect from "effect/Effect"
import * as ApiKey from "../account/ApiKey.ts"
import type { RateLimitState } from "../account/Bucket.ts"
import { type Caller, Keyring } from "../account/Keyring.ts"
import { PlatformCrypto } from "../account/PlatformCrypto.ts"
import { RateLimits } from "../account/RateLimits.ts"
import type * as Catalogue from "../endpoint/Catalogue.ts"
import type * as Lane from "../endpoint/Lane.ts"
import { type Failure, fail } from "../Failure.ts"
import type { Call } from "./Call.ts"

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
export const takeOfAddress = (limits: RateLimits["Type"], address: string): Effect.Effect<RateLimitState> =>
  limits.take(`address:${address}`, perAddress)

/** The failure of a request without a Bearer token. */
export const missingAuthorization = (token: string): Failure =>
  fail("missing_authorization", {
    hints: [{ field: "Authorization", action: "add", suggestion: `Send the header Authorization: Bearer <${token}>.` }],
  })

const missingKey = missingAuthorization("API key")

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

/** The caller of an `Authorization` header. */
export const authentication = Effect.gen(function* () {
  const keyring = yield* Keyring
  const secrets = yield* PlatformCrypto
  return Effect.fnUntraced(function* (authorization: string | undefined): Effect.fn.Return<Caller, Failure> {
    const token = bearerOf(authorization)
    if (token === undefined) return yield* missingKey
    // The checksum rejects malformed keys without a look-up.
    if (ApiKey.environmentOf(token) === undefined) return yield* fail("invalid_api_key_format")
    return (yield* keyring.find(yield* secrets.sha256(token))) ?? (yield* fail("invalid_api_key"))
  })
})

/** Authorizes a call: key → agent → rate limit → scope. Sets caller and limit on the call, for every kind of reply. */
export const make = Effect.gen(function* () {
  const authenticate = yield* authentication
  const limits = yield* RateLimits

  const limit = (
    call: Call,
    take: Effect.Effect<RateLimitState>,
    whose: "key" | "address",
  ): Effect.Effect<void, Failure> =>
    Effect.flatMap(take, (taken) => {
      call.limit = taken
      return within(taken, whose)
    })

  /** A request with an invalid key counts against its address, so that keys cannot be guessed at a higher rate. */
  const callerOf = ({ context: { authorization, address } }: Call): Effect.Effect<Caller, Failure> => {
    const caller = authenticate(authorization)
    if (address === undefined) return caller
    return Effect.tapError(caller, ({ status }) =>
      status === 401 ? takeRequestOfAddress(limits, address) : Effect.void,
    )
  }

  const withKey = Effect.fnUntraced(function* (call: Call, { name, about }: Lane.Any) {
    const caller = yield* callerOf(call)
    call.caller = caller
    if (caller.agent?.paused === true) {
      call.limit = yield* limits.peek(caller.keyId, caller.perMinute)
      return yield* fail("agent_paused")
    }
    yield* limit(call, limits.take(caller.keyId, caller.perMinute), "key")
    if (about === "market" && caller.scopes?.includes(name) === false) {
      const suggestion = `Use a key whose scopes include ${name}.`
      return yield* fail("insufficient_scope", { hints: [{ field: "Authorization", action: "change", suggestion }] })
    }
  })

  return (call: Call, { endpoint, lane }: Catalogue.Entry): Effect.Effect<void, Failure> => {
    if (endpoint.auth === "key") return withKey(call, lane)
    const { address } = call.context
    return address === undefined ? Effect.void : limit(call, takeOfAddress(limits, address), "address")
  }
})
