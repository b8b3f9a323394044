import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as kraken from "../../../../adapters/lanes/crypto/kraken.ts"
import { asking, nowMinute, over } from "../../../support/exchanges.ts"
import { isSaid } from "../../../support/faults.ts"
import { describeRealData } from "../../../support/realData.ts"
import { json, replay } from "../../../support/replay.ts"

describe("Kraken's errors", () => {
  const cases: ReadonlyArray<readonly [name: string, body: unknown, reason: string]> = [
    ["an unknown pair, with status 200", { error: ["EQuery:Unknown asset pair"] }, "shape"],
    ["too many requests, with status 200", { error: ["EGeneral:Too many requests"] }, "shape"],
    ["an error beside rows", { error: ["EService:Busy"], result: { XXBTZUSD: [], last: 1 } }, "shape"],
    ["no result", { error: [] }, "shape"],
    ["no rows", { error: [], result: {} }, "shape"],
    ["no rows but the last", { error: [], result: { last: 1 } }, "shape"],
    ["no list of errors", { result: { XXBTZUSD: [], last: 1 } }, "shape"],
    ["an error that is no list", { error: "EGeneral:Internal error" }, "shape"],
    ["null for a result", { error: [], result: null }, "shape"],
    ["null for rows", { error: [], result: { XXBTZUSD: null, last: 1 } }, "shape"],
    ["a list", [], "shape"],
  ]
  for (const [name, body, reason] of cases) {
    it.scopedLive(`${name}: ${reason}`, () =>
      Effect.gen(function* () {
        const upstream = yield* replay([{ path: "/0/public/OHLC", reply: json(body) }])
        const failure = yield* Effect.flip(asking(over(kraken.make, upstream), [nowMinute - 5, nowMinute]))
        assert.strictEqual(failure.code, "upstream_unavailable")
        assert.isTrue(isSaid(failure.message, "Kraken", reason), failure.message)
        assert.strictEqual(upstream.requests.length, 1)
      }),
    )
  }
})

describeRealData("Kraken's response of 2025-11-11", (root) => {
  const file = join(root, "crypto/exchange/kraken/http_ohlc.json")
  it.scopedLive("is parsed without minutes that had no trades and without the current minute", () =>
    Effect.gen(function* () {
      const rows: ReadonlyArray<readonly [number, ...Array<string>]> = JSON.parse(readFileSync(file, "utf8")).result
        .XBTUSDT
      const [from, to] = [rows[0]![0] / 60, rows.at(-1)![0] / 60 + 1]
      // Four seconds into the last minute.
      const at = (to - 1) * 60_000 + 4_000
      // Of another pair, which the same answer would name as it was asked for.
      const text = readFileSync(file, "utf8")
      const upstream = yield* replay([
        { path: "/0/public/OHLC", reply: json(JSON.parse(text.replace("XBTUSDT", "XXBTZUSD"))) },
      ])
      const found = yield* asking(over(kraken.make, upstream), [from, to], "BTC", at)
      const expected = rows
        .filter(([time, , , , , , volume]) => Number(volume) > 0 && time < (to - 1) * 60)
        .map(([time, , high, low, close, , volume]) => ({
          minute: time / 60,
          high: Number(high),
          low: Number(low),
          close: Number(close),
          volume: Number(volume),
        }))
      assert.strictEqual(rows.length, 721)
      assert.strictEqual(found.length, 505)
      assert.deepStrictEqual(found, expected)
      // A part of it.
      const part = yield* asking(over(kraken.make, upstream), [from + 100, from + 200], "BTC", at)
      assert.deepStrictEqual(
        part,
        expected.filter(({ minute }) => minute >= from + 100 && minute < from + 200),
      )
    }),
  )
})
