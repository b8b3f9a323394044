import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Running } from "../../../support/running.ts"
import { reading, site, startSite } from "./site.ts"

let running: Running
beforeAll(async () => {
  running = await startSite()
}, 120_000)
afterAll(() => running.stop())

const { text } = reading(() => running)

/** What strangers ask who have the address of a server alone: the page, and a sentence on it that answers. */
const questions: ReadonlyArray<readonly [question: string, page: string, answer: string | RegExp]> = [
  [
    "What is it, and what does it cost?",
    "quickstart",
    /A paid call costs 0\.001 USD to 0\.01 USD, taken from a prepaid/,
  ],
  [
    "How do I make the first call?",
    "quickstart",
    /curl -H "Authorization: Bearer svk_test_\w+" "https:\/\/api\.example/,
  ],
  [
    "How do I get a key of my own?",
    "quickstart",
    "says how to get an account on this server. With one, create keys on",
  ],
  ["How do I connect Claude Desktop?", "mcp", "Claude Desktop and others start a command instead."],
  ["How do I connect Cursor or Claude Code?", "mcp", `"url": "${site}/mcp"`],
  ["Can ChatGPT or claude.ai connect?", "mcp", "cannot connect yet: their connectors sign in by OAuth alone"],
  [
    "Is there a Python client?",
    "python",
    "Each endpoint is a method named by its id, with its parameters as keywords.",
  ],
  ["Are there TypeScript types?", "typescript", "its types are written from the endpoints' schemas"],
  ["What are the rate limits?", "limits", /indie 60 studio 600 pro 6,000 enterprise by agreement/],
  [
    "How do I retry without paying twice?",
    "money",
    "Send Idempotency-Key with a UUIDv4 of your own beside your API key.",
  ],
  ["How do I cap what an agent may spend?", "money", "with a cap for the month and one in total"],
  ["How do I pay by x402?", "x402", "repeat the call with it in the header PAYMENT-SIGNATURE"],
  ["Which day is today?", "time", "midnight to midnight in local standard time, also in summer"],
  ["What if a report is corrected?", "corrections", "A correction is a new version, never an edit."],
  ["Which venue series does a station map to?", "time", "lists the stations with settles, the venues' series of each"],
  ["How am I told when a report is out?", "webhooks", "/v1/weather/settlement?station=KNYC when a report is issued or"],
  ["Where do I download all history?", "paging", "/scoreboard/settled.csv, .json, .ndjson and .parquet; free, without"],
  ["Is this real data?", "quickstart", "Demo and test keys always get generated data."],
  ["Does the model win?", "quickstart", "compares our models with the market on every settled contract, misses"],
  ["How do I enter a model of my own?", "own-models", "/v1/bench/opinions --data"],
  ["How do I bench my model on past data?", "own-models", "on downloaded rows, without an account"],
  ["May I resell the data?", "data-terms", "Products of the National Weather Service are in the public domain: yes."],
  ["How do I mount it in my server?", "embedding", "makeListener of market-signals/http gives a listener of node:http"],
  ["Which Effect does the library need?", "embedding", "effect@3"],
]

const marks: Readonly<Record<string, string>> = { quot: '"', lt: "<", gt: ">", amp: "&" }

/** What a page says, without its list at the side. */
const said = (html: string): string =>
  html
    .replace(/^[\s\S]*<\/nav><div>/, "")
    .replace(/<\/?(code|span|i|strong|a|wbr)\b[^>]*>/g, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/&(\w+);/g, (_, name: string) => marks[name]!)
    .replace(/\s+/g, " ")

describe("the questions of strangers are answered by the server", () => {
  it.each(questions)("%s (%s)", async (_, page, answer) => {
    const words = said(await text(`/docs/guides/${page}`))
    if (typeof answer === "string") assert.include(words, answer)
    else assert.match(words, answer)
  })

  it("and all of it stands in the full reference for language models, under links in the brief one", async () => {
    const [brief, full] = [await text("/llms.txt"), await text("/llms-full.txt")]
    for (const page of new Set(questions.map(([, page]) => page))) {
      const title = /<h1>([^<]*)<\/h1>/.exec(await text(`/docs/guides/${page}`))![1]!
      assert.include(full, `\n## ${title}\n`)
      assert.include(brief, `(${site}/docs/guides/${page})`)
    }
  })
})
