// `npm run docs` writes the types of the HTTP client after a change of the catalogue; a test compares them. The client is
// for browsers too, so that it has the endpoints' types as text and not their schemas, which need all of effect/Schema.
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as Schema from "effect/Schema"
import * as Endpoint from "../../core/endpoint/Endpoint.ts"
import { envelopeFields, Failed } from "../../core/endpoint/EnvelopeSchema.ts"
import { keyed } from "../../core/endpoint/Options.ts"
import * as Shape from "../../core/endpoint/Shape.ts"
import { accountCatalogue } from "../../core/lanes/account/Account.ts"
import { DryRun } from "../../core/lanes/account/dryRun.ts"
import { catalogue } from "../../core/lanes/all.ts"
import { endpoints as record } from "../../core/record/log/endpoints.ts"
import { byKey } from "../../core/text.ts"
import { anonymous, comment, type Named, pascal, priceText, typeOf } from "./clientTypes.ts"
import * as Python from "./pythonClient.ts"

export const file = new URL("../../adapters/client/generated.ts", import.meta.url)

/** Endpoints that answer JSON: the record's leaves are NDJSON. */
export const methods: ReadonlyArray<Endpoint.Any> = [
  ...[...catalogue.entries, ...accountCatalogue.entries].map(({ endpoint }) => endpoint),
  record.checkpoint,
  record.inclusion,
  record.consistency,
]

/** A schema as a named type, whether it has an identifier or not. */
const name = (schema: Schema.Schema.AnyNoContext, fallback: string, named: Named): string => {
  const text = typeOf(Shape.of(schema), named)
  if (named.has(text)) return text
  named.set(fallback, text)
  return fallback
}

const typed = (endpoint: Endpoint.Any, named: Named): string => {
  const params = name(endpoint.params, `${pascal(endpoint.id)}Params`, named)
  const results = name(endpoint.results, pascal(endpoint.id), named)
  return `${comment(`${endpoint.summary}.`, priceText(endpoint, "List price "))}readonly ${endpoint.id}: TypedEndpoint<${params}, ${results}, "${endpoint.auth}">`
}

/** The part of an endpoint that a request is made of. */
const row = (endpoint: Endpoint.Any): string => {
  const { id, path, auth, priceMicros, status } = endpoint
  const method = Endpoint.methodOf(endpoint)
  return `${id}: ${JSON.stringify({
    id,
    path,
    auth,
    priceMicros,
    ...(method === "GET" ? {} : { method }),
    ...(status === "development" ? { status } : {}),
  })}`
}

const declaration = ([name, text]: readonly [string, string]): string =>
  `${text.startsWith("{") ? `export interface ${name} ${text}` : `export type ${name} = ${text}`}\n`

const table = (named: Named): string =>
  [
    "/** The endpoints that answer JSON, by id. */",
    `export interface Endpoints {\n${methods.map((each) => typed(each, named)).join("\n")}\n}`,
    "",
    `export const endpoints: Endpoints = {\n${methods.map(row).join(",\n")}\n}`,
    "",
  ].join("\n")

/** The text of the file, from the catalogue. */
export const written = (): string => {
  const named: Named = new Map()
  const endpoints = table(named)
  const others = { EnvelopeFields: Schema.Struct(envelopeFields), CommonOptions: keyed, DryRun, ErrorBody: Failed }
  // `Error` is a class of every platform.
  for (const [name, schema] of Object.entries(others)) named.set(name, anonymous(Shape.of(schema), named))
  return [
    "// Written by `npm run client` from the endpoints' schemas. Do not edit.",
    'import type { TypedEndpoint } from "./endpointTypes.ts"',
    "",
    ...[...named].sort(byKey).map(declaration),
    endpoints,
  ].join("\n")
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, text] of [
    [file, written()],
    [Python.file, Python.written(methods)],
  ] as const) {
    // An unchanged file keeps its time, by which others know whether they are up to date.
    if (!existsSync(path) || readFileSync(path, "utf8") !== text) writeFileSync(path, text)
  }
}
