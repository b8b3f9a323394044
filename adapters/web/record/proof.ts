import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Caller, Keyring } from "../../../core/account/Keyring.ts"
import type { PlatformCrypto } from "../../../core/account/PlatformCrypto.ts"
import type { RateLimits } from "../../../core/account/RateLimits.ts"
import { BaseUrl } from "../../../core/call/BaseUrl.ts"
import * as decode from "../../../core/endpoint/decode.ts"
import type * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import * as Select from "../../../core/endpoint/Select.ts"
import type { Failure } from "../../../core/Failure.ts"
import { authentication } from "../../../core/gateway/access.ts"
import type { RequestIds } from "../../../core/gateway/RequestIds.ts"
import { ifDefined } from "../../../core/ifDefined.ts"
import type { Captures } from "../../../core/record/captures/Captures.ts"
import * as answers from "../../../core/record/log/answers.ts"
import { endpoints, verifierPath } from "../../../core/record/log/endpoints.ts"
import type { RecordLog } from "../../../core/record/log/RecordLog.ts"
import type { SyncSha256 } from "../../../core/record/log/SyncSha256.ts"
import * as describe from "../../describe/describe.ts"
import * as Keyless from "../../server/http/publicRoute.ts"
import { notAcceptable, preferred, split } from "../../server/http/query.ts"
import type { Description, Route } from "../../server/http/route.ts"
import { Site } from "../../server/http/Site.ts"
import { scripts } from "../scripts.ts"
import { pageHeaders } from "../view/assets.ts"
import * as RecordPage from "./RecordPage.tsx"

/** A text and the `Link` to the next page. */
interface ProofReply {
  readonly text: string
  readonly link?: string
  /** True: for one account, not cacheable. False: varies with the key. Absent: the same with and without a key. */
  readonly isPrivate?: boolean
}

type Ports = Captures | SyncSha256 | RecordLog
type Make = Effect.Effect<
  ReadonlyArray<Route>,
  never,
  Keyring | Ports | RateLimits | RequestIds | PlatformCrypto | BaseUrl
>

/** Decodes an endpoint's parameters and its `fields`. */
const read = <E extends Endpoint.Any>(endpoint: E) => {
  const decoded = decode.compile(endpoint)
  return (raw: decode.Raw) =>
    Effect.map(
      Effect.flatMap(Clock.currentTimeMillis, (now) => decoded(raw, now)),
      ({ params, mask }) => ({ params: params as Endpoint.Params<E>, mask }),
    )
}

/** Plain JSON without an envelope, as at the other keyless endpoints. */
const inJson = <E extends Endpoint.Any>(
  endpoint: E,
  answer: (params: Endpoint.Params<E>, caller?: Caller) => Effect.Effect<Endpoint.Results<E>, Failure, Ports>,
) => {
  const parameters = read(endpoint)
  return (raw: decode.Raw, caller?: Caller) =>
    Effect.flatMap(parameters(raw), ({ params, mask }) =>
      Effect.map(
        answer(params, caller),
        (results): ProofReply => ({ text: JSON.stringify(Select.apply(mask, results)) }),
      ),
    )
}

const { checkpoint, inclusion, consistency, leaves } = endpoints
const [ofCheckpoint, ofInclusion, ofLeaves] = [read(checkpoint), read(inclusion), read(leaves)]
const checkpointInJson = inJson(checkpoint, answers.checkpoint)
const inclusionInJson = inJson(inclusion, answers.inclusion)
const consistencyInJson = inJson(consistency, answers.consistency)

/** A route whose media type follows `Accept`. */
const routeBy =
  (keyless: Effect.Effect.Success<typeof Keyless.make>, context: Context.Context<Ports>) =>
  (
    path: string,
    types: readonly [string, ...ReadonlyArray<string>],
    description: Description,
    page: (
      raw: decode.Raw,
      type: string,
      authorization: string | undefined,
    ) => Effect.Effect<ProofReply, Failure, Ports>,
  ) =>
    keyless({ path, types, description }, ({ url, headers }) => {
      const type = preferred(headers["accept"], types)
      if (type === undefined) return Effect.fail(notAcceptable(types))
      return Effect.map(
        Effect.provide(page(split(url).raw, type, headers["authorization"]), context),
        ({ text, link, isPrivate }) => ({
          type: `${type}; charset=utf-8`,
          body: text,
          headers: {
            ...(types.length > 1 ? { vary: "Accept" } : {}),
            ...(link === undefined ? {} : { link }),
            ...(isPrivate === undefined ? {} : { vary: "Authorization" }),
            ...(isPrivate === true ? { "cache-control": "private, no-store" } : {}),
          },
        }),
      )
    })

