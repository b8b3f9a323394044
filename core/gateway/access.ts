import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as ApiKey from "../account/ApiKey.ts"
import type { RateLimitState } from "../account/Bucket.ts"
import { type Caller, Keyring } from "../account/Keyring.ts"
import { PlatformCrypto } from "../account/PlatformCrypto.ts"
import { RateLimits } from "../account/RateLimits.ts"
import type * as Catalogue from "../endpoint/Catalogue.ts"
import type * as Lane from "../endpoint/Lane.ts"
import { type Failure, fail, type Hint } from "../Failure.ts"
import { Paying } from "../payment/Paying.ts"
import * as Rights from "../rights/Rights.ts"
import * as Step from "../Step.ts"
import type { Authorized, Call, KeyPlace, RequestContext } from "./Call.ts"

const bearer = /^Bearer +(\S+) *$/i

/** The token of an `Authorization` header. */
export const parseBearer = (authorization: string | undefined): string | undefined =>
  authorization === undefined ? undefined : bearer.exec(authorization)?.[1]

/** Calls without a key per client address and minute. */
export const perAddress = 60
/**
 * Requests without a valid key per client address and minute: documents, error replies, MCP messages. Ten a second are
 * more than a person or a crawler needs, and cost about 1 % of a core.
 */
export const requestsPerAddress = 600

/** The /48 of an IPv6 /64, as clients are named here; undefined for all others. */
export const ipv6Block = (address: string): string | undefined =>
  address.endsWith("::/64") ? `${[...address.slice(0, -5).split(":"), 0, 0].slice(0, 3).join(":")}::/48` : undefined

/** A line of IPv6 may have a /48, which is 65,536 of /64: together they may do so many times what one may. */
export const perBlock = 4

/** Takes a request from a limit of an address and, with IPv6, from that of its /48: the answer is the nearer one. */
export const takeBy = Step.method(function* (
  limits: RateLimits["Type"],
  name: string,
  address: string,
  perMinute: number,
) {
  const verdict = yield* limits.take(`${name}:${address}`, perMinute)
  const block = ipv6Block(address)
  if (!verdict.ok || block === undefined) return verdict
  const all = yield* limits.take(`${name}:${block}`, perBlock * perMinute)
  return all.ok && all.remaining >= verdict.remaining ? verdict : all
})

/** Takes a keyless call from the limit of an address; all transports share the limit. */
export const takeOfAddress = (limits: RateLimits["Type"], address: string): Effect.Effect<RateLimitState, Failure> =>
  takeBy(limits, "address", address, perAddress)

const inHeader = (token: string): KeyPlace => ({
  field: "Authorization",
  suggestion: `Send the header Authorization: Bearer <${token}>.`,
})

/** Whether a call has the public key of visitors. Most headers differ from it in their last letter. */
export const isDemo = ({ authorization }: RequestContext): boolean =>
  authorization?.trimEnd().endsWith(ApiKey.demoKey) === true && parseBearer(authorization) === ApiKey.demoKey

/** The failure of a request without a Bearer token. */
export const missingAuthorization = (token: string): Failure =>
  fail("missing_authorization", { hints: [{ action: "add", ...inHeader(token) }] })

const missingKey = missingAuthorization("API key")
const malformedKey = fail("invalid_api_key_format", { hints: [{ action: "change", ...inHeader("API key") }] })

/** The hint of a call without a key. */
export const hintOfKey = ({ keyPlace = inHeader("API key") }: RequestContext): Hint => ({ action: "add", ...keyPlace })

/** The same failure in the words of a transport that takes the key from elsewhere than a header. */
const reword =
  (keyPlace: KeyPlace) =>
  (failure: Failure): Failure => {
    if (failure.status !== 401) return failure
    const isMissing = failure.code === "missing_authorization"
    return fail(failure.code, {
      ...(isMissing ? { detail: "No API key is set." } : {}),
      hints: [{ action: isMissing ? "add" : "change", ...keyPlace }],
    })
  }

const exceeded = ({ ok, limit, retryAfterMs }: RateLimitState, whose: "key" | "address"): Failure | undefined =>
  ok
    ? undefined
    : fail("rate_limit_exceeded", {
        detail: `Rate limit exceeded: ${limit} calls per minute for this ${whose}.`,
        retryAfterMs,
      })

/** Fails if the limit of a key or an address is exceeded. */
export const within = (state: RateLimitState, whose: "key" | "address"): Effect.Effect<void, Failure> =>
  exceeded(state, whose) ?? Effect.void

