import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Running } from "../../../support/running.ts"
import { reading, startSite } from "./site.ts"

let running: Running
beforeAll(async () => {
  running = await startSite()
}, 120_000)
afterAll(() => running.stop())

const { text } = reading(() => running)

const search = (question: string) => text(`/docs/search?${new URLSearchParams({ q: question })}`)

const listed = (html: string): ReadonlyArray<string> =>
  [
    ...html
      .replace(/^.*<ul class="results">/s, "")
      .replace(/<.ul>.*$/s, "")
      .matchAll(/<li><a href="([^"]+)">/g),
  ].map(([, to]) => to!)

/** Questions as people ask them, with the page that answers them. */
const questions: ReadonlyArray<readonly [question: string, page: string]> = [
  ["python", "/docs/guides/python"],
  ["how do I get a key", "/get-a-key"],
  ["pay with x402", "/docs/guides/x402"],
  ["correction of a report", "/docs/guides/corrections#a-corrected-report"],
  ["history csv", "/scoreboard"],
  ["refund", "/dashboard/wallet"],
  ["MCP Claude Desktop", "/docs/guides/mcp#connect-a-client"],
  ["NYC high temperature", "/forecasts"],
  ["Kalshi ticker", "/docs/markets#markets_edge"],
  ["uptime status", "/status"],
  ["SLA", "/status"],
  ["typescript client", "/docs/guides/typescript"],
  ["dataframe", "/docs/guides/python"],
  ["pagination", "/docs/guides/paging"],
  ["bench my model", "/docs/challenge#bench_models"],
  ["stream", "/docs/guides/webhooks#the-stream"],
  ["timezone", "/docs/guides/time"],
  ["What does it cost?", "/"],
  ["How do I make the first call?", "/docs/guides/quickstart#your-first-call"],
  ["Connect ChatGPT", "/docs/guides/mcp#chatgpt-and-claudeai"],
  ["Cursor or Claude Code", "/dashboard/connect"],
  ["rate limits", "/docs/guides/limits"],
  ["Retry without paying twice", "/docs/guides/money#retry-without-paying-twice"],
  ["idempotency", "/errors/idempotency_key_reused"],
  ["Cap what an agent may spend", "/docs/guides/money#cap-what-an-agent-may-spend"],
  ["Which venue series does a station map to?", "/docs/guides/time#which-venue-series-does-a-station-map-to"],
  ["Be told when a report is out", "/dashboard/alerts"],
  ["Download all history", "/docs/guides/paging#download-all-history"],
  ["Does the model win?", "/scoreboard"],
  ["verify a webhook signature", "/docs/guides/webhooks#verify-a-delivery"],
  ["insufficient funds", "/errors/insufficient_funds"],
  ["429 too many requests", "/docs/guides/limits#calls-a-minute"],
  ["May I resell the data?", "/docs/guides/data-terms#may-i-resell-the-data"],
  ["embed in my own program", "/docs/guides/embedding"],
  ["enter my own model", "/docs/guides/own-models"],
  ["official settlement report", "/docs/weather#weather_settlement"],
  ["weather_settlement", "/docs/weather#weather_settlement"],
  ["/v1/weather/settlement", "/docs/weather#weather_settlement"],
  ["charged_micros", "/docs/common#fields"],
  ["dry_run", "/docs/common#common"],
  ["injuries", "/docs/football#nfl_injuries"],
  ["bitcoin price probabilities", "/docs/crypto#crypto_signal"],
  ["wether forcast", "/docs/weather#weather_forecast"],
  ["merkle proof", "/docs/proof#proof_inclusion"],
  ["brier score calibration", "/scoreboard"],
  ["probable pitchers", "/docs/baseball#mlb_games"],
]

describe("the search of the documents", () => {
  it.each(questions)("answers %s among the first three by %s", async (question, page) => {
    const found = listed(await search(question))
    assert.include(found.slice(0, 3), page, found.slice(0, 6).join(" "))
  })

  it("shows twenty at most, each page once, and says when it found nothing", async () => {
    const many = listed(await search("station"))
    assert.isAtMost(many.length, 20)
    assert.strictEqual(new Set(many).size, many.length)
    const nothing = await search("zzzzzz")
    assert.include(nothing, "<h1>Nothing found</h1>")
    assert.lengthOf(listed(nothing), 0)
    assert.lengthOf(listed(await search(" ")), 0)
    for (const word of ["constructor", "valueOf"]) assert.lengthOf(listed(await search(word)), 0, word)
  })

  it("escapes and bounds the question", async () => {
    assert.notInclude(await search(`"><script>alert(1)</script>`), "<script>alert")
    assert.notInclude(await search("a".repeat(4_000)), "a".repeat(101))
  })
})
