import { display } from "../../core/account/Money.ts"
import * as Endpoint from "../../core/endpoint/Endpoint.ts"
import type { JsonSchema } from "../../core/endpoint/jsonSchema.ts"
import { fillTemplate } from "../../core/endpoint/path.ts"
import * as Shape from "../../core/endpoint/Shape.ts"
import { type Code, codeNames, codes } from "../../core/Failure.ts"
import { ifDefined } from "../../core/ifDefined.ts"
import { manageScope } from "../../core/rights/Rights.ts"
import {
  codesOf as codesOfStatus,
  failureName,
  type Header,
  headersOf,
  limitHeaders,
  local,
  ofDeprecated,
  ref,
} from "./components.ts"
import { type DocumentedOperation, json, type Surface } from "./schemas.ts"

type Json = Readonly<Record<string, unknown>>

const always: ReadonlyArray<Code> = [
  "invalid_parameter",
  "not_found",
  "method_not_allowed",
  "not_acceptable",
  "request_timeout",
  "payload_too_large",
  "uri_too_long",
  "headers_too_large",
  "rate_limit_exceeded",
  "internal_error",
  "storage_unavailable",
]

/** Codes of a lane's data source. */
const provided: ReadonlyArray<Code> = ["data_freshness_stale", "data_provider_unavailable", "upstream_unavailable"]

const keyed: ReadonlyArray<Code> = [
  "missing_authorization",
  "invalid_api_key_format",
  "invalid_api_key",
  "insufficient_scope",
  "account_suspended",
  "agent_paused",
  "idempotency_in_progress",
  "idempotency_key_reused",
  "account_rate_limited",
]

/** Codes that the admin API never answers: it has no rate limit and always answers JSON. */
const neverOperator: ReadonlySet<Code> = new Set(["not_acceptable", "rate_limit_exceeded"])

const ownCodes = ({ params }: Endpoint.AnyOperation): ReadonlyArray<Code> =>
  Shape.fieldsOf(params).flatMap(({ shape }) => shape.code ?? [])

/** Tags of operations that read no source. */
const free: ReadonlySet<string> = new Set(["account", "proof", manageScope])

/** Every code that an endpoint can answer, in the order of the table. */
export const possibleCodes = ({ endpoint, tag }: DocumentedOperation<Endpoint.AnyOperation>): ReadonlyArray<Code> => {
  const codes = new Set<Code>([
    ...(Endpoint.isSold(endpoint)
      ? [
          ...always,
          ...(free.has(tag) ? [] : provided),
          ...(Endpoint.isKeyless(endpoint) ? [] : keyed),
          ...(Endpoint.charge(endpoint) === 0 ? [] : ([...codesOfStatus(402), "agent_budget_exceeded"] as const)),
        ]
      : [
          ...always.filter((code) => !neverOperator.has(code)),
          "missing_authorization" as const,
          "invalid_api_key" as const,
        ]),
    ...(Endpoint.hasBody(endpoint) ? (["invalid_request_body"] as const) : []),
    ...ownCodes(endpoint),
  ])
  return codeNames.filter((code) => codes.has(code))
}

const parameter = (
  place: "path" | "query",
  example: Json,
  required: ReadonlyArray<string>,
  [name, { description, ...schema }]: [string, JsonSchema],
): Json => ({
  name,
  in: place,
  required: required.includes(name),
  ...ifDefined("description", description),
  ...(schema["type"] === "array" ? { style: "form", explode: false } : {}),
  schema: local(schema),
  ...(example[name] === undefined ? {} : { example: example[name] }),
})

/** An endpoint, or an operation of the document, with the parameters of one call. */
export interface Call extends Pick<Endpoint.Any, "id" | "auth"> {
  readonly method?: string
  readonly path: string
  readonly example: unknown
}

/** The request target of a call; for a POST, whose parameters are its body, the path. */
export const exampleTarget = ({ path, example, method }: Call): string => {
  if (method === "POST") return path
  const given = Object.entries(example as Json).map(([name, value]) => [name, String(value)] as const)
  return fillTemplate(path, Object.fromEntries(given))
}

export const curl = (call: Call, baseUrl: string): string =>
  [
    "curl",
    ...(call.auth === "key" ? ['-H "Authorization: Bearer $MARKET_SIGNALS_KEY"'] : []),
    ...(call.method === "DELETE" ? ["-X DELETE"] : []),
    ...(call.method === "POST" ? ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(call.example)}'`] : []),
    `"${baseUrl}${exampleTarget(call)}"`,
  ].join(" ")

/** The same for pages, where the address and the key then stand on lines of their own. */
export const curlOnPage = (call: Call, baseUrl: string): string =>
  curl(call, baseUrl).replace(/^curl (-.*) ("http.*")$/, "curl $2 $1")

const makeContent = ({ endpoint, answer, types }: DocumentedOperation<Endpoint.AnyOperation>): Json => {
  const rows = Endpoint.isSold(endpoint) ? endpoint.rows : undefined
  const text: Readonly<Record<string, string>> = {
    "text/csv": `A header line, then one line per item of \`${rows}\`.`,
    "application/x-ndjson": `One JSON object per line, an item of \`${rows}\`.`,
    "text/plain": "The same as a signed note (c2sp.org/signed-note).",
  }
  return Object.fromEntries(
    types.map((type) => [
      type,
      {
        schema: type === json ? ref("schemas", answer) : { type: "string", description: text[type] },
      },
    ]),
  )
}

