import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { emptySite } from "../../../../../adapters/server/http/Site.ts"
import { type Asked, askedIn, isIn, linkOf } from "../../../../../adapters/web/scoreboard/markets/asked.ts"
import { marketsPage } from "../../../../../adapters/web/scoreboard/markets/MarketsPage.tsx"
import { marketPage, perPage } from "../../../../../adapters/web/scoreboard/markets/readMarkets.ts"
import { compareRows, pageAfter, type SettledRows } from "../../../../../core/lanes/markets/ports.ts"
import { headToHead } from "../../../../../core/record/scoreboard/board.ts"
import { leadName, leads } from "../../../../../core/record/scoreboard/divisions.ts"
import type { CurrentRow } from "../../../../../core/record/scoreboard/Settled.ts"
import { settledRows } from "../../../../support/settledRows.ts"

const rows: ReadonlyArray<CurrentRow> = settledRows(1_500, 5)
  .filter((row) => headToHead(row) !== undefined)
  .map((row) => ({ ...row, earlier: [] }))
  .sort(compareRows)

const port: typeof SettledRows.Service & { reads: number } = {
  reads: 0,
  freshness: "live",
  after: (domain, position, limit) => {
    port.reads += 1
    return Effect.succeed(
      pageAfter(
        rows.filter((row) => row.domain === domain),
        position,
        limit,
      ),
    )
  },
}

/** The markets of all pages, as a reader follows the links. */
const all = (asked: Asked) =>
  Effect.gen(function* () {
    const found: Array<string> = []
    let next: Asked["after"]
    do {
      port.reads = 0
      const page = yield* marketPage(port, { ...asked, after: next })
      assert.isAtMost(port.reads, 20)
      assert.isAtMost(page.rows.length, perPage)
      found.push(...page.rows.map(({ ticker }) => ticker))
      next = page.next
    } while (next !== undefined)
    return found
  })

const tickers = (filter: (row: CurrentRow) => boolean) => rows.filter(filter).map(({ ticker }) => ticker)

describe("the markets behind the scoreboard", () => {
  it("are those that pass the filters, each once and in order", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        assert.deepStrictEqual(
          yield* all({}),
          tickers(() => true),
        )
        assert.deepStrictEqual(
          yield* all({ domain: "nfl" }),
          tickers(({ domain }) => domain === "nfl"),
        )
        for (const bin of ["model-0", "market-9"] as const)
          assert.deepStrictEqual(
            yield* all({ bin }),
            tickers((row) => isIn(row, bin)),
          )
        for (const { name: lead } of leads)
          assert.deepStrictEqual(
            yield* all({ lead }),
            tickers((row) => leadName(row.closeTime - row.capturedAt) === lead),
          )
        const middle = rows[700]!.closeTime
        const from = middle - (middle % 86_400_000)
        assert.deepStrictEqual(
          yield* all({ from, to: from }),
          tickers(({ closeTime }) => closeTime >= from && closeTime < from + 86_400_000),
        )
      }),
    ))

  it("lead to their entries, which a generated row has in a demonstration alone", () => {
    const shown = (isDemo: boolean, hasEntries: boolean) =>
      marketsPage(
        { asked: {}, page: { rows: rows.slice(0, 3) }, query: new URLSearchParams(), wrong: [], isDemo, hasEntries },
        emptySite,
      )
    assert.include(shown(false, true), `href="/record?leaf=${encodeURIComponent(rows[0]!.captureId)}"`)
    assert.notInclude(shown(true, false), "/record?leaf=")
    assert.include(shown(true, true), "Sample data")
  })

  it("keep their filters in links, and say which were not understood", () => {
    const query = "domain=nfl&lead=1_to_6h&bin=market-9&from=2026-11-01&to=2026-11-24"
    const { asked, wrong } = askedIn(new URLSearchParams(query))
    assert.deepStrictEqual([linkOf(asked), wrong], [`/scoreboard/markets?${query}`, []])
    assert.deepStrictEqual(
      askedIn(new URLSearchParams("domain=x&bin=model-10&after=[]&to=1"))
        .wrong.map(({ field }) => field)
        .sort(),
      ["after", "bin", "domain", "to"],
    )
    const after = { closeTime: 5, ticker: "A&B", venue: "v" }
    assert.deepStrictEqual(askedIn(new URL(linkOf({ after }), "https://a.example").searchParams).asked.after, after)
  })
})
