import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Keyring } from "../../../core/account/Keyring.ts"
import type { PlatformCrypto } from "../../../core/account/PlatformCrypto.ts"
import type { RateLimits } from "../../../core/account/RateLimits.ts"
import { BaseUrl } from "../../../core/call/BaseUrl.ts"
import * as decode from "../../../core/endpoint/decode.ts"
import type * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import * as Select from "../../../core/endpoint/Select.ts"
import { type Failure, notFound } from "../../../core/Failure.ts"
import { authentication } from "../../../core/gateway/access.ts"
import type { RequestIds } from "../../../core/gateway/RequestIds.ts"
import { ifDefined } from "../../../core/ifDefined.ts"
import type { Captures } from "../../../core/record/captures/Captures.ts"
import * as answers from "../../../core/record/log/answers.ts"
import { endpoints, verifierPath } from "../../../core/record/log/endpoints.ts"
import { find, RecordLog } from "../../../core/record/log/RecordLog.ts"
import type { SyncSha256 } from "../../../core/record/log/SyncSha256.ts"
import * as Rights from "../../../core/rights/Rights.ts"
import { minute } from "../../../core/time.ts"
import * as Fragments from "../../describe/openapiFragments.ts"
import * as Keyless from "../../server/http/publicRoute.ts"
import { notAcceptable, parseQuery, selectMediaType, splitTarget } from "../../server/http/query.ts"
import type { Route, RouteDescription } from "../../server/http/route.ts"
import { Site } from "../../server/http/Site.ts"
import { files } from "../files.ts"
import { htmlReply } from "../view/document.ts"
import { badPlace, byName, makeFilterReader, marketFiltersIn, type Wrong } from "../view/filters.tsx"
import * as RecordPage from "./RecordPage.tsx"
import { type Asked, completed, entryOf, entryPage, shows } from "./readEntries.ts"

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

const decodeInclusion = decode.compile(endpoints.inclusion)

/** The proof of a leaf, and the leaf as an entry; or why there is none, in a sentence. */
const proven = (leaf: string) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const { params } = yield* decodeInclusion(textOf({ leaf }), now)
    const proof = yield* answers.inclusion(params as Endpoint.Params<typeof endpoints.inclusion>)
    const logged = yield* find(String(proof.leaf.position))
    return { found: proof, ...(logged === undefined ? {} : { entry: yield* completed(entryOf(logged, now), now) }) }
  }).pipe(
    Effect.catchAll((failure) =>
      isAbout(failure)
        ? Effect.succeed({ found: { problem: [failure.detail ?? [], hintsOf(failure)].flat().join(" ") } })
        : Effect.fail(failure),
    ),
  )

/** The filters of the list. One that is wrong is left out, and its field says so. */
export const askedIn = (query: URLSearchParams): { readonly asked: Asked; readonly wrong: ReadonlyArray<Wrong> } => {
  const read = makeFilterReader(query)
  const place = read.text("before")
  const before = /^\d{1,15}$/.test(place ?? "") ? Number(place) : undefined
  if (place !== undefined && before === undefined) read.refuse("before", badPlace)
  return {
    asked: { show: read.one("show", byName(shows)) ?? "ours", ...marketFiltersIn(read), before },
    wrong: read.wrong,
  }
}

/**
 * The page for people. A leaf that does not exist is a sentence of the page, not an error. The page that asks nothing is
 * kept for its checkpoint, and for a minute at most: leaves are opened when their markets close.
 */
export const recordPage = (baseUrl: string) => {
  let [keptAs, kept] = ["", ""]
  return (target: string, isDemo: boolean) =>
    Effect.gen(function* () {
      const query = parseQuery(target)
      const leaf = (query.get("leaf") ?? "").trim().slice(0, RecordPage.longest)
      const checkpoint = yield* unlessAbsent(answers.checkpoint({}))
      const now = yield* Clock.currentTimeMillis
      const version = [checkpoint?.note, isDemo, Math.floor(now / minute)].join()
      if (query.size === 0 && version === keptAs) return kept
      const shown = askedIn(query)
      const size = checkpoint?.size ?? 0
      const page = RecordPage.recordPage({
        ...{ site: yield* Site, baseUrl, isDemo, checkpoint, leaf },
        ...(leaf === "" ? {} : yield* proven(leaf)),
        ...ifDefined(
          "list",
          leaf === "" && (checkpoint !== undefined || !isDemo)
            ? { ...shown, query, page: yield* entryPage(shown.asked, size, now) }
            : undefined,
        ),
      })
      if (query.size === 0 && checkpoint !== undefined) [keptAs, kept] = [version, page]
      return page
    })
}

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

/** A log of generated leaves; undefined until it is generated. */
export type Demo = Effect.Effect<RecordLog["Type"] | undefined>

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
  answer: (params: Endpoint.Params<E>, rights?: Rights.Rights) => Effect.Effect<Endpoint.Results<E>, Failure, Ports>,
) => {
  const parameters = read(endpoint)
  return (raw: decode.Raw, rights?: Rights.Rights) =>
    Effect.flatMap(parameters(raw), ({ params, mask }) =>
      Effect.map(
        answer(params, rights),
        (results): ProofReply => ({ text: JSON.stringify(Select.apply(mask, results)) }),
      ),
    )
}

