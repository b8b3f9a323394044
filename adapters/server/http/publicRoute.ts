import type { Readable } from "node:stream"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { PlatformCrypto } from "../../../core/account/PlatformCrypto.ts"
import { RateLimits } from "../../../core/account/RateLimits.ts"
import { BaseUrl } from "../../../core/call/BaseUrl.ts"
import type { Failure } from "../../../core/Failure.ts"
import { failIfExceeded, takeKeylessCall, takeWithBlock } from "../../../core/gateway/access.ts"
import * as CallLog from "../../../core/gateway/callLog.ts"
import * as EntityTags from "../../../core/gateway/EntityTags.ts"
import { RequestIds } from "../../../core/gateway/RequestIds.ts"
import * as Served from "../../../core/gateway/Served.ts"
import * as Range from "./range.ts"
import type { Route, RouteLimit } from "./route.ts"
import type { Site } from "./Site.ts"
import * as Slices from "./slices.ts"
import * as Wire from "./wire.ts"

export type { ByteRange } from "./range.ts"

/** A body streamed from storage. */
export interface StoredBody {
  /** Strong: of these bytes. */
  readonly etag: string
  readonly bytes: number
  /** Opens nothing before the first read. */
  readonly open: (span?: Range.ByteRange) => Readable
}

/** A successful answer of a keyless route. */
export interface PublicReply {
  /** The value of `Content-Type`. */
  readonly type: string
  readonly body: string | StoredBody
  readonly headers?: Wire.Headers
}

/** The answer to a request for a file or a part of it. */
const answerStored = (
  { etag, bytes, open }: StoredBody,
  requestHeaders: Wire.Headers,
  isHead: boolean,
  headers: Wire.Headers,
) => {
  const isPart = !isHead && (requestHeaders["if-range"] === undefined || requestHeaders["if-range"] === etag)
  const span = isPart ? Range.parse(requestHeaders["range"], bytes) : undefined
  if (span === "none") {
    const { "content-type": _, ...rest } = headers
    return HttpServerResponse.empty({ status: 416, headers: { ...rest, "content-range": `bytes */${bytes}` } })
  }
  const { first, last } = span ?? { first: 0, last: bytes - 1 }
  const length = { ...headers, "content-length": String(last - first + 1) }
  return span === undefined
    ? HttpServerResponse.raw(open(), { headers: length })
    : HttpServerResponse.raw(open(span), {
        status: 206,
        headers: { ...length, "content-range": `bytes ${first}-${last}/${bytes}` },
      })
}

/** Makes a GET route. */
export type MakeRoute = (
  route: Pick<Route, "path" | "types" | "description"> & { readonly bucket?: RouteLimit },
  answer: (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<PublicReply, Failure, Site>,
) => Route

/**
 * Keyless, free routes outside the catalogue. Every answer has a request id and rate limit headers. Requests count
 * against the per-address limit of keyless calls, or against the route's own bucket. Failures are answered in the
 * error envelope.
 */
export const make: Effect.Effect<MakeRoute, never, RateLimits | RequestIds | PlatformCrypto | BaseUrl> = Effect.gen(
  function* () {
    const limits = yield* RateLimits
    const requestIds = yield* RequestIds
    const secrets = yield* PlatformCrypto
    const { baseUrl } = yield* BaseUrl
    const log = yield* CallLog.make

    const take = (address: string, limit: RouteLimit | undefined) =>
      limit === undefined
        ? takeKeylessCall(limits, address)
        : takeWithBlock(limits, limit.name, address, limit.perMinute)

    return ({ bucket, ...route }, answer) => ({
      ...route,
      method: "GET",
      auth: "none",
      limit: bucket ?? "calls",
      handler: {
        _tag: "App",
        app: Effect.gen(function* () {
          const request = yield* HttpServerRequest.HttpServerRequest
          const requestId = yield* requestIds.next()
          const limit = Option.isSome(request.remoteAddress)
            ? yield* take(request.remoteAddress.value, Range.isPiece(request.headers["range"]) ? undefined : bucket)
            : undefined
          const found =
            limit === undefined ? answer(request) : Effect.zipRight(failIfExceeded(limit, "address"), answer(request))
          return yield* Effect.matchEffect(found, {
            onFailure: (failure) => {
              const { status, headers, body } = Wire.of(Served.failed(failure, { requestId, limit }, baseUrl))
              return Effect.as(
                log.refused(
                  { requestId, context: { clientRequestId: request.headers["x-request-id"] } },
                  route.path,
                  failure,
                ),
                HttpServerResponse.text(body, { status, headers }),
              )
            },
            onSuccess: ({ type, body, headers: own }) => {
              const tagged =
                typeof body === "string" ? Effect.map(secrets.sha256(body), EntityTags.of) : Effect.succeed(body.etag)
              return Effect.map(tagged, (etag) => {
                const cached = request.headers["if-none-match"]
                const isKnown = cached !== undefined && EntityTags.isNamed(cached, etag.replace(/^"/, 'W/"'))
                const status = isKnown ? 304 : 200
                const text = isKnown || typeof body !== "string" ? "" : body
                const { headers } = Wire.withText(
                  { status, requestId, limit, etag, replayed: false, retryAfterMs: undefined },
                  text,
                  { ...Wire.publicHeaders, "content-type": type, ...own },
                )
                if (isKnown) return HttpServerResponse.empty({ status, headers })
                if (typeof body !== "string")
                  return answerStored(body, request.headers, request.method === "HEAD", headers)
                return body.length <= Slices.bytesPerWrite
                  ? HttpServerResponse.text(body, { headers })
                  : HttpServerResponse.raw(Slices.streamBytes(body), { headers })
              })
            },
          })
        }),
      },
    })
  },
)
