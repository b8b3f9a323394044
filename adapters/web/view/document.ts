import { createHash } from "node:crypto"
import { gzipSync } from "node:zlib"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import { isNamed } from "../../../core/gateway/EntityTags.ts"
import * as Fragments from "../../describe/openapiFragments.ts"
import type { PublicReply } from "../../server/http/publicRoute.ts"
import { parseQuery, selectMediaType } from "../../server/http/query.ts"
import type { App, Route, RouteDescription } from "../../server/http/route.ts"
import { Site } from "../../server/http/Site.ts"
import * as Slices from "../../server/http/slices.ts"
import * as Wire from "../../server/http/wire.ts"
import { pageHeaders } from "./assets.ts"

/** A page at an exact path. */
export type Document = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  never,
  HttpServerRequest.HttpServerRequest | Site
>

export const types = {
  html: "text/html; charset=utf-8",
  json: "application/json; charset=utf-8",
  schema: "application/schema+json; charset=utf-8",
  text: "text/plain; charset=utf-8",
  linkset: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  xml: "application/xml; charset=utf-8",
  markdown: "text/markdown; charset=utf-8",
} as const

/** Texts below this size are not compressed: they fit in one packet, bytes. */
const worthPacking = 1_024

/** Whether `Accept-Encoding` allows gzip (RFC 9110, 12.5.3). */
export const acceptsGzip = (header: string | undefined): boolean => {
  if (header === undefined) return false
  const weights = new Map(
    header.split(",").map((each) => {
      const [coding = "", ...rest] = each.split(";").map((part) => part.trim().toLowerCase())
      const q = rest.find((part) => part.startsWith("q="))
      return [coding, q === undefined ? 1 : Number(q.slice(2))] as const
    }),
  )
  return (weights.get("gzip") ?? weights.get("x-gzip") ?? weights.get("*") ?? 0) > 0
}

interface Form {
  readonly bytes: Buffer
  readonly headers: Wire.Headers
}

/** How long a document may be cached: a file whose name has the hash of its content for good. */
const cached = { document: "public, max-age=300", asset: "public, max-age=31536000, immutable" } as const

/** A constant text: its bytes, compressed bytes and the entity tags of both. */
export const fixed = (type: string, text: string, kind: keyof typeof cached = "document"): Document => {
  const plain = Buffer.from(text)
  const digest = createHash("sha256").update(plain).digest("hex")
  // A strong tag identifies bytes, so the compressed form needs its own.
  const tags = { plain: `"${digest}"`, packed: `"${digest}-gzip"` }
  const isPacked = plain.length >= worthPacking
  const headers = {
    ...Wire.commonHeaders,
    "cache-control": cached[kind],
    ...(isPacked ? { vary: "Accept-Encoding" } : {}),
    ...(type === types.html ? pageHeaders : {}),
  }
  const form = (bytes: Buffer, etag: string, more: Wire.Headers = {}): Form => ({
    bytes,
    headers: { ...headers, ...more, etag, "content-type": type, "content-length": String(bytes.length) },
  })
  const asIs = form(plain, tags.plain)
  /** Compressed on first use: most pages are never requested. */
  let packed: Form | undefined
  const formFor = (accepted: string | undefined): Form => {
    if (!isPacked || !acceptsGzip(accepted)) return asIs
    packed ??= form(gzipSync(plain), tags.packed, { "content-encoding": "gzip" })
    return packed
  }
  return Effect.map(HttpServerRequest.HttpServerRequest, ({ headers: asked }) => {
    const known = asked["if-none-match"]
    if (known !== undefined && Object.values(tags).some((tag) => isNamed(known, `W/${tag}`))) {
      const etag = formFor(asked["accept-encoding"]).headers["etag"]!
      return HttpServerResponse.empty({ status: 304, headers: { ...headers, etag } })
    }
    const { bytes, headers: own } = formFor(asked["accept-encoding"])
    return bytes.length <= Slices.bytesPerWrite
      ? HttpServerResponse.uint8Array(bytes, { headers: own, contentType: type })
      : HttpServerResponse.raw(Slices.streamBytes(bytes), { headers: own, contentType: type })
  })
}

/** A page for people or a document for programs, as `Accept` prefers. */
export const either = (page: Document, program: Document): Document =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
    Effect.map(
      selectMediaType(headers["accept"], ["text/html", "application/json"]) === "application/json" ? program : page,
      HttpServerResponse.setHeader("vary", "Accept, Accept-Encoding"),
    ),
  )

/** A page as the answer of a public route. */
export const htmlReply = (body: string): PublicReply => ({ type: types.html, body, headers: pageHeaders })

/** A page that is rendered at its first request. */
export const rendered = (render: (site: Site) => string): Document => {
  let page: Document | undefined
  return Effect.flatMap(Site, (site) => {
    page ??= fixed(types.html, render(site))
    return page
  })
}

/**
 * A cached page. A request whose query has a question gets a page of its own.
 *
 * @param ask the answer; undefined: the query has no question
 */
export const answered = <A>(
  ask: (query: URLSearchParams, request: HttpServerRequest.HttpServerRequest) => Effect.Effect<A | undefined>,
  render: (site: Site, answer?: A) => string,
): Document => {
  const unasked = rendered((site) => render(site))
  return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
    Effect.flatMap(ask(parseQuery(request.url), request), (answer) =>
      answer === undefined ? unasked : Effect.flatMap(Site, (site) => fixed(types.html, render(site, answer))),
    ),
  )
}

/** A document, with constant or computed text. */
export const documentAt = (
  path: string,
  summary: string,
  type: string,
  text: string | App,
  described?: Partial<RouteDescription & { readonly _tag: "Operation" }>,
): Route => {
  const media = type.split(";")[0]!
  return {
    method: "GET",
    path,
    auth: "none",
    types: [media],
    limit: "requests",
    handler: { _tag: "App", app: typeof text === "string" ? fixed(type, text) : text },
    description: { _tag: "Operation", operation: Fragments.documentOperation(summary, media), ...described },
  }
}

/** Documents that share one operation, the last part of their path being its parameter. */
export const documentsAt = (
  template: string,
  summary: string,
  { name, description, example }: Readonly<Record<"name" | "description" | "example", string>>,
  texts: ReadonlyMap<string, readonly [type: string, text: string | App]>,
): ReadonlyArray<Route> => {
  const media = new Set([...texts.values()].map(([type]) => type.split(";")[0]!))
  const schema = { type: "string", enum: [...texts.keys()] }
  const operation = {
    ...Fragments.documentOperation(summary, ...media),
    parameters: [{ name, in: "path", required: true, description, schema, example }],
  }
  return [...texts].map(([value, [type, text]]) =>
    documentAt(template.replace(`{${name}}`, value), summary, type, text, { operation, template }),
  )
}
