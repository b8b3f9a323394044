import * as Arr from "effect/Array"
import * as Option from "effect/Option"
import { demoKey } from "../../core/account/ApiKey.ts"
import { replyLifetimeMs } from "../../core/account/decide.ts"
import { display } from "../../core/account/Money.ts"
import * as Tier from "../../core/account/Tier.ts"
import * as Catalogue from "../../core/endpoint/Catalogue.ts"
import * as Endpoint from "../../core/endpoint/Endpoint.ts"
import * as Options from "../../core/endpoint/Options.ts"
import { rule } from "../../core/endpoint/rule.ts"
import * as Select from "../../core/endpoint/Select.ts"
import * as Shape from "../../core/endpoint/Shape.ts"
import { codeNames, codes } from "../../core/Failure.ts"
import { wallet } from "../../core/lanes/account/endpoints.ts"
import { maxCalls, planEstimate } from "../../core/lanes/account/plan.ts"
import * as Release from "../../core/release.ts"
import { capitalize } from "../../core/text.ts"
import { hour } from "../../core/time.ts"
import * as Clients from "./clients.ts"
import { type Figures, sentences } from "./figures.ts"
import { type Guide, inProse } from "./guides.ts"
import type { DocumentSite } from "./manifests.ts"
import { nextCall } from "./nextCall.ts"
import { mcpPointer } from "./openapi.ts"
import { curl } from "./operation.ts"
import {
  capabilitiesPath,
  errorsPath,
  groupDocsPath,
  llmsFullTxtPath,
  openapiPath,
  schemaChangelogPath,
  schemasPath,
} from "./paths.ts"
import { type DocumentedOperation, schemaPath } from "./schemas.ts"

const priceText = (endpoint: Endpoint.Any): string =>
  endpoint.status === "development"
    ? `${display(endpoint.priceMicros)} list, in development`
    : display(endpoint.priceMicros)

const summaryLines = ({ catalogue, freshness }: DocumentSite, figures: Figures): ReadonlyArray<string> => {
  const { endpoints, free, lowestPaidMicros } = Catalogue.counts(catalogue)
  const mock = Object.entries(freshness).flatMap(([lane, mode]) => (mode === "live" ? [] : [lane]))
  return [
    `${endpoints} endpoints, ${free} of them free; the lowest paid call is ${display(lowestPaidMicros)}.`,
    ...(sentences(figures).length === 0 ? [] : [`Counts: ${sentences(figures).join(", ")}.`]),
    ...(mock.length === 0
      ? []
      : [`Generated data for: ${mock.join(", ")} (\`_meta.data_freshness\` on every answer).`]),
  ]
}

const headerLines = (site: DocumentSite, figures: Figures): ReadonlyArray<string> => [
  `# ${Release.name}`,
  "",
  `> ${Release.description}`,
  "",
  ...summaryLines(site, figures),
  "",
  "- Send `Authorization: Bearer <API key>`. `svk_test_…` keys answer mock data for free; `svk_live_…` keys are charged per successful call. Endpoints marked keyless need no key.",
  `- Price before you pay: \`dry_run=true\` quotes one call, \`POST ${planEstimate.path}\` up to ${maxCalls}. A call that the wallet cannot pay is a 402 with \`error.quote\`: its \`accepts\` lists x402 payment terms; repeat the call with a signed payment in the header \`PAYMENT-SIGNATURE\`. \`GET ${wallet.path}\` lists all ways to pay.`,
  `- With \`Idempotency-Key\` (UUIDv4) a repeated call is charged once in ${replyLifetimeMs / hour} hours.`,
  "- Every failure has `error.code`, `error.recoverable` and `error.hints`, which name the field to fix. Failed calls are free.",
  "- `fields=a.b,c` selects fields, `verbose=true` adds provenance. Lists: `cursor` and `_meta.next_cursor`; CSV or NDJSON by `Accept`.",
  "",
]

const link = (name: string, url: string, notes: string): string => `- [${name}](${url}): ${notes}`

/** `/llms.txt`, in the llmstxt.org format. */
export const llmsTxt = (site: DocumentSite, guides: ReadonlyArray<Guide>, figures: Figures): string => {
  const { baseUrl, surface } = site
  const byLane = Arr.groupBy(surface.endpoints, ({ tag }) => tag)
  return [
    ...headerLines(site, figures),
    "## Documents",
    "",
    link(
      "Full reference",
      baseUrl + llmsFullTxtPath,
      "the guides, and every endpoint with parameters, fields and errors",
    ),
    link("OpenAPI 3.1", baseUrl + openapiPath, "machine-readable description of every route"),
    link("Agent manifest", baseUrl + capabilitiesPath, "tools, prices, schemas and examples in one small JSON"),
    ...(site.mcp === undefined
      ? []
      : [link("MCP", `${baseUrl}${mcpPointer}`, "the endpoints as tools of the Model Context Protocol")]),
    ...(site.served?.(Clients.path) === true
      ? [
          link(
            "Install",
            baseUrl + Clients.path,
            "a line for each client, and this server's own package, bridge and wheel",
          ),
        ]
      : []),
    link("JSON Schemas", baseUrl + schemasPath, "of every resource, with their version and changelog"),
    link("Errors", baseUrl + errorsPath, "meaning and remedy of every code"),
    "",
    "## Guides",
    "",
    ...guides.map(({ title, path, summary }) => link(title, baseUrl + path, summary)),
    "",
    ...Object.entries(byLane).flatMap(([lane, all]) => [
      `## ${capitalize(lane)}`,
      "",
      ...all.map(({ endpoint }) =>
        link(
          `${Endpoint.methodOf(endpoint)} ${Endpoint.pathTemplate(endpoint)}`,
          `${baseUrl}${groupDocsPath(lane)}#${endpoint.id}`,
          `${endpoint.summary}. ${priceText(endpoint)}${endpoint.auth === "none" ? ", keyless" : ""}`,
        ),
      ),
      "",
    ]),
    "## Optional",
    "",
    link("Changelog of the schemas", baseUrl + schemaChangelogPath, "versions and deprecations"),
    "",
  ].join("\n")
}

