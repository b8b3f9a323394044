import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { asking, events, outcomesOf, terms, weather } from "../../../../support/kalshi.ts"
import { describeRealData } from "../../../../support/realData.ts"
import { json, recorded, replay } from "../../../../support/replay.ts"

describeRealData("Kalshi's responses of July 2026", (root) => {
  const over = (file: string) =>
    replay([
      {
        path: "/trade-api/v2/markets",
        query: (query) => query.get("series_ticker") === "KXHIGHNY" || query.has("tickers"),
        reply: recorded(join(root, "markets/kalshi", file)),
      },
      { path: /markets$/, reply: json({ markets: [], cursor: "" }) },
      { path: /series/, reply: terms() },
      { path: /events$/, reply: events([{ event_ticker: "KXHIGHNY-26JUL12" }]) },
    ])

  it.scopedLive("open: three strikes on a high, settled by the official report", () =>
    Effect.gen(function* () {
      const found = yield* asking(yield* over("kxhighny_open_trimmed.json"), weather)
      assert.deepStrictEqual(
        found.map(({ strikeType, floorStrike, capStrike, bidAsk }) => [strikeType, floorStrike, capStrike, bidAsk]),
        [
          ["greater", 89, undefined, { yesBid: 0, yesAsk: 100, noAsk: 10_000 }],
          ["less", undefined, 82, { yesBid: 1_600, yesAsk: 1_900, noAsk: 8_400 }],
          ["between", 88, 89, { yesBid: 200, yesAsk: 300, noAsk: 9_800 }],
        ],
      )
      for (const { settlesOn } of found) {
        assert.strictEqual(settlesOn, "National Weather Service's Climatological Report (Daily)")
      }
    }),
  )

  it.scopedLive("settled: 85 °F is not above 94 and is below 87", () =>
    Effect.gen(function* () {
      const upstream = yield* over("kxhighny_settled_trimmed.json")
      const found = yield* asking(upstream, outcomesOf("KXHIGHNY-26JUL10-T94", "KXHIGHNY-26JUL10-T87"))
      const closedAt = Date.UTC(2026, 6, 11, 4, 59)
      assert.deepStrictEqual(found, [
        { ticker: "KXHIGHNY-26JUL10-T94", closedAt, result: "no" },
        { ticker: "KXHIGHNY-26JUL10-T87", closedAt, result: "yes" },
      ])
    }),
  )
})
