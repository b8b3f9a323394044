/** @jsxRuntime automatic @jsxImportSource preact */
import { codeNames, codes } from "../../../core/Failure.ts"
import type { Guide } from "../../describe/guides.ts"
import {
  docsPath,
  errorPath,
  errorsPath,
  getKeyPath,
  groupDocsPath,
  llmsTxtPath,
  openapiPath,
  statusPath,
} from "../../describe/paths.ts"
import type { Site } from "../../server/http/Site.ts"
import { page } from "../view/Page.tsx"
import { type Entry, longest, searchIn } from "../view/search.ts"
import { errorIndex } from "./ErrorPages.tsx"
import { searched, sections } from "./Guide.tsx"
import { findCommon, listRows } from "./reference/Fields.tsx"
import { object } from "./reference/operations.ts"
import { common as commonPage, type Documentation } from "./reference/pages.tsx"

/** Results that are shown. */
const hitsShown = 20

/** Pages that are not documents, with the words that people search them by. */
const places: ReadonlyArray<readonly [path: string, name: string, words: string]> = [
  ["/", "Home", "What it answers, how to make the first call, and what each endpoint costs."],
  [getKeyPath, "Get a key", "The demo key, and how to get an account and an API key of your own."],
  ["/forecasts", "Forecasts", "Today's temperatures of cities, games and assets as probabilities, beside the market."],
  [
    "/scoreboard",
    "Scoreboard",
    "How accurate the models are and whether they win: Brier scores, calibration, track record, challengers. History as CSV and Parquet.",
  ],
  ["/record", "Record", "Verify any prediction: the signed log, its proofs, and corrections of reports."],
  [statusPath, "Status", "Uptime and outages of each lane, and its data sources."],
  ["/dashboard/keys", "Keys", "Create, name and revoke API keys."],
  ["/dashboard/agents", "Agents", "Caps and budgets: how much an agent may spend a month, and in total."],
  ["/dashboard/alerts", "Alerts", "Be told when a report is out, an edge opens or a line moves; a stream of events."],
  ["/dashboard/webhooks", "Webhooks", "URLs that are told of events, and their deliveries."],
  [
    "/dashboard/connect",
    "Connect",
    "MCP for Claude Desktop, Claude Code and Cursor; Python, TypeScript and the command line.",
  ],
  ["/dashboard/playground", "Playground", "Try a call in the browser."],
  ["/dashboard/calls", "Calls", "The log of your requests, with status and price."],
  ["/dashboard/usage", "Usage", "Calls and charges by day, agent and endpoint."],
  ["/dashboard/wallet", "Wallet", "Balance, credits, charges, statement and refunds."],
  ["/dashboard/top-up", "Top up", "Pay by card, or by x402 with a call."],
  [openapiPath, "OpenAPI", "The whole interface for programs and generators of clients."],
  [llmsTxtPath, "llms.txt", "Overview for language models."],
]

const plain = (html: string): string => html.replace(/<[^>]*>|&\w+;/g, " ")

const entry = (kind: Entry["kind"], name: string, words: string, path: string, text = ""): Entry => ({
  ...{ kind, name, words, path, text },
})

/** A guide, and each of its sections, which say what they are part of. */
const inGuide = (guide: Guide): ReadonlyArray<Entry> =>
  sections(guide).map((section) =>
    section.anchor === undefined
      ? entry("guide", guide.title, guide.summary, guide.path, searched(section))
      : entry("guide", section.heading, `In “${guide.title}”.`, `${guide.path}#${section.anchor}`, searched(section)),
  )

const list = ({ reference, guides }: Documentation, site: Site): ReadonlyArray<Entry> => {
  const common = findCommon(reference)
  const said = (value: unknown, where: string) =>
    [value === undefined ? [] : String(value).replaceAll("`", ""), where].flat().join(" · ")
  const endpoints = reference.groups.flatMap((group) =>
    group.operations.flatMap((operation) => {
      const { id, method, path, summary, description, own, micros } = operation
      const [call, to] = [`${method} ${path}`, `${groupDocsPath(group.name)}#${id}`]
      const parts = [
        ...own.map(({ name, description }) => entry("parameter", name, said(description, call), to)),
        ...listRows(reference.schemas, object(operation.answers[0]?.schema), "", [])
          .filter((row) => !common.isField(row))
          .map(({ path, schema }) => entry("field", path, said(schema["description"], call), to)),
      ]
      const text = [description, group.name, ...parts.flatMap(({ name, words }) => [name, words])].join(" ")
      return [entry(micros === undefined ? "document" : "endpoint", call, `${summary} · ${id}`, to, text), ...parts]
    }),
  )
  return [
    ...places.filter(([path]) => site.served(path)).map(([path, name, words]) => entry("page", name, words, path)),
    ...guides.flatMap(inGuide),
    entry("guide", "Errors", "Every error code.", errorsPath, plain(errorIndex(site))),
    ...endpoints,
    ...reference.shared.map(({ name, description }) =>
      entry("parameter", name, said(description, "many operations"), `${commonPage.path}#common`),
    ),
    ...[...common.fields.values()].map(({ path, schema }) =>
      entry("field", path, said(schema["description"], "many answers"), `${commonPage.path}#fields`),
    ),
    ...codeNames.map((name) => {
      const { status, message, docs } = codes[name]
      return entry("error", name, said(message, String(status)), errorPath(name), docs)
    }),
  ]
}

export const path = `${docsPath}/search`

/** The page of the search of a reference, whose index is made at the first question. */
export const searchPage = () => {
  let find: ReturnType<typeof searchIn> | undefined
  return (all: Documentation, site: Site, question = ""): string => {
    if (question !== "") find ??= searchIn(list(all, site))
    const hits = find?.(question) ?? []
    return page(
      { title: "Search", description: "A search of the documentation and the pages.", path, question },
      site,
      <div class="narrow">
        <h1>{question === "" ? "Search" : hits.length === 0 ? "Nothing found" : `Results for “${question}”`}</h1>
        {hits.length === 0 && (
          <p>
            Look for an endpoint, a field, an error or a subject, or go to <a href={docsPath}>the documentation</a>.
          </p>
        )}
        <ul class="results">
          {hits.slice(0, hitsShown).map(({ kind, name, words, path: to }) => (
            <li key={to}>
              <a href={to}>{name}</a> <span class="badge">{kind}</span>
              <p>{words}</p>
            </li>
          ))}
        </ul>
      </div>,
    )
  }
}

/** The question, in the OpenAPI document. */
export const parameter = {
  name: "q",
  in: "query",
  description: "A question, or words of it.",
  schema: { type: "string", maxLength: longest },
  example: "settlement",
}
