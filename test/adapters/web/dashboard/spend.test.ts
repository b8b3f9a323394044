import { assert, describe, it } from "@effect/vitest"
import { h } from "preact"
import { renderToStaticMarkup } from "preact-render-to-string"
import {
  addUp,
  beginningsOf,
  bySpan,
  monthAndToday,
  nameOf,
  SpendChart,
  SpendOverTime,
} from "../../../../adapters/web/dashboard/spend.tsx"
import { MicroUsd } from "../../../../core/account/Money.ts"
import { day, hour } from "../../../../core/time.ts"

const now = Date.UTC(2026, 10, 24, 21, 5)
const today = Date.UTC(2026, 10, 24)

const sum = (at: number, calls: number, charged: number, group = "2xx") => ({
  at,
  group,
  calls,
  charged: MicroUsd(charged),
})

describe("totals", () => {
  it("add up calls and charges; of nothing they are 0", () => {
    assert.deepStrictEqual(addUp([sum(0, 2, 30), sum(1, 5, 400)]), { calls: 7, charged: MicroUsd(430) })
    assert.deepStrictEqual(addUp([]), { calls: 0, charged: MicroUsd(0) })
  })
})

describe("the beginnings of a time", () => {
  it("are those of its UTC day and month", () => {
    assert.deepStrictEqual(beginningsOf(now), { today, month: Date.UTC(2026, 10, 1) })
    assert.deepStrictEqual(beginningsOf(today), { today, month: Date.UTC(2026, 10, 1) })
    assert.strictEqual(beginningsOf(today - 1).today, today - day)
  })
})

describe("the month and today", () => {
  it("count from the first instant of the month, today alone, and of today what failed", () => {
    const found = monthAndToday(
      [
        sum(Date.UTC(2026, 9, 31), 1, 1),
        sum(Date.UTC(2026, 10, 1), 10, 100),
        sum(today - day, 20, 200, "5xx"),
        sum(today, 3, 30),
        sum(today, 4, 0, "4xx"),
        sum(today, 5, 0, "5xx"),
        sum(today, 6, 0, "3xx"),
      ],
      now,
    )
    assert.deepStrictEqual(found, {
      month: { calls: 48, charged: MicroUsd(330) },
      today: { calls: 18, charged: MicroUsd(30) },
      failed: { calls: 9, charged: MicroUsd(0) },
    })
  })
})

describe("totals of each span", () => {
  it("are in order, with 0 where there was no call, and without the end", () => {
    const found = bySpan([sum(today + hour, 1, 5), sum(today + hour, 2, 6, "4xx")], today, today + 3 * hour, "hour")
    assert.deepStrictEqual(
      found.map(({ at, calls, charged }) => [at, calls, Number(charged)]),
      [
        [today, 0, 0],
        [today + hour, 3, 11],
        [today + 2 * hour, 0, 0],
      ],
    )
  })

  it("begin with the span that the first instant is in", () => {
    const months = bySpan([], now, Date.UTC(2027, 1, 1), "month")
    assert.deepStrictEqual(
      months.map(({ at }) => nameOf(at, "month")),
      ["2026-11", "2026-12", "2027-01"],
    )
  })

  it("of an empty time are none", () => {
    assert.deepStrictEqual(bySpan([sum(today, 1, 1)], today, today, "day"), [])
  })
})

describe("the name of a span", () => {
  it("is a month, a day, or an hour of a day", () => {
    assert.strictEqual(nameOf(now, "month"), "2026-11")
    assert.strictEqual(nameOf(now, "day"), "2026-11-24")
    assert.strictEqual(nameOf(today + 21 * hour, "hour"), "2026-11-24 21:00")
  })
})

const days = (...charged: ReadonlyArray<number>) =>
  charged.map((each, index) => ({ at: today + index * day, calls: index, charged: MicroUsd(each) }))

const words = (html: string) => [...html.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text)

describe("the chart of spend", () => {
  it("says in words what it shows", () => {
    const html = renderToStaticMarkup(h(SpendChart, { each: days(1_000_000, 0, 2_500_000), span: "day" }))
    assert.include(html, 'aria-label="Spend per day, UTC: 3.50 USD in 3 days, at most 2.50 USD in one."')
  })

  it("has a bar for each span with spend alone, and names the first, the middle and the last", () => {
    const html = renderToStaticMarkup(h(SpendChart, { each: days(1_000_000, 0, 2_500_000), span: "day" }))
    const [, bars = ""] = /<path class="model" d="([^"]*)"/.exec(html) ?? []
    assert.lengthOf(bars.match(/M/g) ?? [], 2)
    assert.deepStrictEqual(words(html).slice(-3), ["11-24", "11-25", "11-26"])
    assert.notInclude(html, "no spend")
  })

  it("names months with their year, and a single span once", () => {
    const html = renderToStaticMarkup(h(SpendChart, { each: days(5), span: "month" }))
    assert.deepStrictEqual(words(html).slice(-1), ["2026-11"])
    assert.lengthOf(
      words(html).filter((text) => text === "2026-11"),
      1,
    )
  })

  it("says so where nothing was spent, without a grid", () => {
    const html = renderToStaticMarkup(h(SpendChart, { each: days(0, 0), span: "day" }))
    assert.include(words(html), "no spend")
    assert.include(html, '<path class="model" d')
    assert.notInclude(html, 'class="grid"')
  })
})

describe("spend over time", () => {
  it("has the values of the chart as a table, the newest first, with their total", () => {
    const html = renderToStaticMarkup(h(SpendOverTime, { each: days(1_000_000, 500_000), span: "day" }))
    const rows = [...html.matchAll(/<tr>(.*?)<\/tr>/g)].map(([, row]) =>
      [...row!.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell]) => cell),
    )
    assert.deepStrictEqual(rows, [
      ["Day", "Calls", "Spend"],
      ["2026-11-25", "1", "0.50 USD"],
      ["2026-11-24", "0", "1.00 USD"],
      ["Total", "1", "1.50 USD"],
    ])
    assert.include(html, '<section class="scroll long"')
  })
})