const answeredHeaders = (endpoint: Endpoint.Any): ReadonlyArray<Header> => [
  "X-Request-Id",
  ...limitHeaders,
  "Cache-Control",
  ...(endpoint.kind === "Signal" ? [] : (["ETag"] as const)),
  ...(Endpoint.isKeyless(endpoint) ? [] : (["X-Idempotent-Replay"] as const)),
  ...(Endpoint.charge(endpoint) === 0 ? [] : (["Payment-Response"] as const)),
  ...(endpoint.rows === undefined ? [] : (["X-Charged-Micros", "X-Next-Cursor", "Link"] as const)),
  ...(endpoint.deprecation === undefined ? [] : ([...ofDeprecated, "Link"] as const)),
]

const priceOf = (endpoint: Endpoint.Any): string =>
  endpoint.status === "development"
    ? `In development: list price ${display(endpoint.priceMicros)}, not charged.`
    : `Price per call: ${display(endpoint.priceMicros)}.`

const soldFacts = (endpoint: Endpoint.Any, baseUrl: string) => {
  const { deprecation } = endpoint
  return {
    description: [
      `${endpoint.kind}. ${priceOf(endpoint)}`,
      ...(deprecation === undefined
        ? []
        : [`Deprecated since ${deprecation.since}, removed after ${deprecation.sunset}.`]),
    ].join(" "),
    ...(deprecation === undefined ? {} : { deprecated: true, "x-sunset": deprecation.sunset }),
    "x-kind": endpoint.kind,
    "x-status": endpoint.status ?? "live",
    "x-price-micros": endpoint.priceMicros,
    "x-charged-micros": Endpoint.charge(endpoint),
    curl: curl(endpoint, baseUrl),
  }
}

const security = { key: [{ apiKey: [] }], none: [], operator: [{ adminToken: [] }] } as const

interface ParamsSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
}

/** The body of an admin request: the parameters that are not in the path. */
const adminBody = (inPath: ReadonlySet<string>, { properties = {}, required = [] }: ParamsSchema): Json => {
  const fields = Object.entries(properties).filter(([name]) => !inPath.has(name))
  const needed = required.filter((name) => !inPath.has(name))
  const shape = { properties: Object.fromEntries(fields), required: needed, additionalProperties: false }
  const schema = local({ type: "object", ...shape })
  return { required: needed.length > 0, content: { "application/json": { schema } } }
}

/** The operation of an endpoint, sold or admin. */
export const operation = (
  described: DocumentedOperation<Endpoint.AnyOperation>,
  { schemas }: Pick<Surface, "schemas">,
  baseUrl: string,
): Json => {
  const { endpoint, input, tag } = described
  const params = schemas.get(input)! as ParamsSchema
  const { properties = {}, required = [] } = params
  const isBody = Endpoint.hasBody(endpoint)
  const inPath = Endpoint.pathParamNames(endpoint)
  const all = possibleCodes(described)
  const sold = Endpoint.isSold(endpoint) ? endpoint : undefined
  const isCached = sold !== undefined && sold.kind !== "Signal" && Endpoint.methodOf(sold) === "GET"
  const { curl: sample, ...facts } = sold === undefined ? {} : soldFacts(sold, baseUrl)
  const example = (sold?.example ?? {}) as Json
  const parameters = [
    ...Object.entries(properties)
      .filter(([name]) => inPath.has(name) || !isBody)
      .map((each) => parameter(inPath.has(each[0]) ? "path" : "query", example, required, each)),
    ...(endpoint.auth === "key" ? [ref("parameters", "IdempotencyKey")] : []),
    ...(sold !== undefined && Endpoint.charge(sold) > 0 ? [ref("parameters", "PaymentSignature")] : []),
    ...(isCached ? [ref("parameters", "IfNoneMatch")] : []),
  ]
  const posted = sold && { schema: ref("schemas", input), example }
  const requestBody = !isBody
    ? undefined
    : posted !== undefined
      ? { required: true, content: { "application/json": posted } }
      : Object.keys(properties).every((name) => inPath.has(name))
        ? undefined
        : adminBody(inPath, params)
  return {
    operationId: endpoint.id,
    tags: [tag],
    summary: endpoint.summary,
    ...facts,
    "x-error-codes": all,
    ...(sample === undefined ? {} : { "x-codeSamples": [{ lang: "Shell", label: "curl", source: sample }] }),
    security: security[endpoint.auth],
    parameters,
    ...ifDefined("requestBody", requestBody),
    responses: {
      [endpoint.success ?? 200]: {
        description: endpoint.summary,
        headers: headersOf(sold === undefined ? ["X-Request-Id", "Cache-Control"] : answeredHeaders(sold)),
        content: makeContent(described),
      },
      ...(isCached ? { 304: ref("responses", "NotModified") } : {}),
      ...Object.fromEntries(
        [...new Set(all.map((code) => codes[code].status))].map((each) => [each, ref("responses", failureName(each))]),
      ),
    },
  }
}
