// `npm run docs` writes the derived parts of the README after a change of the catalogue; a test compares them.
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { display } from "../../core/account/Money.ts"
import * as Catalogue from "../../core/endpoint/Catalogue.ts"
import { catalogue } from "../../core/lanes/all.ts"
import { envExample } from "./envExample.ts"

const readme = new URL("../../README.md", import.meta.url)

/** The price list as a Markdown table. */
const endpoints = (): string => {
  const rows = catalogue.entries.map(({ endpoint }) => {
    const price = `${display(endpoint.priceMicros)}${endpoint.status === "development" ? " list, in development" : ""}`
    const path = `\`${endpoint.path}\``
    return `| ${path} | ${endpoint.summary} | ${endpoint.kind} | ${price} | ${endpoint.auth === "key" ? "key" : "none"} |`
  })
  const { endpoints: total, free, lowestPaidMicros } = Catalogue.counts(catalogue)
  return [
    "| GET | Answers | Kind | Price per call | Auth |",
    "|---|---|---|---|---|",
    ...rows,
    "",
    `${total} live endpoints, ${free} of them free; the lowest paid call is ${display(lowestPaidMicros)}.`,
  ].join("\n")
}

const blocks: Readonly<Record<string, () => string>> = { endpoints }

/** The README with all derived blocks rewritten. */
export const written = (text: string): string =>
  Object.entries(blocks).reduce((out, [name, block]) => {
    const [open, close] = [`<!-- ${name}: written by npm run docs -->`, `<!-- /${name} -->`]
    const [start, end] = [out.indexOf(open), out.indexOf(close)]
    if (start === -1 || end < start) throw new Error(`README.md has no block ${name}.`)
    return `${out.slice(0, start + open.length)}\n${block()}\n${out.slice(end)}`
  }, text)

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(readme, written(readFileSync(readme, "utf8")))
  writeFileSync(new URL("../../.env.example", import.meta.url), envExample())
}
