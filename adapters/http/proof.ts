import { readFileSync } from "node:fs"
import * as HttpRouter from "@effect/platform/HttpRouter"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { RateLimits } from "../../core/account/RateLimits.ts"
import type { Secrets } from "../../core/account/Secrets.ts"
import * as decode from "../../core/endpoint/decode.ts"
import type * as Endpoint from "../../core/endpoint/Endpoint.ts"
import type { Failure } from "../../core/endpoint/Failure.ts"
import * as Select from "../../core/endpoint/Select.ts"
import type { RequestIds } from "../../core/gateway/RequestIds.ts"
import { Site } from "../../core/gateway/Site.ts"
import * as answers from "../../core/record/answers.ts"
import { endpoints, verifierPath } from "../../core/record/endpoints.ts"
import type { Hasher } from "../../core/record/Hasher.ts"
import type { RecordLog } from "../../core/record/RecordLog.ts"
import * as Keyless from "./keyless.ts"
import { notAcceptable, preferred, split } from "./query.ts"

/** Where proofs are served. */
export const paths: ReadonlySet<string> = new Set([verifierPath, ...Object.values(endpoints).map(({ path }) => path)])

/** A text and the address of the one that follows it. */
interface Page {
  readonly text: string
  readonly link?: string
}

type Make = Effect.Effect<HttpRouter.HttpRouter, never, Hasher | RateLimits | RecordLog | RequestIds | Secrets | Site>

/**
 * The record for everybody: checkpoints, proofs, the leaves themselves and a program that checks them. No key and no
 * price; the limit per address is that of the other calls without a key.
 */
export const make: Make = Effect.gen(function* () {
  const { baseUrl } = yield* Site
  const context = yield* Effect.context<Hasher | RecordLog>()
  const keyless = yield* Keyless.make
  const verifier = readFileSync(new URL("../record/verifier.mjs", import.meta.url), "utf8")

  /** A page in the form that was asked for. */
  const route = (
    path: `/${string}`,
    types: readonly [string, ...ReadonlyArray<string>],
    page: (raw: decode.Raw, type: string) => Effect.Effect<Page, Failure, Hasher | RecordLog>,
  ) =>
    keyless(path, ({ url, headers }) => {
      const type = preferred(headers["accept"], types)
      if (type === undefined) return Effect.fail(notAcceptable(types))
      return Effect.map(Effect.provide(page(split(url).raw, type), context), ({ text, link }) => ({
        type: `${type}; charset=utf-8`,
        body: text,
        headers: { ...(types.length > 1 ? { vary: "Accept" } : {}), ...(link === undefined ? {} : { link }) },
      }))
    })

  /** The parameters of an endpoint, checked by its own schema, and which fields were asked for. */
  const read = <E extends Endpoint.Any>(endpoint: E) => {
    const decoded = decode.compile(endpoint)
    return (raw: decode.Raw) =>
      Effect.map(
        Effect.flatMap(Clock.currentTimeMillis, (now) => decoded(raw, now)),
        ({ params, mask }) => ({ params: params as Endpoint.Params<E>, mask }),
      )
  }

  /** JSON without an envelope, as at the other endpoints without a key. */
  const inJson = <E extends Endpoint.Any>(
    endpoint: E,
    answer: (params: Endpoint.Params<E>) => Effect.Effect<Endpoint.Results<E>, Failure, Hasher | RecordLog>,
  ) => {
    const parameters = read(endpoint)
    return (raw: decode.Raw) =>
      Effect.flatMap(parameters(raw), ({ params, mask }) =>
        Effect.map(answer(params), (results): Page => ({ text: JSON.stringify(Select.apply(mask, results)) })),
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
            Effect.map(answers.signed(params), ({ note }): Page => ({ text: note })),
          ),
    ),
    route(inclusion.path, [json], inJson(inclusion, answers.inclusion)),
    route(consistency.path, [json], inJson(consistency, answers.consistency)),
    route(leaves.path, [ndjson], (raw) =>
      Effect.flatMap(ofLeaves(raw), ({ params }) =>
        Effect.map(
          answers.leaves(params),
          ({ lines, next }): Page => ({
            text: lines.map((line) => `${line}\n`).join(""),
            ...(next === undefined ? {} : { link: `<${baseUrl}${leaves.path}?from=${next}>; rel="next"` }),
          }),
        ),
      ),
    ),
    route(verifierPath, ["text/javascript"], () => Effect.succeed({ text: verifier })),
  )
})

const json = "application/json"
const plain = "text/plain"
const ndjson = "application/x-ndjson"
