// Proof: takes five seconds or more.
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Accounts } from "../../../../../core/account/Accounts.ts"
import { Usage } from "../../../../../core/account/Usage.ts"
import { dayOf } from "../../../../../core/time.ts"
import { sum } from "../../../../support/accounts.ts"
import {
  type Call,
  charges,
  csv,
  micros,
  ndjson,
  owner,
  rowsOf,
  running,
  startTraffic,
  totalsOf,
  written,
} from "./traffic.ts"

startTraffic()

describe("usage page, export of calls and journal", () => {
  it.each([
    ["before the turn of the month", "2026-10-31", "2026-10-31"],
    ["after it", "2026-11-01", "2026-11-01"],
    ["over it", "2026-10-25", "2026-11-01"],
    ["in both months", "2026-10-01", "2026-11-30"],
  ])("sum alike %s", async (_, from, to) => {
    const isIn = ({ at }: Pick<Call, "at">) => dayOf(at) >= from && dayOf(at) <= to
    const expected = { calls: written.filter(isIn).length, charged: charges(written.filter(isIn)) }
    assert.isAbove(expected.calls, 600)
    for (const by of ["day", ...(to === from ? ["hour"] : to.endsWith("30") ? ["month"] : [])]) {
      for (const group of ["endpoint", "agent", "key", "status"]) {
        const { html, status } = await owner.get(`/dashboard/usage?by=${by}&group=${group}&from=${from}&to=${to}`)
        assert.strictEqual(status, 200)
        assert.deepStrictEqual(totalsOf(html, `Calls and spend by ${group}`), expected, group)
        assert.deepStrictEqual(totalsOf(html, `Calls and spend per ${by}`), expected, by)
        const rows = rowsOf(html, `Calls and spend by ${group}`)
        assert.strictEqual(sum(rows.map(([, calls]) => Number(calls!.replaceAll(",", "")))), expected.calls)
        assert.strictEqual(sum(rows.map(([, , spend]) => micros(spend!.replace(" USD", "")))), expected.charged)
        const query = `by=${by}&group=${group}&from=${from}&to=${to}`
        for (const [file, expectedRows] of [
          [await csv(`/dashboard/usage.csv?${query}`), rows],
          [await csv(`/dashboard/usage.csv?${query}&rows=time`), rowsOf(html, `Calls and spend per ${by}`)],
        ] as const) {
          // The very rows of the page, and their sums.
          assert.deepStrictEqual(
            file.map(({ calls, charged_micros }) => [Number(calls), Number(charged_micros)]),
            expectedRows.map((row) => [Number(row[1]!.replaceAll(",", "")), micros(row[2]!.replace(" USD", ""))]),
          )
          assert.strictEqual(sum(file.map(({ charged_micros }) => Number(charged_micros))), expected.charged)
        }
        // The layers of the picture are the groups, and add up to the whole.
        const heads = /<thead>[\s\S]*?<\/thead>/.exec(
          html.slice(html.indexOf(`<caption>Calls and spend per ${by}`)),
        )![0]
        for (const [name] of rows) assert.include(heads, `>${name}</th>`)
        for (const row of rowsOf(html, `Calls and spend per ${by}`)) {
          const amounts = row.slice(2).map((text) => micros(text.replace(" USD", "")))
          assert.strictEqual(sum(amounts.slice(1)), amounts[0]!)
        }
      }
    }
    const lines = await ndjson(owner, `?from=${from}&to=${to}`)
    assert.deepStrictEqual(
      { calls: lines.length, charged: sum(lines.map(({ charged_micros }) => charged_micros)) },
      expected,
    )
    const table = await csv(`/dashboard/calls.csv?from=${from}&to=${to}`)
    assert.strictEqual(sum(table.map(({ charged_micros }) => Number(charged_micros))), expected.charged)
    const journal = await csv("/dashboard/wallet.csv")
    const charged = journal.filter(({ kind, at }) => kind === "charge" && isIn({ at: Date.parse(at!) }))
    assert.strictEqual(0 - sum(charged.map((row) => Number(row["micros"]))), expected.charged)
  })

  it("are alike after a move", async () => {
    const path = "/dashboard/usage?group=key&from=2026-10-31&to=2026-11-01"
    const before = (await owner.get(path)).html
    await running.run(Effect.flatMap(Usage, ({ move }) => move))
    const totals = (html: string) => totalsOf(html, "Calls and spend by key")
    assert.deepStrictEqual(totals((await owner.get(path)).html), totals(before))
  })

  it("name keys and agents", async () => {
    const { html } = await owner.get("/dashboard/usage?group=agent&from=2026-10-31&to=2026-11-01")
    const names = rowsOf(html, "Calls and spend by agent").map(([name]) => name)
    assert.deepStrictEqual(names, ["no agent", "bot"])
    const keys = await owner.get("/dashboard/usage?group=key&from=2026-10-31&to=2026-11-01")
    const { key } = await running.run(Accounts)
    const { lastFour } = await running.run(key(running.account.live.id))
    assert.include(keys.html, `…${lastFour}</a>`)
  })
})

