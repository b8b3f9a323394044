// Proof: takes five seconds or more.
import { assert, describe, it } from "@effect/vitest"
import { usd } from "../../../../../core/account/Money.ts"
import { codes } from "../../../../../core/Failure.ts"
import { sum } from "../../../../support/accounts.ts"
import { charges, ndjson, owner, rowsOf, startTraffic, stranger, turn, written } from "./traffic.ts"

startTraffic()

describe("the overview", () => {
  /** A figure under its name. */
  const figure = (html: string, name: string) =>
    new RegExp(`<span>${name}</span> <strong>(?:<[^>]*>)*([^<]*)`).exec(html)?.[1]
  const today = () => written.filter(({ at }) => at >= turn)

  it("has the sums of the month and of the day, of the keys that are asked for", async () => {
    const spent = usd(charges(today()))
    for (const [query, month, calls] of [
      ["", spent, today().length],
      ["?mode=live", spent, today().length],
      ["?mode=test", "0.00 USD", 0],
    ] as const) {
      const { html } = await owner.get(`/dashboard${query}`)
      assert.deepStrictEqual(
        [figure(html, "Spent in Nov 2026"), figure(html, "Calls today")],
        [month, String(calls)],
        query,
      )
      // Values that move are of all keys.
      assert.strictEqual(html.includes('data-live="calls"'), query === "")
    }
  })

  it("draws each hour's calls beside those of a week ago, with a table of the same", async () => {
    const rows = rowsOf((await owner.get("/dashboard")).html, "Calls of the last 24 hours")
    assert.lengthOf(rows, 24)
    const failed = today().filter(({ status }) => status >= 400).length
    assert.deepStrictEqual(rows[23], ["00:00", String(today().length), String(failed), "0"])
    assert.deepStrictEqual(rows[0], ["01:00", "0", "0", "0"])
  })

  it("has the 95th percentile of the newest answers by nearest rank, and after two days no pace", async () => {
    const { html } = await owner.get("/dashboard")
    assert.notInclude(html, "Lasts about")
    const newest = written
      .map(({ status }, n) => ({ status, latencyMs: n % 90 }))
      .filter(({ status }) => status === 200)
      .slice(-200)
      .map(({ latencyMs }) => latencyMs)
      .toSorted((one, other) => one - other)
    assert.strictEqual(figure(html, "p95 latency"), `${newest[189]} ms`)
  })

  it("says why calls failed, each cause with a link to its calls", async () => {
    const { html } = await owner.get("/dashboard")
    const failed = written.filter(({ status }) => status >= 400)
    const causes = [
      ...html.matchAll(/<strong>(\d+) calls? since yesterday<\/strong>: ([^<]*) <a href="([^"]*)">See calls</g),
    ]
    assert.deepStrictEqual(causes.map(([, , name]) => name).toSorted(), [
      codes.not_found.message,
      codes.internal_error.message,
    ])
    assert.strictEqual(sum(causes.map(([, calls]) => Number(calls))), failed.length)
    for (const [, calls, , href] of causes) {
      const { length } = await ndjson(owner, href!.replaceAll("&amp;", "&").replace("/dashboard/calls", ""))
      assert.strictEqual(length, Number(calls), href)
    }
  })

  it("of an account without calls has the first steps alone", async () => {
    const { html } = await stranger.get("/dashboard")
    assert.strictEqual(figure(html, "Balance"), "0.00 USD")
    assert.include(html, "First steps")
    for (const text of ["today", "Lasts about", "needs attention"]) assert.notInclude(html, text)
  })
})
