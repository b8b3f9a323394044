import { createHash, timingSafeEqual } from "node:crypto"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { RateLimits } from "../../../core/account/RateLimits.ts"
import { BaseUrl } from "../../../core/call/BaseUrl.ts"
import type * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import type * as decode from "../../../core/endpoint/decode.ts"
import * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import * as Envelope from "../../../core/endpoint/Envelope.ts"
import { type Failure, fail } from "../../../core/Failure.ts"
import { failIfExceeded, missingAuthorization, parseBearer, takeWithBlock } from "../../../core/gateway/access.ts"
import * as CallLog from "../../../core/gateway/callLog.ts"
import { RequestIds } from "../../../core/gateway/RequestIds.ts"
import { ifDefined } from "../../../core/ifDefined.ts"
import * as Step from "../../../core/Step.ts"
import { type Counting, Meter } from "../../../core/telemetry/Meter.ts"
import { minute } from "../../../core/time.ts"
import * as AdminOperation from "../../admin/AdminOperation.ts"
import { verbs } from "../../admin/verbs.ts"
import * as OpenApi from "../../describe/openapi.ts"
import * as Schemas from "../../describe/schemas.ts"
import { type Bounds, readObject } from "./body.ts"
import { defaultLimits } from "./listener.ts"
import { splitTarget } from "./query.ts"
import type { Surface } from "./rest.ts"
import { type App, makeTable, matchPath, type Route, type Table } from "./route.ts"
import * as Wire from "./wire.ts"

export interface Options {
  /** At least 32 characters. */
  readonly token: Redacted.Redacted
  readonly bounds?: Bounds
}

/** The operator listener's routes, and its answers to requests without a route. */
export interface Admin {
  readonly table: Table
  readonly surface: Surface
}

/** Wrong tokens that an address may send in a minute; further ones are refused as too many. */
const maxWrongTokensPerMinute = 30

const documentPath = "/admin/v1/openapi.json"

const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest()

/** The parameters of a verb: those in the path plus the query or the body. */
const readRaw = (verb: AdminOperation.Any, bounds: Bounds) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { path, raw } = splitTarget(request.url)
    const inPath = Object.entries(matchPath(verb.path, path) ?? {})
    const given: decode.Raw =
      Endpoint.methodOf(verb) === "GET"
        ? raw
        : { _tag: "Json", value: yield* Step.run(readObject(NodeHttpServerRequest.toServerResponse(request), bounds)) }
    const names = new Set(given._tag === "Json" ? Object.keys(given.value) : [...given.entries].map(([name]) => name))
    const duplicates = inPath.filter(([name]) => names.has(name))
    if (duplicates.length > 0) {
      const hints = duplicates.map(
        ([field]) => ({ field, action: "remove", suggestion: `The path names ${field}.` }) as const,
      )
      return yield* fail(AdminOperation.code(verb), { hints })
    }
    return given._tag === "Json"
      ? { ...given, value: { ...given.value, ...Object.fromEntries(inPath) } }
      : { _tag: "Text" as const, entries: [...given.entries, ...inPath] }
  })

/** Counts wrong tokens, and logs them: the first at once, those of the minute after it together. */
const makeWrongTokenReporter = (meter: Counting) => {
  let unlogged: number | undefined
  return (address: string) => {
    const warn = (count: number) => Effect.annotateLogs(Effect.logWarning("Wrong admin tokens"), { count, address })
    const later = Effect.suspend(() => {
      const count = unlogged ?? 0
      unlogged = undefined
      return count === 0 ? Effect.void : warn(count)
    })
    return Effect.suspend(() => {
      meter.reportWrongToken()
      if (unlogged !== undefined) {
        unlogged++
        return Effect.void
      }
      unlogged = 0
      return Effect.zipRight(warn(1), Effect.forkDaemon(Effect.delay(later, minute)))
    })
  }
}