/** The page for people. A leaf that does not exist is a sentence of the page, not an error. */
const recordPage = (baseUrl: string, target: string) =>
  Effect.gen(function* () {
    const { raw } = split(target)
    const asked = raw._tag === "Text" ? new URLSearchParams(raw.text).get("leaf") : null
    const leaf = (asked ?? "").trim().slice(0, RecordPage.longest)
    const newest = yield* unlessAbsent(answers.checkpoint({}))
    const found =
      leaf === ""
        ? undefined
        : yield* Effect.catchAll(
            Effect.flatMap(ofInclusion(textOf({ leaf })), ({ params }) => answers.inclusion(params)),
            (failure) =>
              isAbout(failure)
                ? Effect.succeed({ problem: [failure.detail ?? [], hintsOf(failure)].flat().join(" ") })
                : Effect.fail(failure),
          )
    return RecordPage.recordPage({
      site: yield* Site,
      baseUrl,
      checkpoint: newest,
      leaf,
      ...ifDefined("found", found),
    })
  })

/**
 * The public record: checkpoints, proofs, leaves and a verifier. Free, without a key; requests count against the
 * per-address limit of keyless calls.
 */
export const make: Make = Effect.gen(function* () {
  const { baseUrl } = yield* BaseUrl
  const authenticate = yield* authentication
  const context = yield* Effect.context<Ports>()
  const keyless = yield* Keyless.make
  const route = routeBy(keyless, context)

  const at = (endpoint: Endpoint.Any, types: Parameters<typeof route>[1], page: Parameters<typeof route>[3]): Route =>
    route(endpoint.path, types, { _tag: "Endpoint", endpoint, tag: "proof" }, page)

  return [
    keyless(
      {
        path: RecordPage.path,
        types: ["text/html"],
        description: { _tag: "Operation", operation: pageOperation },
      },
      ({ url }) =>
        Effect.map(Effect.provide(recordPage(baseUrl, url), context), (body) => ({
          type: "text/html; charset=utf-8",
          body,
          headers: pageHeaders,
        })),
    ),
    at(checkpoint, [plain, json], (raw, type) =>
      type === json
        ? checkpointInJson(raw)
        : Effect.flatMap(ofCheckpoint(raw), ({ params }) =>
            Effect.map(answers.signed(params), ({ note }): ProofReply => ({ text: note })),
          ),
    ),
    // A key of the buyer may read a leaf before the close.
    at(inclusion, [json], (raw, _, authorization) =>
      authorization === undefined
        ? Effect.map(inclusionInJson(raw), (page) => ({ ...page, isPrivate: false }))
        : Effect.flatMap(authenticate(authorization), (caller) =>
            Effect.map(inclusionInJson(raw, caller), (page) => ({ ...page, isPrivate: true })),
          ),
    ),
    at(consistency, [json], (raw) => consistencyInJson(raw)),
    at(leaves, [ndjson], (raw) =>
      Effect.flatMap(ofLeaves(raw), ({ params }) =>
        Effect.map(
          answers.leaves(params),
          ({ lines, next }): ProofReply => ({
            text: lines.map((line) => `${line}\n`).join(""),
            ...(next === undefined ? {} : { link: `<${baseUrl}${leaves.path}?from=${next}>; rel="next"` }),
          }),
        ),
      ),
    ),
    route(
      verifierPath,
      [script],
      { _tag: "Operation", operation: describe.page("A program that verifies an export of the record", script) },
      () => Effect.succeed({ text: scripts.verifier }),
    ),
  ]
})

/** Failures that the reader's question caused. */
const isAbout = ({ code }: Failure): boolean => code === "not_found" || code === "invalid_parameter"

const hintsOf = ({ hints = [] }: Failure): ReadonlyArray<string> => hints.map(({ suggestion }) => suggestion)

const unlessAbsent = <A, R>(found: Effect.Effect<A, Failure, R>): Effect.Effect<A | undefined, Failure, R> =>
  Effect.catchAll(found, (failure) => (failure.code === "not_found" ? Effect.succeed(undefined) : Effect.fail(failure)))

/** Parameters as a query string has them. */
const textOf = (values: Readonly<Record<string, string>>): decode.Raw => {
  const query = new URLSearchParams(values)
  return { _tag: "Text", text: query.toString(), entries: query }
}

const pageOperation = {
  ...describe.page("The record explained; a leaf, its proof and the newest checkpoint as a page to read", "text/html"),
  parameters: [
    {
      name: "leaf",
      in: "query",
      description: "A leaf to show: its position, hash in hex, or id.",
      schema: { type: "string", maxLength: RecordPage.longest },
      example: "0",
    },
  ],
}

const json = "application/json"
const plain = "text/plain"
const ndjson = "application/x-ndjson"
const script = "text/javascript"
