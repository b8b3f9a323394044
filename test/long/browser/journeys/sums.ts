import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Download, Page } from "playwright-core"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { Agents } from "../../../../core/account/Agents.ts"
import { minute, second } from "../../../../core/time.ts"
import { clockAt } from "../../../support/clock.ts"
import { type Running, start } from "../../../support/running.ts"
import type { Hands } from "../support/hands.ts"

/** The end of a month, in whose last and first minutes the calls are made. */
const turn = Date.UTC(2026, 10, 1)

export const opening = 10_000_000

const paths = [
  "/v1/weather/settlement?station=KNYC",
  "/v1/weather/signal?station=KBOS",
  "/v1/crypto/signal?asset=BTC",
  // Refused, and free.
  "/v1/weather/settlement?station=nowhere",
]

/** A server whose account has made 30 calls on each side of a month's end. */
export interface MonthsEnd {
  readonly running: Running
  /** What each side has cost. */
  readonly spent: { readonly before: number; readonly after: number }
  /** Calls that were refused. */
  readonly failed: number
}

export const monthsEnd = async (): Promise<MonthsEnd> => {
  const clock = clockAt(turn - 10 * minute)
  const spent = { before: 0, after: 0 }
  let failed = 0
  const running = await start({}, { balance: opening, clock })
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
    }
    spent[side] = before - (await running.balance())
  }
  clock.set(turn + 20 * minute)
  return { running, spent, failed }
}

/** An amount of a page as micro-dollars. */
export const micros = (text: string): number => {
  const found = /([−+-]?)([\d.]+) USD/.exec(text)
  if (found === null) throw new Error(`${text} is no amount.`)
  return Math.round(Number(found[2]) * 1e6) * (found[1] === "−" || found[1] === "-" ? -1 : 1)
}

export const sum = (values: ReadonlyArray<number>): number => values.reduce((all, each) => all + each, 0)

/** Every row of a table over all pages of it: the text of its cells. */
export const rowsOf = async (
  page: Page,
  hands: Hands,
  caption: string,
  next: string,
): Promise<ReadonlyArray<ReadonlyArray<string>>> => {
  const rows: Array<ReadonlyArray<string>> = []
  for (;;) {
    const table = page.locator("table").filter({ has: page.locator("caption", { hasText: caption }) })
    for (const row of await table.locator("tbody tr").all()) rows.push(await row.locator("th, td").allTextContents())
    const link = page.getByRole("link", { name: next, exact: true })
    if ((await link.count()) === 0) return rows
    await hands.go(link)
  }
}

/** What the wallet's days add up to, by kind: what was credited, and what was charged. */
export const journalOf = async (
  page: Page,
  hands: Hands,
): Promise<{ readonly charged: number; readonly all: number }> => {
  const days = await rowsOf(page, hands, "Days of the wallet", "Older days")
  const amounts = days.map((cells) => micros(cells[2]!))
  return { charged: -sum(amounts.filter((each) => each < 0)), all: sum(amounts) }
}

/** Calls and spend that the page of usage says, which its parts agree on. */
export const usageOn = async (
  page: Page,
  where: string,
): Promise<{ readonly calls: number; readonly spend: number }> => {
  const foot = page.locator("tfoot").first().locator("th, td")
  const [, calls = "", spend = ""] = await foot.allTextContents()
  const cards = await page.locator(".wallet strong").allTextContents()
  assert.deepStrictEqual([cards[0], cards[1]], [spend, calls], where)
  // The lines of the table by time are the same sum.
  const tables = await page.locator("tfoot tr > :nth-child(3)").allTextContents()
  for (const text of tables) assert.strictEqual(micros(text), micros(spend), where)
  return { calls: Number(calls.replaceAll(",", "")), spend: micros(spend) }
}

/** Calls and charges of a file of calls. */
export const addReliability = async (
  download: Download,
  ending: "CSV" | "NDJSON",
): Promise<{ readonly calls: number; readonly spend: number }> => {
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

/** Presses the link of a file, and reads it. */
export const exported = async (page: Page, hands: Hands, ending: "CSV" | "NDJSON") => {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    hands.press(page.getByRole("link", { name: ending, exact: true })),
  ])
  return addReliability(download, ending)
}
