import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { renderToString } from "preact-render-to-string"
import { Entries, queryOf } from "../../../../adapters/web/record/Entries.tsx"
import { askedIn } from "../../../../adapters/web/record/proof.ts"
import { type Asked, entryPage, groupsOf, perPage } from "../../../../adapters/web/record/readEntries.ts"
import { eventWords, subjectWords, termsWords } from "../../../../adapters/web/record/words.ts"
import type { Leaf } from "../../../../core/record/log/leaf.ts"
import { RecordLog } from "../../../../core/record/log/RecordLog.ts"
import { hour } from "../../../../core/time.ts"
import { inMemory } from "../../../support/record.ts"

const noon = Date.parse("2026-11-24T12:00:00Z")
const close = Date.parse("2026-11-25T04:59:00Z")
const event = "KXHIGHNY-26NOV24"
const quote = {
  ...{ venue: "kalshi", series: "KXHIGHNY", event, ticker: `${event}-T52`, strike_type: "greater", floor_strike: 52 },
  ...{ close_time: close, yes_bid: 2_700, yes_ask: 2_900, no_ask: 7_300, model: 310_000 },
}

const forecast = (n: number, changes: Partial<Leaf> = {}): Leaf => ({
  id: `capture_${n}`,
  kind: "capture",
  at: noon + n * hour,
  lane: "weather",
  subject: "KNYC/2026-11-24",
  body: { quotes: [quote], close_time: close },
  ...changes,
})

const settlement = (result: string, revision: number): Leaf => ({
  id: `kalshi/${event}-T52/${revision}`,
  kind: revision === 1 ? "settlement" : "correction",
  at: close + hour,
  lane: "weather",
  subject: `${event}-T52`,
  body: { event, capture_id: "capture_0", captured_at: noon, close_time: close, model: 310_000, result, revision },
})

const asked: Asked = { show: "ours" }

const pageOver = (leaves: ReadonlyArray<Leaf>, changes: Partial<Asked> = {}, now = close + 2 * hour) =>
  Effect.gen(function* () {
    const log = yield* RecordLog
    yield* log.append(leaves)
    return yield* entryPage({ ...asked, ...changes }, leaves.length, now)
  }).pipe(Effect.provide(inMemory))

const htmlOf = (leaves: ReadonlyArray<Leaf>, now?: number) =>
  Effect.map(pageOver(leaves, {}, now), (page) =>
    renderToString(Entries({ asked, page, base: "", query: new URLSearchParams(), wrong: [] })),
  )

/** The cells of the table's rows, as text. */
const rowsIn = (html: string): ReadonlyArray<string> =>
  [...html.matchAll(/<tr>(.*?)<\/tr>/g)].map(([, row]) =>
    [...row!.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell]) => cell!.replace(/<[^>]+>/g, "")).join(" | "),
  )

describe("the words of an entry", () => {
  it("are the terms, who said what, and the close", () =>
    Effect.runPromise(
      Effect.map(htmlOf([forecast(0)], noon + hour), (html) => {
        assert.match(html, /<a href="\/markets\/[^"]+">New York, 24 Nov 2026, high above 52 °F<\/a>/)
        assert.strictEqual(
          rowsIn(html)[1],
          "12:00 forecast 16\u00a0h 59\u00a0min before the close | New York, 24 Nov 2026, high above 52 °F | 31 % | 28 % | no result yet, close at 25 Nov 2026, 04:59 UTC | Verify entry 0",
        )
      }),
    ))

  it("have the last result once there is one", () =>
    Effect.runPromise(
      Effect.map(htmlOf([forecast(0), settlement("yes", 1), settlement("no", 2)]), (html) => {
        const rows = rowsIn(html).join("\n")
        assert.include(
          rows,
          "New York, 24 Nov 2026, high above 52 °F | 31 % | 28 % | No the market was closer | Verify entry 0",
        )
        assert.include(
          rows,
          "Corrected: New York, 24 Nov 2026, high above 52 °F: we said 31 %, the market had no price, No",
        )
      }),
    ))

  it("name strikes as venues do", () => {
    const terms = {
      series: "KXNFLSPREAD",
      event: "KXNFLSPREAD-26SEP17DETBUF",
      ticker: "KXNFLSPREAD-26SEP17DETBUF-BUF3",
    }
    assert.strictEqual(termsWords({ ...terms, floorStrike: 3.5 }), "Bills win by more than 3.5")
    assert.strictEqual(
      termsWords({ series: "KXBTCD", event: "E", ticker: "E-T1", floorStrike: 48_400 }),
      "above 48,400 USD",
    )
    assert.strictEqual(
      termsWords({ series: "KXNFLGAME", event: "E", ticker: "E-BUF", strikeType: "structured" }),
      "Bills win",
    )
    assert.strictEqual(subjectWords("2026-09-17/DET/BUF", "football"), "Lions at Bills, 17 Sep 2026")
  })

  it.each([
    ["KNYC", event, "New York, 24 Nov 2026"],
    ["BTC", "KXBTCD-26NOV2415", "BTC, 25 Nov 2026, 04:59 UTC"],
    ["DET @ BUF", "KXNFLGAME-26SEP17DETBUF", "Lions at Bills, 17 Sep 2026"],
    ["DET @ BOS", "KXMLBGAME-26SEP171910DETBOS", "Tigers at Red Sox, 17 Sep 2026"],
    ["Something", "no-day-in-it", "Something, 25 Nov 2026, 04:59 UTC"],
  ])("names the event of a settled row: %s %s", (instrument, event, words) => {
    assert.strictEqual(eventWords({ instrument, event, closeTime: close }), words)
  })
})

