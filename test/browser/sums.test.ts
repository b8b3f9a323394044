import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Page } from "playwright-core"
import { Accounts } from "../../core/account/Accounts.ts"
import { Agents } from "../../core/account/Agents.ts"
import { Usage } from "../../core/account/Usage.ts"
import { minute, second } from "../../core/time.ts"
import { clockAt } from "../support/clock.ts"
import { type Running, start } from "../support/running.ts"
import { entering } from "./support/entering.ts"

/** The end of a month, whose last day the first calls are made in. */
const turn = Date.UTC(2026, 10, 1)
const clock = clockAt(turn - 10 * minute)
const opening = 10_000_000

let running: Running
const { as } = entering(() => running)

/** What each side of the month's end has cost. */
const spent = { before: 0, after: 0 }
let failed = 0

const paths = [
  "/v1/weather/settlement?station=KNYC",
  "/v1/weather/signal?station=KBOS",
  "/v1/crypto/signal?asset=BTC",
  // Refused, and free.
  "/v1/weather/settlement?station=nowhere",
]

beforeAll(async () => {
  running = await start({}, { balance: opening, clock })
  const keys = await running.run(
    Effect.gen(function* () {
      yield* (yield* Agents).create("tester", "bot", {})
      const made = yield* (yield* Accounts).issueKey({
        account: "tester",
        environment: "live",
        tier: "pro",
        agent: "bot",
      })
      return [running.account.live.token, Redacted.value(made.plaintext), running.account.test.token]
    }),
  )
  for (const side of ["before", "after"] as const) {
    const before = await running.balance()
    for (let n = 0; n < 30; n++) {
      clock.set((side === "before" ? turn - 9 * minute : turn + minute) + n * 10 * second)
      const { status } = await running.get(paths[n % paths.length]!, keys[n % keys.length])
      if (status >= 400) failed++
      // Some of the rows are in the sums of usage, the rest is added by the page.
      if (n === 20) await running.run(Effect.flatMap(Usage, ({ fold }) => fold))
    }
    spent[side] = before - (await running.balance())
  }
  clock.set(turn + 20 * minute)
}, 120_000)
afterAll(() => running.stop())

const micros = (text: string): number => {
  const found = /([−+-]?)([\d.]+) USD/.exec(text)
  if (found === null) throw new Error(`${text} is no amount.`)
  return Math.round(Number(found[2]) * 1e6) * (found[1] === "−" || found[1] === "-" ? -1 : 1)
}

const sum = (values: ReadonlyArray<number>): number => values.reduce((all, each) => all + each, 0)

/** Every row of a table over all pages of it: the text of its cells. */
const rowsOf = async (page: Page, caption: string, next: string): Promise<ReadonlyArray<ReadonlyArray<string>>> => {
  const rows: Array<ReadonlyArray<string>> = []
  for (;;) {
    const table = page.locator("table").filter({ has: page.locator("caption", { hasText: caption }) })
    for (const row of await table.locator("tbody tr").all()) rows.push(await row.locator("th, td").allTextContents())
    const link = page.getByRole("link", { name: next })
    if ((await link.count()) === 0) return rows
    await link.click()
    await page.waitForLoadState()
  }
}

/** Calls and spend that the page of usage says in a query. */
const usage = async (page: Page, query: string) => {
  await page.goto(`${running.url}/dashboard/usage?${query}`)
  const foot = page.locator("tfoot").first().locator("th, td")
  const [, calls = "", spend = ""] = await foot.allTextContents()
  const cards = await page.locator(".cards .figure").allTextContents()
  assert.deepStrictEqual([cards[0], cards[1]], [spend, calls], query)
  // The lines of the table by time are the same sum.
  const tables = await page.locator("tfoot tr > :last-child").allTextContents()
  for (const text of tables) assert.strictEqual(micros(text), micros(spend), query)
  return { calls: Number(calls.replaceAll(",", "")), spend: micros(spend) }
}

/** Charges of a file of calls. */
const exported = async (page: Page, query: string, ending: "CSV" | "NDJSON") => {
  await page.goto(`${running.url}/dashboard/calls?${query}`)
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: ending, exact: true }).click(),
  ])
  // The browser may be another machine's: the file comes over its connection.
  const chunks: Array<Buffer> = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
  const lines = Buffer.concat(chunks).toString().trimEnd().split(/\r?\n/)
  if (ending === "NDJSON") {
    const rows = lines.map((line) => JSON.parse(line) as { charged_micros: number; calls: number })
    return { calls: sum(rows.map(({ calls }) => calls)), spend: sum(rows.map((row) => row.charged_micros)) }
  }
  const [head, ...rows] = lines.map((line) => line.split(","))
  const column = (name: string) => rows.map((row) => Number(row[head!.indexOf(name)]))
  return { calls: sum(column("calls")), spend: sum(column("charged_micros")) }
}

describe("over a month's end", () => {
  it(
    "usage, calls, exports, journal and balance have the same sums, for each month and for both",
    {
      timeout: 120_000,
    },
    () =>
      as("sums", { account: "tester" }, async ({ page }) => {
        assert.isAbove(spent.before, 0)
        assert.isAbove(spent.after, 0)
        assert.isAbove(failed, 0)
        const sides = [
          ["from=2026-10-01&to=2026-10-31", spent.before, 30],
          ["from=2026-11-01&to=2026-11-30", spent.after, 30],
          ["from=2026-10-01&to=2026-11-30", spent.before + spent.after, 60],
        ] as const
        for (const [days, spend, calls] of sides) {
          const expected = { calls, spend }
          for (const group of ["endpoint", "agent", "key", "status"]) {
            assert.deepStrictEqual(await usage(page, `${days}&group=${group}`), expected, `${days} by ${group}`)
          }
          await page.goto(`${running.url}/dashboard/calls?${days}`)
          const rows = await rowsOf(page, "Calls", "Older calls")
          const shown = rows.map((cells) => micros(cells[5]!))
          assert.strictEqual(sum(shown), spend, days)
          for (const ending of ["CSV", "NDJSON"] as const) {
            assert.deepStrictEqual(await exported(page, days, ending), expected, `${days} as ${ending}`)
          }
        }
        const hours = await usage(page, "from=2026-10-31&to=2026-11-01&by=hour")
        assert.deepStrictEqual(hours, { calls: 60, spend: spent.before + spent.after })
        await page.goto(`${running.url}/dashboard/wallet`)
        const amounts = (await rowsOf(page, "Journal", "Older")).flatMap((cells) =>
          cells
            .filter((text) => /USD/.test(text))
            .slice(0, 1)
            .map(micros),
        )
        assert.strictEqual(-sum(amounts.filter((each) => each < 0)), spent.before + spent.after)
        assert.strictEqual(sum(amounts), opening - spent.before - spent.after)
        assert.strictEqual(await running.balance(), opening - spent.before - spent.after)
        await page.goto(`${running.url}/dashboard`)
        assert.include(await page.locator(".cards").textContent(), `${spent.after / 1e6} USD`)
      }),
  )
})
