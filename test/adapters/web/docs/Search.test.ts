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
  ["python", "/dashboard/connect"],
  ["how do I get a key", "/get-a-key"],
  ["pay with x402", "/dashboard/top-up"],
  ["correction of a report", "/record"],
  ["history csv", "/scoreboard"],
  ["refund", "/dashboard/wallet"],
  ["MCP Claude Desktop", "/dashboard/connect"],
  ["NYC high temperature", "/forecasts"],
  ["Kalshi ticker", "/docs/markets#markets_edge"],
  ["uptime status", "/status"],
  ["SLA", "/status"],
  ["typescript client", "/dashboard/connect"],
  ["dataframe", "/scoreboard"],
  ["pagination", "/docs/calls"],
  ["bench my model", "/docs/challenge#bench_models"],
  ["stream", "/dashboard/alerts"],
  ["timezone", "/docs/weather#weather_settlement"],
  ["What does it cost?", "/"],
  ["How do I make the first call?", "/"],
  ["Connect ChatGPT", "/dashboard/connect"],
  ["Cursor or Claude Code", "/dashboard/connect"],
  ["rate limits", "/errors/rate_limit_exceeded"],
  ["Retry without paying twice", "/docs/money"],
  ["idempotency", "/errors/idempotency_key_reused"],
  ["Cap what an agent may spend", "/dashboard/agents"],
  ["Which venue series does a station map to?", "/docs/weather#weather_stations"],
  ["Be told when a report is out", "/dashboard/alerts"],
  ["Download all history", "/scoreboard"],
  ["Does the model win?", "/scoreboard"],
  ["verify a webhook signature", "/docs/webhooks"],
  ["insufficient funds", "/errors/insufficient_funds"],
  ["429 too many requests", "/errors"],
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
  })

  it("escapes and bounds the question", async () => {
    assert.notInclude(await search(`"><script>alert(1)</script>`), "<script>alert")
    assert.notInclude(await search("a".repeat(4_000)), "a".repeat(101))
  })
})
