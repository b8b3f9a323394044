import * as Effect from "effect/Effect"
import * as ApiKey from "../account/ApiKey.ts"
import type { Taken } from "../account/Bucket.ts"
import { type Caller, Keyring } from "../account/Keyring.ts"
import { RateLimits } from "../account/RateLimits.ts"
import { Secrets } from "../account/Secrets.ts"
import type * as Catalogue from "../endpoint/Catalogue.ts"
import type * as Lane from "../endpoint/Lane.ts"
import { type Failure, fail } from "../Failure.ts"
import type { Call } from "./Call.ts"

const bearer = /^Bearer +(\S+) *$/i

/** The token of an `Authorization` header. */
export const bearerOf = (authorization: string | undefined): string | undefined =>
  authorization === undefined ? undefined : bearer.exec(authorization)?.[1]

/** Calls without a key, per client address and minute. */
export const perAddress = 60
/**
 * Requests of whatever kind that bring no good key, per client address and minute: documents, refusals, messages of
 * protocols. Ten a second are more than a person or a crawler needs, and cost us about a hundredth of a core.
 */
export const requestsPerAddress = 600

/** Takes a call out of what an address has without a key, on whichever surface it asks. */
export const takeOfAddress = (limits: RateLimits["Type"], address: string): Effect.Effect<Taken> =>
  limits.take(`address:${address}`, perAddress)

/** Takes a request without a key out of what an address has for all of them. */
export const takeRequestOfAddress = (limits: RateLimits["Type"], address: string): Effect.Effect<Taken> =>
  limits.take(`requests:${address}`, requestsPerAddress)

/** Fails where the limit of a key or an address lets no call through. */
export const within = ({ ok, retryAfterMs }: Taken, whose: "key" | "address"): Effect.Effect<void, Failure> =>
  ok
    ? Effect.void
    : Effect.fail(fail("rate_limit_exceeded", { detail: `The rate limit of this ${whose} is used up.`, retryAfterMs }))

/** The caller behind an `Authorization` header. */
export const authentication = Effect.gen(function* () {
  const keyring = yield* Keyring
  const secrets = yield* Secrets
  return Effect.fnUntraced(function* (authorization: string | undefined): Effect.fn.Return<Caller, Failure> {
    const token = bearerOf(authorization)
    if (token === undefined) return yield* fail("missing_authorization")
    // The checksum refuses junk before the store is asked.
    if (ApiKey.environmentOf(token) === undefined) return yield* fail("invalid_api_key_format")
    return (yield* keyring.find(yield* secrets.sha256(token))) ?? (yield* fail("invalid_api_key"))
  })
})

/** Who may call: key → agent → rate limit → scope. Notes caller and limit on the call, for its answer whatever it is. */
export const make = Effect.gen(function* () {
  const authenticate = yield* authentication
  const limits = yield* RateLimits

  const limit = (call: Call, take: Effect.Effect<Taken>, whose: "key" | "address"): Effect.Effect<void, Failure> =>
    Effect.flatMap(take, (taken) => {
      call.limit = taken
      return within(taken, whose)
    })

  /** Whoever tries keys has no more tries than an address has requests. */
  const callerOf = ({ context: { authorization, address } }: Call): Effect.Effect<Caller, Failure> => {
    const caller = authenticate(authorization)
    if (address === undefined) return caller
    return Effect.tapError(caller, ({ status }) =>
      status === 401
        ? Effect.flatMap(takeRequestOfAddress(limits, address), (taken) => within(taken, "address"))
        : Effect.void,
    )
  }

  const withKey = Effect.fnUntraced(function* (call: Call, { name, about }: Lane.Any) {
    const caller = yield* callerOf(call)
    call.caller = caller
    if (caller.agent?.paused === true) {
      call.limit = yield* limits.look(caller.keyId, caller.perMinute)
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
