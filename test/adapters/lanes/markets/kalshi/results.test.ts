import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { asking, market, outcomesOf, serving } from "../../../../support/kalshi.ts"
import { json, replay } from "../../../../support/replay.ts"

describe("results at Kalshi", () => {
  const ended = (changes: Readonly<Record<string, unknown>> = {}) =>
    market({ status: "finalized", result: "yes", settlement_ts: "2026-07-13T12:00:00.5Z", ...changes })

  const cases: ReadonlyArray<readonly [what: string, row: unknown, result: string | undefined]> = [
    ["yes", ended(), "yes"],
    ["no", ended({ result: "no" }), "no"],
    ["a scalar is void", ended({ result: "scalar" }), "void"],
    ["nothing is void", ended({ result: "" }), "void"],
    ["the older name of final", ended({ status: "settled" }), "yes"],
    ["determined is not final", ended({ status: "determined" }), undefined],
    ["disputed is not final", ended({ status: "disputed" }), undefined],
    ["amended is not final", ended({ status: "amended" }), undefined],
    ["closed", ended({ status: "closed", result: "" }), undefined],
    ["open", market(), undefined],
  ]
  for (const [what, row, result] of cases) {
    it.scopedLive(what, () =>
      Effect.gen(function* () {
        const upstream = yield* serving({ pages: [[row]] })
        const [found] = yield* asking(upstream, outcomesOf("KXHIGHNY-26JUL12-T89"))
        assert.strictEqual(found?.result, result)
        if (result !== undefined) assert.strictEqual(found?.closedAt, Date.UTC(2026, 6, 13, 4, 59))
      }),
    )
  }

  it.scopedLive("close at settlement if that was before the announced close", () =>
    Effect.gen(function* () {
      const upstream = yield* serving({ pages: [[ended({ settlement_ts: "2026-07-12T20:00:00Z" })]] })
      const [found] = yield* asking(upstream, outcomesOf("KXHIGHNY-26JUL12-T89"))
      assert.strictEqual(found?.closedAt, Date.UTC(2026, 6, 12, 20))
    }),
  )

  it.scopedLive("are looked up in the archive when old, a hundred per request", () =>
    Effect.gen(function* () {
      const names = Array.from({ length: 150 }, (_, at) => `T${at}`)
      const upstream = yield* serving({ pages: [[ended({ ticker: "T0" })]], historical: [ended({ ticker: "T1" })] })
      const found = yield* asking(upstream, outcomesOf(...names))
      assert.includeMembers(
        found.map(({ ticker }) => ticker),
        ["T0", "T1"],
      )
      const asked = upstream.requests.map(({ path, query }) => [
        path.slice("/trade-api/v2".length),
        query.get("tickers")!.split(",").length,
      ])
      assert.deepStrictEqual(asked, [
        ["/markets", 100],
        ["/historical/markets", 99],
        ["/markets", 50],
        ["/historical/markets", 50],
      ])
    }),
  )

  it.scopedLive("a failed batch does not affect the others", () =>
    Effect.gen(function* () {
      const names = Array.from({ length: 150 }, (_, at) => `T${at}`)
      const upstream = yield* replay([
        {
          path: /\/markets$/,
          reply: ({ query }) => {
            const asked = query.get("tickers")!.split(",")
            return json({ markets: asked.includes("T0") ? [{}] : asked.map((ticker) => ended({ ticker })) })
          },
        },
      ])
      const { items, failed } = yield* asking(upstream, (venue) => venue.outcomes(names))
      assert.strictEqual(items.length, 50)
      assert.deepStrictEqual(
        failed.map(({ part }) => part),
        ["T0 and 99 more"],
      )
    }),
  )
})