const { checkpoint, inclusion, consistency, leaves } = endpoints
const [ofCheckpoint, ofLeaves] = [read(checkpoint), read(leaves)]
const checkpointInJson = inJson(checkpoint, answers.checkpoint)
const inclusionInJson = inJson(inclusion, answers.inclusion)
const consistencyInJson = inJson(consistency, answers.consistency)

type Page = (
  raw: decode.Raw,
  type: string,
  authorization: string | undefined,
) => Effect.Effect<ProofReply, Failure, Ports>

/** A route whose media type follows `Accept`. It reads the log that `served` provides. */
const routeBy =
  (
    keyless: Effect.Effect.Success<typeof Keyless.make>,
    served: <A>(page: Effect.Effect<A, Failure, Ports>) => Effect.Effect<A, Failure>,
  ) =>
  (
    path: string,
    types: readonly [string, ...ReadonlyArray<string>],
    description: RouteDescription | undefined,
    page: Page,
  ): Route =>
    keyless({ path, types, ...ifDefined("description", description) }, ({ url, headers }) => {
      const type = selectMediaType(headers["accept"], types)
      if (type === undefined) return Effect.fail(notAcceptable(types))
      return Effect.map(
        served(page(splitTarget(url).raw, type, headers["authorization"])),
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

/** The four proofs of a log; `base` is the address before `/v1/proof`. */
const proofsOf = (
  at: (endpoint: Endpoint.Any, types: readonly [string, ...ReadonlyArray<string>], page: Page) => Route,
  authenticate: Effect.Effect.Success<typeof authentication>,
  base: string,
): ReadonlyArray<Route> => [
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
          Effect.map(inclusionInJson(raw, Rights.ofKey(caller)), (page) => ({ ...page, isPrivate: true })),
        ),
  ),
  at(consistency, [json], (raw) => consistencyInJson(raw)),
  at(leaves, [ndjson], (raw) =>
    Effect.flatMap(ofLeaves(raw), ({ params }) =>
      Effect.map(
        answers.leaves(params),
        ({ lines, next }): ProofReply => ({
          text: lines.map((line) => `${line}\n`).join(""),
          ...(next === undefined ? {} : { link: `<${base}${leaves.path}?from=${next}>; rel="next"` }),
        }),
      ),
    ),
  ),
]

/**
 * The public record: checkpoints, proofs, leaves and a verifier. Free, without a key; requests count against the
 * per-address limit of keyless calls.
 *
 * @param demo a generated log, served at addresses of its own and on the page for as long as the record is empty
 */
export const make = (demo?: Demo): Make =>
  Effect.gen(function* () {
    const { baseUrl } = yield* BaseUrl
    const authenticate = yield* authentication
    const context = yield* Effect.context<Ports>()
    const keyless = yield* Keyless.make
    const { size } = Context.get(context, RecordLog)
    const page = recordPage(baseUrl)
    const isDemo = Effect.map(size, (leaves) => demo !== undefined && leaves === 0)
    const demoLog = Effect.flatMap(isDemo, (is) => (is && demo !== undefined ? demo : Effect.succeed(undefined)))

    const route = routeBy(keyless, (page) => Effect.provide(page, context))
    const demoRoute = routeBy(keyless, (page) =>
      Effect.flatMap(demoLog, (log) =>
        log === undefined
          ? notFound("There is no demonstration log here.")
          : Effect.provide(page, Context.add(context, RecordLog, log)),
      ),
    )
    return [
      keyless(
        {
          path: RecordPage.path,
          types: ["text/html"],
          description: { _tag: "Operation", operation: pageOperation },
        },
        ({ url }) =>
          Effect.map(
            Effect.flatMap(Effect.all([isDemo, demoLog]), ([is, log]) =>
              Effect.provide(page(url, is), log === undefined ? context : Context.add(context, RecordLog, log)),
            ),
            htmlReply,
          ),
      ),
      ...proofsOf(
        (endpoint, types, page) => route(endpoint.path, types, { _tag: "Endpoint", endpoint, tag: "proof" }, page),
        authenticate,
        baseUrl,
      ),
      ...(demo === undefined
        ? []
        : proofsOf(
            (endpoint, types, page) => demoRoute(`${RecordPage.demoBase}${endpoint.path}`, types, undefined, page),
            authenticate,
            `${baseUrl}${RecordPage.demoBase}`,
          )),
      route(
        verifierPath,
        [script],
        {
          _tag: "Operation",
          operation: Fragments.documentOperation("A program that verifies an export of the record", script),
        },
        () => Effect.succeed({ text: files.verifier }),
      ),
    ]
  })

const pageOperation = {
  ...Fragments.documentOperation(
    "The record explained; a leaf, its proof and the newest checkpoint as a page to read",
    "text/html",
  ),
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
