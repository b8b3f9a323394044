import type { Readable } from "node:stream"
import * as HttpRouter from "@effect/platform/HttpRouter"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { RateLimits } from "../../core/account/RateLimits.ts"
import { Secrets } from "../../core/account/Secrets.ts"
import type { Failure } from "../../core/Failure.ts"
import { takeOfAddress, within } from "../../core/gateway/access.ts"
import * as CallLog from "../../core/gateway/callLog.ts"
import * as EntityTags from "../../core/gateway/EntityTags.ts"
import { RequestIds } from "../../core/gateway/RequestIds.ts"
import * as Served from "../../core/gateway/Served.ts"
import { Site } from "../../core/gateway/Site.ts"
import * as Slices from "./slices.ts"
import * as Wire from "./wire.ts"

/** A body that is read from where it lies while it is sent. */
export interface Stored {
  readonly etag: string
  readonly bytes: number
  /** Nothing is opened before the first byte is asked for. */
  readonly open: () => Readable
}

/** What an address has of some routes, in place of what it has of all others. */
export interface Bucket {
  readonly name: string
  readonly perMinute: number
}

/** A good answer of a route without a key. */
export interface Page {
  /** The value of `Content-Type`. */
  readonly type: string
  readonly body: string | Stored
  /** What it says beside what every answer does. */
  readonly headers?: Wire.Headers
}

/** Adds a GET to a router. */
export type Route = (
  path: `/${string}`,
  answer: (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<Page, Failure>,
  bucket?: Bucket,
) => <E, R>(router: HttpRouter.HttpRouter<E, R>) => HttpRouter.HttpRouter<E, R>

/**
 * Routes outside the catalogue for everybody: no key and no price. Every answer has a request id and tells what is left
 * of the limit per address, which is one with that of the catalogue's calls without a key but for routes with a bucket of
 * their own; a failure is in the envelope of errors.
 */
export const make: Effect.Effect<Route, never, RateLimits | RequestIds | Secrets | Site> = Effect.gen(function* () {
  const limits = yield* RateLimits
  const requestIds = yield* RequestIds
  const secrets = yield* Secrets
  const { baseUrl } = yield* Site
  const log = yield* CallLog.make

  const take = (address: string, bucket: Bucket | undefined) =>
    bucket === undefined ? takeOfAddress(limits, address) : limits.take(`${bucket.name}:${address}`, bucket.perMinute)

  return (path, answer, bucket) =>
    HttpRouter.get(
      path,
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const requestId = yield* requestIds.next
        const limit = Option.isSome(request.remoteAddress)
          ? yield* take(request.remoteAddress.value, bucket)
          : undefined
        const found = limit === undefined ? answer(request) : Effect.zipRight(within(limit, "address"), answer(request))
        return yield* Effect.matchEffect(found, {
          onFailure: (failure) => {
            const { status, headers, body } = Wire.of(Served.failed(failure, { requestId, limit }, baseUrl))
            return Effect.as(
              log.refused({ requestId, context: { clientRequestId: request.headers["x-request-id"] } }, path, failure),
              HttpServerResponse.text(body, { status, headers }),
            )
          },
          onSuccess: ({ type, body, headers: own }) => {
            const headersOf = (status: 200 | 304, text: string, etag?: string) =>
              Wire.withText({ status, requestId, limit, etag, replayed: false, retryAfterMs: undefined }, text, {
                ...Wire.open,
                "content-type": type,
                ...own,
              }).headers
            const isKnown = (etag: string): boolean => {
              const known = request.headers["if-none-match"]
              return known !== undefined && EntityTags.isNamed(known, etag)
            }
            if (typeof body !== "string") {
              const { etag, bytes, open } = body
              if (isKnown(etag)) {
                return Effect.succeed(HttpServerResponse.empty({ status: 304, headers: headersOf(304, "", etag) }))
              }
              const headers = { ...headersOf(200, "", etag), "content-length": String(bytes) }
              return Effect.succeed(HttpServerResponse.raw(open(), { headers }))
            }
            return Effect.map(secrets.sha256(body), (digest) => {
              const etag = EntityTags.of(digest)
              if (isKnown(etag)) {
                return HttpServerResponse.empty({ status: 304, headers: headersOf(304, "", etag) })
              }
              const headers = headersOf(200, body, etag)
              return body.length <= Slices.atOnce
                ? HttpServerResponse.text(body, { headers })
                : HttpServerResponse.raw(Slices.readable(body), { headers })
            })
          },
        })
      }),
    )
})