describe("a sealed entry", () => {
  const sealed = forecast(1, { seal: { until: close, salt: "00" } })

  it("tells when it opens and nothing else", () =>
    Effect.runPromise(
      Effect.map(htmlOf([forecast(0), sealed], close - 1), (html) => {
        const rows = rowsIn(html).join("\n")
        assert.include(
          rows,
          "sealed | Sealed forecast, its hash is public | – | – | opens 25 Nov 2026, 04:59 UTC | Verify entry 1",
        )
        assert.lengthOf(rows.match(/New York/g)!, 1)
      }),
    ))

  it("passes no filter that would tell its lane, and all once it is open", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const count = (changes: Partial<Asked>, now: number) =>
          Effect.map(pageOver([sealed], changes, now), ({ entries }) => entries.length)
        assert.strictEqual(yield* count({}, close - 1), 1)
        for (const filter of [{ domain: "weather" }, { lead: "6_to_24h" }, { show: "results" }] as const)
          assert.strictEqual(yield* count(filter, close - 1), 0)
        assert.strictEqual(yield* count({ domain: "weather", lead: "6_to_24h" }, close), 1)
        assert.strictEqual(yield* count({ domain: "crypto" }, close), 0)
        assert.strictEqual(yield* count({ lead: "over_24h" }, close), 0)
      }),
    ))
})

describe("a page of entries", () => {
  const many = Array.from({ length: 1_000 }, (_, n) => forecast(n, n < 990 ? { lane: "crypto" } : {}))

  it("goes on where it ended, and has every entry once", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const seen: Array<number> = []
        let before: number | undefined
        do {
          const page = yield* pageOver(many, { before })
          assert.isAtMost(groupsOf(page.entries).length, perPage)
          seen.push(...page.entries.map(({ position }) => position))
          before = page.older
        } while (before !== undefined)
        assert.deepStrictEqual(
          seen,
          many.map((_, n) => 999 - n),
        )
      }),
    ))

  it("looks through a bounded part of the log, however few entries pass", () =>
    Effect.runPromise(
      Effect.map(pageOver(many, { domain: "mlb" }), ({ entries, looked, older }) => {
        assert.deepStrictEqual([entries.length, looked[1] - looked[0], older], [0, 300, 700])
      }),
    ))

  it("begins and ends with the days that were asked for", () =>
    Effect.runPromise(
      Effect.map(
        pageOver(many, { from: Date.parse("2026-11-26"), to: Date.parse("2026-11-26") }),
        ({ entries, older }) => {
          assert.deepStrictEqual([entries.length, older], [24, undefined])
          assert.strictEqual(entries.at(-1)!.position, 36)
        },
      ),
    ))

  it("keeps its filters in its links, and says which were not understood", () => {
    const query = "show=results&domain=nfl&lead=1_to_6h&from=2026-11-01&to=2026-11-24"
    const read = askedIn(new URLSearchParams(`${query}&before=77`))
    assert.deepStrictEqual(read.wrong, [])
    assert.strictEqual(queryOf(read.asked, 12), `/record?${query}&before=12`)
    const bad = askedIn(new URLSearchParams("show=all&domain=sec&from=2026-13-01&before=-1"))
    assert.deepStrictEqual(bad.wrong.map(({ field }) => field).sort(), ["before", "domain", "from", "show"])
    assert.strictEqual(queryOf(bad.asked), "/record")
  })
})
