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
import { CallPaymentGate } from "../payment/CallPaymentGate.ts"
import * as Rights from "../rights/Rights.ts"
import * as Step from "../Step.ts"
import type { Authorized, Call, KeyPlace, RequestContext } from "./Call.ts"

const bearer = /^Bearer +(\S+) *$/i

export const parseBearer = (authorization: string | undefined): string | undefined =>
  authorization === undefined ? undefined : bearer.exec(authorization)?.[1]

/** Calls without a key per client address and minute. */
export const callsPerAddress = 60
/**
 * Requests without a valid key per client address and minute: documents, error replies, MCP messages. Ten a second are
 * more than a person or a crawler needs, and cost about 1 % of a core.
 */
export const requestsPerAddress = 600

/** The /48 of an IPv6 /64, as clients are named here; undefined for all others. */
export const ipv6Block = (address: string): string | undefined =>
  address.endsWith("::/64") ? `${[...address.slice(0, -5).split(":"), 0, 0].slice(0, 3).join(":")}::/48` : undefined

/** One customer's IPv6 line may have a /48, that is 65,536 blocks of /64: together they get this many times the limit of one. */
export const blockFactor = 4

/** Counts a request against the limit of an address and, with IPv6, of its /48; returns the state with less left. */
export const takeWithBlock = Step.method(function* (
  limits: RateLimits["Type"],
  name: string,
  address: string,
  perMinute: number,
) {
  const verdict = yield* limits.take(`${name}:${address}`, perMinute)
  const block = ipv6Block(address)
  if (!verdict.ok || block === undefined) return verdict
  const blockVerdict = yield* limits.take(`${name}:${block}`, blockFactor * perMinute)
  return blockVerdict.ok && blockVerdict.remaining >= verdict.remaining ? verdict : blockVerdict
})

/** Counts a call without a key against the limit of its address, which all transports share. */
export const takeKeylessCall = (limits: RateLimits["Type"], address: string): Effect.Effect<RateLimitState, Failure> =>
  takeWithBlock(limits, "address", address, callsPerAddress)

const headerKeyPlace = (token: string): KeyPlace => ({
  field: "Authorization",
  suggestion: `Send the header Authorization: Bearer <${token}>.`,
})

/** Whether a call has the public demo key. The cheap comparison of the end excludes most other headers. */
export const isDemo = ({ authorization }: RequestContext): boolean =>
  authorization?.trimEnd().endsWith(ApiKey.demoKey) === true && parseBearer(authorization) === ApiKey.demoKey

export const missingAuthorization = (token: string): Failure =>
  fail("missing_authorization", { hints: [{ action: "add", ...headerKeyPlace(token) }] })

const missingKey = missingAuthorization("API key")
const malformedKey = fail("invalid_api_key_format", { hints: [{ action: "change", ...headerKeyPlace("API key") }] })

export const missingKeyHint = ({ keyPlace = headerKeyPlace("API key") }: RequestContext): Hint => ({
  action: "add",
  ...keyPlace,
})

/** Rewords the failure for a transport that takes the key from elsewhere than a header. */
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

const limitFailure = ({ ok, limit, retryAfterMs }: RateLimitState, whose: "key" | "address"): Failure | undefined =>
  ok
    ? undefined
    : fail("rate_limit_exceeded", {
        detail: `Rate limit exceeded: ${limit} calls per minute for this ${whose}.`,
        retryAfterMs,
      })

export const failIfExceeded = (state: RateLimitState, whose: "key" | "address"): Effect.Effect<void, Failure> =>
  limitFailure(state, whose) ?? Effect.void

/** Counts a request without a valid key against the limit of its address; fails if the limit is exceeded. */
export const takeKeylessRequest = (limits: RateLimits["Type"], address: string): Effect.Effect<void, Failure> =>
  Effect.flatMap(takeWithBlock(limits, "requests", address, requestsPerAddress), (state) =>
    failIfExceeded(state, "address"),
  )

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
    if (ApiKey.parseEnvironment(token) === undefined) return yield* malformedKey
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

const noCaller = Exit.succeed(undefined)

export const make = Effect.gen(function* () {
  const authenticate = Step.eager(yield* authentication)
  const limits = yield* RateLimits
  const keyless = (yield* CallPaymentGate)?.keyless === true
  const take = Step.eager(limits.take)

  /** A request with an invalid key counts against its address, so that keys cannot be guessed at a higher rate. */
  const authenticateCounted = ({ context }: Call): Step.Step<Caller, Failure> => {
    const { authorization, address, connection, keyHash, keyPlace } = context
    const authenticated = authenticate(authorization, connection, keyHash)
    if (Step.isDone(authenticated) && Exit.isSuccess(authenticated)) return authenticated
    const caller = keyPlace === undefined ? authenticated : Effect.mapError(Step.run(authenticated), reword(keyPlace))
    if (address === undefined) return caller
    return Effect.tapError(Step.run(caller), ({ status }) =>
      status === 401 ? takeKeylessRequest(limits, address) : Effect.void,
    )
  }

  /** Account → agent → rate limit → scope. */
  const admit = Step.fn(function* (caller: Caller, lane: Lane.Any) {
    const { keyId, perMinute } = caller
    const { stopped, call } = Rights.ofKey(caller)
    const limit = yield* stopped === undefined ? take(keyId, perMinute) : limits.peek(keyId, perMinute)
    const refused = stopped ?? limitFailure(limit, "key") ?? call(lane)
    const authorized: Authorized = { caller, limit, refused }
    return authorized
  })

  /** Whether a payment may replace the key of a call. */
  const isPayable = ({ context: { authorization, keyHash } }: Call, { endpoint, lane }: Catalogue.Entry): boolean =>
    keyless &&
    authorization === undefined &&
    keyHash === undefined &&
    lane.about === "market" &&
    endpoint.priceMicros > 0

  return {
    /** The caller by its key; undefined: the call needs no key, has the demo key, or may be paid without a key. */
    identify: (call: Call, entry: Catalogue.Entry): Step.Step<Caller | undefined, Failure> =>
      entry.endpoint.auth === "key" && !isPayable(call, entry) && !isDemo(call.context)
        ? authenticateCounted(call)
        : noCaller,
    admit,
    /** The limit of a client's address, for a call without a caller. */
    admitAddress: Step.fn(function* ({ context: { address } }: Call) {
      if (address === undefined) return {}
      const limit = yield* takeKeylessCall(limits, address)
      const authorized: Authorized = { limit, refused: limitFailure(limit, "address") }
      return authorized
    }),
  }
})
