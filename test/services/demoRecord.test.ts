// Proof: waits for generated seasons.
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { fetched, split, verify } from "../../adapters/web/record/verifier.mjs"
import { RecordLog } from "../../core/record/log/RecordLog.ts"
import { leaves } from "../support/record.ts"
import { type Running, start } from "../support/running.ts"

const base = "/record/demo"
const demo = "Sample data, not a track record."

/** The page once the demonstration is generated. */
const generated = async (running: Running): Promise<string> => {
  for (;;) {
    const html = await (await fetch(`${running.url}/record`)).text()
    assert.include(html, "Sample data, not a track record.")
    if (html.includes("data-from")) return html
    await sleep(1_000)
  }
}

const statusOf = async (running: Running, path: string): Promise<number> => (await fetch(running.url + path)).status

describe("the demonstration of the record", () => {
  let running: Running
  beforeAll(async () => {
    running = await start()
    await generated(running)
  }, 120_000)
  afterAll(() => running.stop())

  it("is intact for the stand-alone verifier, which finds a byte that is changed", { timeout: 60_000 }, async () => {
    const lines: Array<string> = []
    for await (const line of split(fetched(running.url + base))) lines.push(Buffer.from(line).toString())
    const verified = (given: ReadonlyArray<string>) => verify(given.map((line) => Buffer.from(line)))
    const { intact, leaves: count, covered, sealed } = await verified(lines)
    assert.deepStrictEqual([intact, covered], [true, count])
    assert.isAbove(count, 5_000)
    assert.isAbove(sealed, 0)
    const at = lines.findIndex((line) => line.includes('\\"kind\\":\\"settlement\\"'))
    const changed = lines[at]!.replace(/(\\"model\\":)(\d)/, (_, name, digit) => name + (9 - digit))
    const refused = await verified(lines.with(at, changed))
    assert.isFalse(refused.intact)
    assert.strictEqual(refused.problems[0]!.position, JSON.parse(lines[at]!).position)
  })

  it("says in every text that it is one, and has the scoreboard's rows", async () => {
    const page = await (await fetch(`${running.url}${base}/v1/proof/leaves`)).text()
    const texts = page.split("\n").flatMap((line) => (line === "" ? [] : (JSON.parse(line).leaf ?? [])))
    assert.isAbove(texts.length, 500)
    for (const text of texts) assert.strictEqual(JSON.parse(text).body.demo, demo)
    const { json } = await running.get("/v1/markets/settled?domain=weather&limit=3&verbose=true", "")
    for (const row of json.rows) {
      const { leaf } = await (await fetch(`${running.url}${base}/v1/proof/inclusion?leaf=${row.capture_id}`)).json()
      const [quote] = JSON.parse(leaf.text).body.quotes
      assert.deepStrictEqual([quote.ticker, quote.model / 1e6], [row.market_ticker, row.model_prob])
    }
  })

  it("is not in the record, which it is never served for", async () => {
    assert.strictEqual(await running.run(Effect.flatMap(RecordLog, ({ size }) => size)), 0)
    assert.strictEqual(await statusOf(running, "/v1/proof/checkpoint"), 404)
    await running.run(Effect.flatMap(RecordLog, (log) => log.append(leaves(0, 1))))
    for (const path of ["checkpoint", "inclusion?leaf=0", "leaves", "consistency?from=0"])
      assert.strictEqual(await statusOf(running, `${base}/v1/proof/${path}`), 404, path)
    assert.notInclude(await (await fetch(`${running.url}/record`)).text(), "Sample data, not")
  })
})

describe("a server with a live lane", () => {
  it("has no demonstration, before its first entry too", async () => {
    const running = await start({ weather: "live" })
    try {
      assert.strictEqual(await statusOf(running, `${base}/v1/proof/checkpoint`), 404)
      const html = await (await fetch(`${running.url}/record`)).text()
      assert.notInclude(html, "Sample data, not")
      assert.include(html, "No entries here.")
    } finally {
      await running.stop()
    }
  })
})