const makeAdmit = (
  token: Redacted.Redacted,
  limits: RateLimits["Type"],
  meter: Counting,
): NonNullable<Surface["admit"]> => {
  const expected = sha256(Redacted.value(token))
  const wrongToken = makeWrongTokenReporter(meter)
  return Effect.gen(function* () {
    const { headers, remoteAddress } = yield* HttpServerRequest.HttpServerRequest
    const given = parseBearer(headers["authorization"])
    if (given === undefined) return yield* missingAuthorization("admin token")
    // Hashes have equal length, so the comparison takes constant time. Others at the address cannot lock the right token out.
    if (timingSafeEqual(sha256(given), expected)) return
    const address = Option.getOrElse(remoteAddress, () => "")
    yield* wrongToken(address)
    yield* failIfExceeded(yield* takeWithBlock(limits, "admin", address, maxWrongTokensPerMinute), "address")
    return yield* fail("invalid_api_key", { detail: "This is not the admin token." })
  })
}

const performVerb = (verb: AdminOperation.Any, bounds: Bounds) => {
  const run = AdminOperation.compile(verb)
  return Effect.gen(function* () {
    const { remoteAddress } = yield* HttpServerRequest.HttpServerRequest
    const actor = { who: "admin API", ...ifDefined("address", Option.getOrUndefined(remoteAddress)) }
    return JSON.stringify(yield* run(yield* readRaw(verb, bounds), actor))
  })
}

const routeDefaults = { auth: "operator", types: [Schemas.json], limit: "none" } as const

/** The admin API: the operations of the command line over HTTP. */
export const make = (
  catalogue: Catalogue.Any,
  { token, bounds = defaultLimits }: Options,
): Effect.Effect<Admin, never, AdminOperation.Services | RateLimits | RequestIds | BaseUrl> =>
  Effect.gen(function* () {
    const admit = makeAdmit(token, yield* RateLimits, yield* Meter)
    const requestIds = yield* RequestIds
    const { baseUrl } = yield* BaseUrl
    const log = yield* CallLog.make
    const services = yield* Effect.context<AdminOperation.Services>()
    const all: ReadonlyArray<AdminOperation.Any> = Object.values(verbs(catalogue))

    const answer = (sent: Wire.AdminAnswer) => {
      const { status, headers, body } = Wire.toAdminAnswer(sent)
      return HttpServerResponse.text(body, { status, headers })
    }

    const refuse: Surface["refuse"] = (failure, extra) =>
      Effect.flatMap(requestIds.next(), (requestId) => {
        const { status, retryAfterMs } = failure
        const body = JSON.stringify(Envelope.failure(failure, requestId, baseUrl))
        return Effect.as(
          log.refused({ requestId }, "admin", failure),
          answer({ status, requestId, body, retryAfterMs, ...ifDefined("extra", extra) }),
        )
      })

    const toApp = (status: number, body: Effect.Effect<string, Failure, HttpServerRequest.HttpServerRequest>): App =>
      Effect.flatMap(body, (text) =>
        Effect.map(requestIds.next(), (requestId) => answer({ status, requestId, body: text })),
      )

    const schemaSurface = Schemas.makeSurface(
      all.map((endpoint) => ({ endpoint, tag: OpenApi.operatorTag, types: [Schemas.json] })),
    )
    const document = JSON.stringify(OpenApi.operatorDocument(schemaSurface, baseUrl))

    const routes = all.map(
      (verb): Route => ({
        ...routeDefaults,
        method: Endpoint.methodOf(verb),
        path: verb.path,
        handler: {
          _tag: "App",
          app: toApp(verb.success ?? 200, Effect.provide(performVerb(verb, bounds), services)),
        },
        description: { _tag: "Endpoint", endpoint: verb, tag: OpenApi.operatorTag },
      }),
    )
    const documentRoute: Route = {
      ...routeDefaults,
      method: "GET",
      path: documentPath,
      handler: { _tag: "App", app: toApp(200, Effect.succeed(document)) },
    }
    return {
      table: makeTable([...routes, documentRoute], ["operator"]),
      surface: { admit, refuse, contents: `GET ${documentPath} lists every path.` },
    }
  })