const parameterLines = (endpoint: Endpoint.Any): ReadonlyArray<string> =>
  Shape.fieldsOf(endpoint.params).map(({ name, shape, isOptional, standard }) => {
    const notes = [
      isOptional ? "optional" : "required",
      rule(shape, Endpoint.hasBody(endpoint) ? "json" : "text"),
      ...Option.match(standard(), { onNone: () => [], onSome: (value) => [`default ${JSON.stringify(value)}`] }),
    ]
    return `- \`${name}\` (${notes.join(", ")}): ${shape.description ?? ""}`.trimEnd()
  })

const section = ({ endpoint, answer }: DocumentedOperation, { baseUrl }: DocumentSite): ReadonlyArray<string> => {
  const parameterList = parameterLines(endpoint)
  const { paths } = Select.compile(endpoint.results)
  return [
    `### ${Endpoint.methodOf(endpoint)} ${Endpoint.pathTemplate(endpoint)}`,
    "",
    `${endpoint.summary}. ${endpoint.kind}, ${priceText(endpoint)}, ${endpoint.auth === "none" ? "keyless" : "key"}. Schema: ${baseUrl}${schemaPath(answer)}`,
    "",
    ...(parameterList.length === 0 ? ["No parameters of its own.", ""] : ["Parameters:", "", ...parameterList, ""]),
    `Fields: ${paths.map((each) => `\`${each}\``).join(", ")}`,
    "",
    "```sh",
    curl(endpoint, baseUrl),
    "```",
    "",
  ]
}

const errorLines = (heading: string): ReadonlyArray<string> => [
  `${heading} Errors`,
  "",
  ...codeNames.map((code) => {
    const { status, recoverable, message, docs } = codes[code]
    return `- \`${code}\` (${status}, ${recoverable ? "recoverable" : "not recoverable"}): ${message} ${docs} Next: GET ${nextCall(code).path}`
  }),
  "",
]

/** The error table alone. */
export const errors: string = errorLines("#").join("\n")

/** The section on clients; empty if this server serves none. */
const clientLines = ({ baseUrl, surface, served }: DocumentSite): ReadonlyArray<string> => {
  if (served?.(Clients.path) !== true) return []
  const call = surface.endpoints.find(({ endpoint }) => endpoint.kind === "Signal")?.endpoint
  return [
    "## Clients",
    "",
    ...Clients.clients({ baseUrl, key: demoKey, call, served }).flatMap(({ name, about, install, text, lang }) => [
      `### ${name}`,
      "",
      about,
      "",
      ...(install === undefined ? [] : ["```sh", install, "```", ""]),
      `\`\`\`${lang}`,
      text,
      "```",
      "",
    ]),
  ]
}

/** A guide: its headings a level lower, its links absolute; links to paths that are not served become plain text. */
const guideSection = ({ text }: Guide, { baseUrl, served = () => true }: DocumentSite): string =>
  inProse(text, (prose) =>
    prose
      .replace(/^#/gm, "##")
      .replace(/\[([^\]]*)\]\((\/[^)#]*)([^)]*)\)/g, (_, words: string, path: string, anchor: string) =>
        served(path) ? `[${words}](${baseUrl}${path}${anchor})` : words,
      ),
  ).trimEnd()

/** `/llms-full.txt`: the guides and the whole reference. */
export const llmsFullTxt = (site: DocumentSite, guides: ReadonlyArray<Guide>, figures: Figures): string =>
  [
    ...headerLines(site, figures),
    ...clientLines(site),
    ...guides.flatMap((guide) => [guideSection(guide, site), ""]),
    "## Endpoints",
    "",
    ...site.surface.endpoints.flatMap((each) => section(each, site)),
    "## Options of every call",
    "",
    "- `fields`: allow-list of dotted paths relative to `results`, applied to each element of arrays; `*` is the full shape.",
    "- `verbose`: the full shape, with provenance and quality flags.",
    `- \`include\`: any of ${Options.extras.map((name) => `\`${name}\``).join(", ")}.`,
    "- `dry_run`: check and quote the call; nothing is computed or charged.",
    "",
    ...errorLines("##"),
    "## Limits",
    "",
    `Calls a minute by tier: ${Object.entries(Tier.tiers)
      .map(([tier, calls]) => `${tier} ${calls?.toLocaleString("en-US") ?? "by agreement"}`)
      .join(
        ", ",
      )}. \`X-RateLimit-Reset\` is the seconds until the full limit is available again; a 429 has \`retry_after_ms\`.`,
    "",
    "## Not offered",
    "",
    `Paths that answer 410: ${Catalogue.notOffered.map((path) => `\`${path}\``).join(", ")}.`,
    "",
  ].join("\n")