/** Takes a request without a valid key from the limit of an address; fails if the limit is exceeded. */
export const takeRequestOfAddress = (limits: RateLimits["Type"], address: string): Effect.Effect<void, Failure> =>
  Effect.flatMap(takeBy(limits, "requests", address, requestsPerAddress), (state) => within(state, "address"))

/** The caller of an `Authorization` header. */
export const authentication = Effect.gen(function* () {
  const find = Step.eager((yield* Keyring).find)
  const { sha256 } = yield* PlatformCrypto
  /**
   * The last key of each connection, so that its next request is not hashed again. It is compared with a header of the
   * same connection only, and the hash is still looked up: a revocation counts at once.
   */
  const hashes = new WeakMap<object, { readonly authorization: string; readonly hash: string }>()

  const hashKey = Step.fn(function* (authorization: string | undefined, connection: object | undefined) {
    const cached = connection === undefined ? undefined : hashes.get(connection)
    if (cached !== undefined && cached.authorization === authorization) return cached.hash
    const token = parseBearer(authorization)
    if (authorization === undefined || token === undefined) return yield* missingKey
    // The checksum rejects malformed keys without a look-up.
    if (ApiKey.environmentOf(token) === undefined) return yield* malformedKey
    const hash = yield* sha256(token)
    if (connection !== undefined) hashes.set(connection, { authorization, hash })
    return hash
  })

  /**
   * @param connection identifies the client's connection, if it has one
   * @param keyHash in place of a header
   */
  return Step.method(function* (authorization: string | undefined, connection?: object, keyHash?: string) {
    return (yield* find(keyHash ?? (yield* hashKey(authorization, connection)))) ?? (yield* fail("invalid_api_key"))
  })
})

const nobody = Exit.succeed(undefined)

/** Finds the callers of calls, and admits them. */
export const make = Effect.gen(function* () {
  const authenticate = Step.eager(yield* authentication)
  const limits = yield* RateLimits
  const keyless = (yield* Paying)?.keyless === true
  const take = Step.eager(limits.take)

  /** A request with an invalid key counts against its address, so that keys cannot be guessed at a higher rate. */
  const authenticateCounted = ({ context }: Call): Step.Step<Caller, Failure> => {
    const { authorization, address, connection, keyHash, keyPlace } = context
    const authenticated = authenticate(authorization, connection, keyHash)
    if (Step.isDone(authenticated) && Exit.isSuccess(authenticated)) return authenticated
    const caller = keyPlace === undefined ? authenticated : Effect.mapError(Step.run(authenticated), reword(keyPlace))
    if (address === undefined) return caller
    return Effect.tapError(Step.run(caller), ({ status }) =>
      status === 401 ? takeRequestOfAddress(limits, address) : Effect.void,
    )
  }

  /** Account → agent → rate limit → scope. */
  const admit = Step.fn(function* (caller: Caller, lane: Lane.Any) {
    const { keyId, perMinute } = caller
    const { stopped, call } = Rights.ofKey(caller)
    const limit = yield* stopped === undefined ? take(keyId, perMinute) : limits.peek(keyId, perMinute)
    const refused = stopped ?? exceeded(limit, "key") ?? call(lane)
    const authorized: Authorized = { caller, limit, refused }
    return authorized
  })

  /** Whether a payment may stand in for the key of a call. */
  const isPayable = ({ context: { authorization, keyHash } }: Call, { endpoint, lane }: Catalogue.Entry): boolean =>
    keyless &&
    authorization === undefined &&
    keyHash === undefined &&
    lane.about === "market" &&
    endpoint.priceMicros > 0

  return {
    /** The caller by its key; undefined: the call needs none, is a visitor's, or may be paid without one. */
    identify: (call: Call, entry: Catalogue.Entry): Step.Step<Caller | undefined, Failure> =>
      entry.endpoint.auth === "key" && !isPayable(call, entry) && !isDemo(call.context)
        ? authenticateCounted(call)
        : nobody,
    admit,
    /** The limit of a client's address, for a call without a caller. */
    admitAddress: Step.fn(function* ({ context: { address } }: Call) {
      if (address === undefined) return {}
      const limit = yield* takeOfAddress(limits, address)
      const authorized: Authorized = { limit, refused: exceeded(limit, "address") }
      return authorized
    }),
  }
})
