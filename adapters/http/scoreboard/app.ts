import * as HttpRouter from "@effect/platform/HttpRouter"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Taken } from "../../../core/account/Bucket.ts"
import { RateLimits } from "../../../core/account/RateLimits.ts"
import { Secrets } from "../../../core/account/Secrets.ts"
import { type Failure, fail } from "../../../core/endpoint/Failure.ts"
import { perAddress } from "../../../core/gateway/access.ts"
import * as EntityTag from "../../../core/gateway/entityTag.ts"
import { RequestIds } from "../../../core/gateway/RequestIds.ts"
import * as Served from "../../../core/gateway/Served.ts"
import { Site } from "../../../core/gateway/Site.ts"
import { Markets } from "../../../core/lanes/markets/Markets.ts"
import { SettledRows } from "../../../core/lanes/markets/providers.ts"
import * as Wire from "../wire.ts"
import { all, type Form, forms } from "./downloads.ts"
import { downloads, page } from "./page.ts"
import { style } from "./style.ts"

const pagePath = "/scoreboard"
const fileOf = (form: Form): `/${string}` => `${pagePath}/settled.${form}`

/** Where the scoreboard's page and files are served. */
export const paths: ReadonlySet<string> = new Set([pagePath, ...downloads.map(fileOf)])

/** No script, nothing from elsewhere, and no style but the page's own. */
const policyOf = (styleHash: string): string =>
  `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

const base64Of = (hex: string): string => Encoding.encodeBase64(Either.getOrThrow(Encoding.decodeHex(hex)))

type Reply = (known: {
  readonly requestId: string
  readonly limit: Taken | undefined
  readonly ifNoneMatch: string | undefined
}) => Effect.Effect<HttpServerResponse.HttpServerResponse, Failure>

/**
 * The scoreboard for people: a page, and every settled row as a file. No key and no price; the limit per address is that
 * of the other calls without a key.
 */
export const make: Effect.Effect<
  HttpRouter.HttpRouter,
  never,
  Markets | RateLimits | RequestIds | Secrets | SettledRows | Site
> = Effect.gen(function* () {
  const limits = yield* RateLimits
  const requestIds = yield* RequestIds
  const secrets = yield* Secrets
  const { baseUrl } = yield* Site
  const markets = yield* Markets
  const rows = yield* SettledRows
  const policy = policyOf(base64Of(yield* secrets.sha256(style)))

  const route = (path: `/${string}`, reply: Reply) =>
    HttpRouter.get(
      path,
      Effect.gen(function* () {
        const { headers, remoteAddress } = yield* HttpServerRequest.HttpServerRequest
        const requestId = yield* requestIds.next
        const limit = Option.isSome(remoteAddress)
          ? yield* limits.take(`address:${remoteAddress.value}`, perAddress)
          : undefined
        const answered =
          limit?.ok === false
            ? Effect.fail(fail("rate_limit_exceeded", { retryAfterMs: limit.retryAfterMs }))
            : reply({ requestId, limit, ifNoneMatch: headers["if-none-match"] })
        return yield* Effect.catchAll(answered, (failure) => {
          const { status, headers: sent, body } = Wire.of(Served.failed(failure, { requestId, limit }, baseUrl))
          return Effect.succeed(HttpServerResponse.text(body, { status, headers: sent }))
        })
      }),
    )

  /** The headers of a good answer: those that every answer has, without the length that its body alone decides. */
  const headersOf = (
    known: Parameters<Reply>[0],
    status: 200 | 304,
    etag: string | undefined,
    own: Readonly<Record<string, string>>,
  ) => {
    const { requestId, limit } = known
    const served = { status, body: "", requestId, limit, etag, replayed: false, retryAfterMs: undefined }
    const { "content-length": _, ...headers } = Wire.of(served, {
      "cache-control": "public, max-age=30",
      ...own,
    }).headers
    return headers
  }

  const html: Reply = (known) =>
    Effect.gen(function* () {
      const { results, freshness } = yield* markets.performance({})
      const text = page(results, freshness)
      const etag = EntityTag.of(yield* secrets.sha256(text))
      if (known.ifNoneMatch !== undefined && EntityTag.isNamed(known.ifNoneMatch, etag)) {
        return HttpServerResponse.empty({ status: 304, headers: headersOf(known, 304, etag, {}) })
      }
      const own = { "content-type": "text/html; charset=utf-8", "content-security-policy": policy }
      return HttpServerResponse.text(text, { headers: headersOf(known, 200, etag, own) })
    })

  const file =
    (form: Form): Reply =>
    (known) =>
      // A store that does not answer is found out before the answer begins.
      Effect.map(rows.after("weather", undefined, 1), () => {
        const { type, text } = forms[form]
        const body = text(all(rows)).pipe(
          Stream.mapChunks((lines) => Chunk.of(Chunk.join(lines, ""))),
          Stream.encodeText,
        )
        return HttpServerResponse.stream(body, {
          headers: headersOf(known, 200, undefined, {
            "content-type": type,
            "content-disposition": `attachment; filename="settled.${form}"`,
          }),
        })
      })

  return downloads.reduce(
    (router, form) => router.pipe(route(fileOf(form), file(form))),
    HttpRouter.empty.pipe(route(pagePath, html)),
  )
})
