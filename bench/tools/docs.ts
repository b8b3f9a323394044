// `npm run docs` writes the derived parts of the documents and .env.example anew; a test compares them.
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as Mcp from "../../adapters/describe/clients.ts"
import { display } from "../../core/account/Money.ts"
import * as Catalogue from "../../core/endpoint/Catalogue.ts"
import { catalogue } from "../../core/lanes/all.ts"
import { groups } from "../../services/config/variables.ts"
import { fieldNames } from "../open/compare/Task.ts"
import { baseballQuestion } from "../open/lanes/baseball/task.ts"
import { cryptoQuestion } from "../open/lanes/crypto/task.ts"
import { footballQuestion } from "../open/lanes/football/task.ts"
import { marketsQuestion } from "../open/lanes/markets/task.ts"
import { weatherQuestion } from "../open/lanes/weather/task.ts"
import { card, restatedBars, weatherSameDay } from "./cards.ts"
import { envExample } from "./envExample.ts"
import { mathTable } from "./mathTable.ts"
import { entryText } from "./registry.ts"

const root = new URL("../../", import.meta.url)

/** The price list as a Markdown table. */
const endpoints = (): string => {
  const rows = catalogue.entries.map(({ endpoint }) => {
    const price = `${display(endpoint.priceMicros)}${endpoint.status === "development" ? " list, in development" : ""}`
    const path = `\`${(endpoint.method ?? "GET") === "GET" ? "" : `${endpoint.method} `}${endpoint.path}\``
    return `| ${path} | ${endpoint.summary} | ${endpoint.kind} | ${price} | ${endpoint.auth === "key" ? "key" : "none"} |`
  })
  const { endpoints: total, free, lowestPaidMicros } = Catalogue.counts(catalogue)
  return [
    "| Call | Answers | Kind | Price per call | Auth |",
    "|---|---|---|---|---|",
    ...rows,
    "",
    `${total} endpoints in service, ${free} of them free; the lowest paid call is ${display(lowestPaidMicros)}.`,
  ].join("\n")
}

/** The environment variables as Markdown tables. */
const variables = (): string =>
  groups
    .map(({ title, variables }) =>
      [
        `### ${title}`,
        "",
        "| Variable | Default | Meaning |",
        "|---|---|---|",
        ...variables.map(({ name, defaultText = "", meaning }) => `| \`${name}\` | ${defaultText} | ${meaning} |`),
      ].join("\n"),
    )
    .join("\n\n")

const [server, key] = ["http://127.0.0.1:8080", "svk_live_..."]

/** The settings of MCP clients as blocks of JSON. */
const mcp = {
  stdio: () => Mcp.overStdio(server, key),
  http: () => Mcp.overHttp(server, key),
  store: () => Mcp.onStore("/path/to/var/market-signals.db", key),
}
const settingsOf = (way: keyof typeof mcp) => () => `\n\`\`\`json\n${Mcp.settingsText(mcp[way]())}\n\`\`\`\n`

/** Installs the library beside what its entries import. */
const install = () => {
  const { dependencies } = JSON.parse(read("package.json"))
  const minor = (name: string): string => `${name}@${dependencies[name].replace(/\.\d+$/, "")}`
  const packages = [
    Mcp.installable(server).npm,
    "effect@3",
    ...["@effect/platform", "@effect/platform-node"].map(minor),
  ]
  return `\n\`\`\`sh\nnpm install --omit=optional ${packages.join(" ")}\n\`\`\`\n`
}

const questions = {
  crypto: cryptoQuestion,
  football: footballQuestion,
  baseball: baseballQuestion,
  weather: weatherQuestion,
  markets: marketsQuestion,
}

/** A row for each lane of the open bench with the fields of its questions. */
const questionTable = () =>
  ["| Lane | Question |", "| --- | --- |"]
    .concat(Object.entries(questions).map(([lane, fields]) => `| \`${lane}\` | \`${fieldNames(fields)}\` |`))
    .join("\n")

/** The derived blocks by the document that has them. */
export const documents: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  "README.md": { endpoints, mcp: settingsOf("stdio") },
  "adapters/describe/guides/mcp.md": { stdio: settingsOf("stdio"), http: settingsOf("http") },
  "adapters/server/mcp/README.md": { store: settingsOf("store") },
  "services/README.md": { variables },
  "bench/open/README.md": { questions: questionTable },
  "core/README.md": { install },
  "core/math/README.md": { functions: mathTable },
  "core/lanes/football/README.md": { football: card(["football"], "the games of a week"), bars: restatedBars },
  "core/lanes/baseball/README.md": { baseball: card(["baseball"], "the games of a day") },
  "core/lanes/crypto/README.md": {
    crypto: card(
      ["crypto-ETH", "crypto-BTC", "crypto-ETH-2024", "crypto-BTC-2023"],
      "the questions of a day (of two, for 24 hours ahead)",
    ),
  },
  "core/lanes/weather/README.md": {
    weather: card(["weather"], "the days of a week, all stations' together,"),
    "same day": weatherSameDay,
  },
}

export const read = (file: string): string => readFileSync(new URL(file, root), "utf8")

/** A document with its derived blocks rewritten. */
export const written = (file: string): string =>
  Object.entries(documents[file]!).reduce((out, [name, block]) => {
    const [open, close] = [`<!-- ${name}: written by npm run docs -->`, `<!-- /${name} -->`]
    const [start, end] = [out.indexOf(open), out.indexOf(close)]
    if (start === -1 || end < start) throw new Error(`${file} has no block ${name}.`)
    return `${out.slice(0, start + open.length)}\n${block()}\n${out.slice(end)}`
  }, read(file))

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const file of Object.keys(documents)) writeFileSync(new URL(file, root), written(file))
  writeFileSync(new URL(".env.example", root), envExample())
  writeFileSync(new URL("server.json", root), entryText())
}
