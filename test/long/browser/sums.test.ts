import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import {
  exported,
  journalOf,
  type MonthsEnd,
  micros,
  monthsEnd,
  opening,
  rowsOf,
  sum,
  usageOn,
} from "./journeys/sums.ts"
import { entering } from "./support/entering.ts"

let made: MonthsEnd
const { as } = entering(() => made.running)

beforeAll(async () => {
  made = await monthsEnd()
}, 120_000)
afterAll(() => made.running.stop())

describe("over a month's end", () => {
  it(
    "usage, calls, exports, journal and balance have the same sums, for each month and for both",
    {
      timeout: 120_000,
    },
    () =>
      as("sums", { account: "tester" }, async ({ page, hands, running }) => {
        const { spent, failed } = made
        const open = (path: string) => page.goto(`${running.url}/dashboard${path}`)
        const usage = async (query: string) => {
          await open(`/usage?${query}`)
          return usageOn(page, query)
        }
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
            assert.deepStrictEqual(await usage(`${days}&group=${group}`), expected, `${days} by ${group}`)
          }
          await open(`/calls?${days}`)
          const rows = await rowsOf(page, hands, "Calls", "Older calls")
          const shown = rows.map((cells) => micros(cells[2]!))
          assert.strictEqual(sum(shown), spend, days)
          for (const ending of ["CSV", "NDJSON"] as const) {
            await open(`/calls?${days}`)
            assert.deepStrictEqual(await exported(page, hands, ending), expected, `${days} as ${ending}`)
          }
        }
        const hours = await usage("from=2026-10-31&to=2026-11-01&by=hour")
        assert.deepStrictEqual(hours, { calls: 60, spend: spent.before + spent.after })
        await open("/wallet")
        const journal = await journalOf(page, hands)
        assert.deepStrictEqual(journal, {
          charged: spent.before + spent.after,
          all: opening - spent.before - spent.after,
        })
        assert.strictEqual(await running.balance(), opening - spent.before - spent.after)
        await open("")
        assert.include(await page.locator(".wallet").textContent(), `${spent.after / 1e6} USD`)
      }),
  )
})