describe("a wrong address", () => {
  it.each([
    ["/dashboard/calls?status=9xx", "Status is one of"],
    ["/dashboard/calls?status=constructor", "Status is one of"],
    ["/dashboard/calls?from=2026-02-30", "this one does not exist"],
    ["/dashboard/calls?from=yesterday", "Write a day"],
    ["/dashboard/calls?to=9999-12-31", "Write a day"],
    ["/dashboard/calls?to=1969-12-31", "Write a day"],
    ["/dashboard/calls?from=2026-11-02&to=2026-11-01", "before the first"],
    ["/dashboard/calls?endpoint=nope", "no such endpoint"],
    ["/dashboard/calls?agent=agt_nobody", "no agent"],
    ["/dashboard/calls?key=key_nobody", "no key"],
    ["/dashboard/calls?cursor=x", "page link is invalid"],
    ["/dashboard/calls?cursor=2026-11.1.2.3", "page link is invalid"],
    ["/dashboard/calls?cursor=2026-11.-1.2", "page link is invalid"],
    ["/dashboard/calls.csv?status=9xx", "Status is one of"],
    ["/dashboard/calls.ndjson?from=2026-02-30", "this one does not exist"],
    ["/dashboard/usage?by=week", "by day or by hour"],
    ["/dashboard/usage?group=colour", "Group by"],
    ["/dashboard/usage?mode=both", "live or test"],
    ["/dashboard/usage?from=2024-01-01&to=2026-01-01", "366 days"],
    ["/dashboard/usage?by=hour&from=2026-10-01&to=2026-10-08", "7 days"],
    ["/dashboard/usage?by=hour&from=2026-09-01&to=2026-09-02", "kept for 32 days"],
    ["/dashboard/usage?from=2024-01-01&to=2024-01-31", "kept for 550 days"],
    ["/dashboard/usage.csv?group=colour", "Group by"],
    ["/dashboard/usage.csv?rows=x", "by group, or by time"],
    ["/dashboard/wallet?lines=x", "days, or transactions"],
    ["/dashboard/usage?from=2026-11-02&to=2026-11-01", "before the first"],
    ["/dashboard/usage?to=2999-13-01", "Write a day"],
    ["/dashboard/wallet?cursor=x", "page link is invalid"],
    ["/dashboard/wallet?before=yesterday", "Write a day"],
    ["/dashboard/wallet?before=2020-01-01", "on the statements"],
    ["/dashboard/wallet/statement?month=2026-13", "Write a month"],
    ["/dashboard/wallet/statement?month=2026-12", "Write a month"],
    ["/dashboard/wallet/statement.csv?month=2026-00", "Write a month"],
    ["/dashboard/wallet?cursor=' OR 1=1", "page link is invalid"],
  ])("%s says what is wrong", async (path, message) => {
    const { status, html } = await owner.get(path)
    assert.strictEqual(status, 400)
    assert.include(html, message)
    assert.match(html, /role="alert"|That did not work/)
  })

  it.each([
    "/dashboard/calls?cursor=999999999999999.999999999999999",
    "/dashboard/calls?cursor=0.0",
    "/dashboard/calls?status=&from=&to=&endpoint=",
    "/dashboard/usage?to=2999-12-31",
    "/dashboard/usage?from=1970-01-01&to=1970-01-01&by=month",
    "/dashboard/usage?from=2024-01-01&to=2026-12-31&by=month",
    "/dashboard/wallet?before=2999-12-31",
    "/dashboard/wallet/statement?month=2019-11",
    "/dashboard/wallet?cursor=txn_zzzzzzzzzzzzzzzzzzzzzzzzzz",
  ])("%s is odd, and has an answer", async (path) => {
    assert.strictEqual((await owner.get(path)).status, 200)
  })
})
