import { assert, describe, it } from "@effect/vitest"
import { renderToStaticMarkup } from "preact-render-to-string"
import { byHour } from "../../../../adapters/web/dashboard/pages/overview.tsx"
import {
  addUp,
  bySpan,
  monthAndToday,
  nameOf,
  spendOverTime,
  startOfDayAndMonth,
  timeLeft,
} from "../../../../adapters/web/dashboard/spend.ts"
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
    assert.deepStrictEqual(startOfDayAndMonth(now), { today, month: Date.UTC(2026, 10, 1) })
    assert.deepStrictEqual(startOfDayAndMonth(today), { today, month: Date.UTC(2026, 10, 1) })
    assert.strictEqual(startOfDayAndMonth(today - 1).today, today - day)
  })
})

describe("the month and today", () => {
  it("count from the first instant of the month, and today alone", () => {
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
      ["Nov 2026", "Dec 2026", "Jan 2027"],
    )
  })

  it("of an empty time are none", () => {
    assert.deepStrictEqual(bySpan([sum(today, 1, 1)], today, today, "day"), [])
  })
})

describe("the name of a span", () => {
  it("is a month, a day, or an hour of a day", () => {
    assert.strictEqual(nameOf(now, "month"), "Nov 2026")
    assert.strictEqual(nameOf(now, "day"), "24 Nov 2026")
    assert.strictEqual(nameOf(today + 21 * hour, "hour"), "24 Nov 2026, 21:00 UTC")
  })
})

const days = (...charged: ReadonlyArray<number>) =>
  charged.map((each, index) => ({ at: today + index * day, calls: index + 2, charged: MicroUsd(each) }))

/** Half of each day's calls failed, and all that was spent is of the others. */
const series = (each: ReturnType<typeof days>) => [
  { name: "Succeeded", kind: "model", each: each.map(({ calls, charged }) => ({ calls: calls - 1, charged })) },
  { name: "Failed", kind: "failed", each: each.map(() => ({ calls: 1, charged: MicroUsd(0) })) },
]

const chart = (each: ReturnType<typeof days>, span: "day" | "month" = "day") =>
  renderToStaticMarkup(spendOverTime({ each, span, series: series(each) }))

/** The bars of a layer in both panels, spend first, each as [top, height]. */
const bars = (html: string, kind: string) =>
  [...html.matchAll(new RegExp(`<rect class="${kind}"[^>]* y="([\\d.]+)" height="([\\d.]+)"`, "g"))].map(
    ([, top, height]) => [Number(top), Number(height)] as const,
  )

describe("the chart of spend and calls", () => {
  it("says in words what it shows", () => {
    assert.include(
      chart(days(1_000_000, 0, 2_500_000)),
      'aria-label="Spend and calls per day, UTC: 3.50 USD and 9 calls in 3 days, at most 2.50 USD in one."',
    )
  })

  it("has a bar for each value alone, of heights as the values, one layer on the other", () => {
    const html = chart(days(1_000_000, 0, 2_500_000))
    const all = bars(html, "model")
    const [spend, calls, failed] = [all.slice(0, 2), all.slice(2), bars(html, "failed")]
    assert.approximately(spend[1]![1] / spend[0]![1], 2.5, 0.05)
    // Two calls, three and four; of each one failed, on top of the others.
    assert.deepStrictEqual([calls.length, failed.length], [3, 3])
    for (const [at, [top, height]] of failed.entries()) assert.approximately(top + height, calls[at]![0], 0.02)
    assert.approximately(calls[2]![1] / failed[0]![1], 3, 0.1)
    assert.notInclude(html, "NaN")
  })

  it("counts in whole calls, and has no tick where nothing was spent or called", () => {
    const none = days(0, 0).map((each) => ({ ...each, calls: 0 }))
    const html = renderToStaticMarkup(spendOverTime({ each: none, span: "day", series: [] }))
    assert.notMatch(html, /class="(grid|model)"/)
    assert.notInclude(chart(days(1, 1)), ">2.5<")
  })
})

describe("spend over time", () => {
  it("has the values of the chart as a table, the newest first, with their totals", () => {
    const html = chart(days(1_000_000, 500_000))
    const rows = [...html.matchAll(/<tr[^>]*>(.*?)<\/tr>/g)].map(([, row]) =>
      [...row!.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell]) => cell),
    )
    assert.deepStrictEqual(rows, [
      ["Day", "Calls", "Spend", "Succeeded", "Failed"],
      ["25 Nov 2026", "3", "0.50 USD", "0.50 USD", "0.00 USD"],
      ["24 Nov 2026", "2", "1.00 USD", "1.00 USD", "0.00 USD"],
      ["Total", "5", "1.50 USD", "1.50 USD", "0.00 USD"],
    ])
  })
})

describe("the calls of the last 24 hours", () => {
  it("stand hour by hour before those of a week ago, the failed ones apart", () => {
    const hours = [sum(today + 2 * hour, 3, 9), sum(today + 2 * hour, 1, 0, "4xx"), sum(today + 3 * hour, 0, 0)]
    const html = renderToStaticMarkup(byHour({ hours, before: [sum(today - 7 * day + 5 * hour, 7, 1)] }, now))
    assert.include(html, 'aria-label="Calls of the last 24 hours, UTC: 4; a week earlier 7."')
    const rows = [
      ...html.matchAll(/<th scope="row">([^<]*)<\/th><td[^>]*>(\d+)<\/td><td[^>]*>(\d+)<\/td><td[^>]*>(\d+)</g),
    ]
    assert.lengthOf(rows, 24)
    assert.deepStrictEqual(
      rows.map(([, ...cells]) => cells).filter(([, ...values]) => values.some((value) => value !== "0")),
      [
        ["02:00", "4", "1", "0"],
        ["05:00", "0", "0", "7"],
      ],
    )
    const [succeeded, failed, before] = ["model", "failed", "layer-others"].map((kind) => bars(html, kind)[0])
    assert.approximately(succeeded![1] / failed![1], 3, 0.1)
    assert.approximately(failed![0], succeeded![0] + succeeded![1], 0.02)
    assert.approximately(before![1] / failed![1], 7, 0.2)
  })
})

describe("the time left", () => {
  const spent = (days: number, micros: number) => sum(today - days * day, 1, micros)
  it("is the balance at the pace of seven days, today by its part", () => {
    // 6 whole days and 21 h 5 min of today.
    const days = [spent(0, 1_000_000), spent(1, 0), spent(2, 1_440_972), spent(6, 1_000_000), spent(7, 9e9)]
    const left = timeLeft(10_000_000, days, now)
    assert.strictEqual(left?.figure, "19 days")
    assert.match(left?.note ?? "", /^At 0\.5\d* USD a day, the average of the last 7 days$/)
  })
  it.each([
    [0, "less than a day"],
    [1_000_000, "1 day"],
    [10_000_000_000, "1000 days or more"],
  ])("of %i micro-dollars at 0.9 USD a day is %s", (balance, figure) => {
    const days = [spent(1, 4_200_000), spent(2, 1_000_000), spent(3, 1_000_000)]
    assert.strictEqual(timeLeft(balance, days, now)?.figure, figure)
  })
  it("is not known by fewer than three days with spend", () => {
    assert.isUndefined(timeLeft(5, [spent(0, 1), spent(1, 1), spent(1, 1), spent(2, 0), spent(8, 1)], now))
  })
})
