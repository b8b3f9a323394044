import { readFileSync } from "node:fs"
import * as HttpRouter from "@effect/platform/HttpRouter"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { RateLimits } from "../../core/account/RateLimits.ts"
import { Secrets } from "../../core/account/Secrets.ts"
import * as decode from "../../core/endpoint/decode.ts"
import type * as Endpoint from "../../core/endpoint/Endpoint.ts"
import { type Failure, fail } from "../../core/endpoint/Failure.ts"
import * as Select from "../../core/endpoint/Select.ts"
import { perAddress } from "../../core/gateway/access.ts"
import * as EntityTag from "../../core/gateway/entityTag.ts"
import { RequestIds } from "../../core/gateway/RequestIds.ts"
import * as Served from "../../core/gateway/Served.ts"
import { Site } from "../../core/gateway/Site.ts"
import * as answers from "../../core/record/answers.ts"
import { endpoints, verifierPath } from "../../core/record/endpoints.ts"
import type { Hasher } from "../../core/record/Hasher.ts"
import type { RecordLog } from "../../core/record/RecordLog.ts"
import { preferred, split } from "./query.ts"
import * as Wire from "./wire.ts"

/** Where proofs are served. */
export const paths: ReadonlySet<string> = new Set([verifierPath, ...Object.values(endpoints).map(({ path }) => path)])

/** A body and its own headers. */
interface Page {
  readonly type: string
  readonly text: string
  readonly link?: string
}

type Make = Effect.Effect<HttpRouter.HttpRouter, never, Hasher | RateLimits | RecordLog | RequestIds | Secrets | Site>

/**
 * The record for everybody: checkpoints, proofs, the leaves themselves and a program that checks them. No key and no
 * price; the limit per address is that of the other calls without a key.
 */
export const make: Make = Effect.gen(function* () {
  const limits = yield* RateLimits
  const requestIds = yield* RequestIds
  const secrets = yield* Secrets
  const { baseUrl } = yield* Site
  const context = yield* Effect.context<Hasher | RecordLog>()
  const verifier = readFileSync(new URL("../record/verifier.mjs", import.meta.url), "utf8")

  /** One answer: limit, form, then the page; in the envelope of errors where that fails. */
  const route = (
    path: `/${string}`,
    types: readonly [string, ...ReadonlyArray<string>],
    page: (raw: decode.Raw, type: string) => Effect.Effect<Page, Failure, Hasher | RecordLog>,
  ) =>
    HttpRouter.get(
      path,
      Effect.gen(function* () {
        const { url, headers, remoteAddress } = yield* HttpServerRequest.HttpServerRequest
        const requestId = yield* requestIds.next
        const limit = Option.isSome(remoteAddress)
          ? yield* limits.take(`address:${remoteAddress.value}`, perAddress)
          : undefined
        const found = Effect.gen(function* () {
          if (limit?.ok === false) return yield* fail("rate_limit_exceeded", { retryAfterMs: limit.retryAfterMs })
          const type = preferred(headers["accept"], types)
          if (type === undefined)
            return yield* fail("not_acceptable", { detail: `This path answers ${types.join(" or ")}.` })
          return yield* page(split(url).raw, type)
        })
        return yield* Effect.matchEffect(Effect.provide(found, context), {
          onFailure: (failure) => {
            const { status, headers, body } = Wire.of(Served.failed(failure, { requestId, limit }, baseUrl))
            return Effect.succeed(HttpServerResponse.text(body, { status, headers }))
          },
          onSuccess: ({ type, text, link }) =>
            Effect.map(secrets.sha256(text), (digest) => {
              const etag = EntityTag.of(digest)
              const known = headers["if-none-match"]
              const unchanged = known !== undefined && EntityTag.isNamed(known, etag)
              const wire = Wire.of(
                {
                  status: unchanged ? 304 : 200,
                  body: unchanged ? "" : text,
                  requestId,
                  limit,
                  etag,
                  replayed: false,
                  retryAfterMs: undefined,
                },
                {
                  "cache-control": "public, max-age=30",
                  ...(types.length > 1 ? { vary: "Accept" } : {}),
                  ...(unchanged ? {} : { "content-type": `${type}; charset=utf-8` }),
                  ...(link === undefined ? {} : { link }),
                },
              )
              return unchanged
                ? HttpServerResponse.empty({ status: 304, headers: wire.headers })
                : HttpServerResponse.text(wire.body, { headers: wire.headers })
            }),
        })
      }),
    )

  /** The parameters of an endpoint, checked by its own schema, and which fields were asked for. */
  const read = <E extends Endpoint.Any>(endpoint: E) => {
    const decoded = decode.compile(endpoint)
    return (raw: decode.Raw) =>
      Effect.map(decoded(raw), ({ params, mask }) => ({ params: params as Endpoint.Params<E>, mask }))
  }

  /** JSON without an envelope, as at the other endpoints without a key. */
  const inJson = <E extends Endpoint.Any>(
    endpoint: E,
    answer: (params: Endpoint.Params<E>) => Effect.Effect<Endpoint.Results<E>, Failure, Hasher | RecordLog>,
  ) => {
    const parameters = read(endpoint)
    return (raw: decode.Raw) =>
      Effect.flatMap(parameters(raw), ({ params, mask }) =>
        Effect.map(
          answer(params),
          (results): Page => ({ type: json, text: JSON.stringify(Select.apply(mask, results)) }),
        ),
      )
  }

  const { checkpoint, inclusion, consistency, leaves } = endpoints
  const [ofCheckpoint, ofLeaves] = [read(checkpoint), read(leaves)]
  const checkpointInJson = inJson(checkpoint, answers.checkpoint)

  return HttpRouter.empty.pipe(
    route(checkpoint.path, [plain, json], (raw, type) =>
      type === json
        ? checkpointInJson(raw)
        : Effect.flatMap(ofCheckpoint(raw), ({ params }) =>
            Effect.map(answers.signed(params), ({ note }): Page => ({ type: plain, text: note })),
          ),
    ),
    route(inclusion.path, [json], inJson(inclusion, answers.inclusion)),
    route(consistency.path, [json], inJson(consistency, answers.consistency)),
    route(leaves.path, [ndjson], (raw) =>
      Effect.flatMap(ofLeaves(raw), ({ params }) =>
        Effect.map(
          answers.leaves(params),
          ({ lines, next }): Page => ({
            type: ndjson,
            text: lines.map((line) => `${line}\n`).join(""),
            ...(next === undefined ? {} : { link: `<${baseUrl}${leaves.path}?from=${next}>; rel="next"` }),
          }),
        ),
      ),
    ),
    route(verifierPath, ["text/javascript"], () => Effect.succeed({ type: "text/javascript", text: verifier })),
  )
})

const json = "application/json"
const plain = "text/plain"
const ndjson = "application/x-ndjson"
