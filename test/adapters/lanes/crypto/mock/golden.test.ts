import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { closes, layer } from "../../../../../adapters/lanes/crypto/mock/tape.ts"
import { Tape } from "../../../../../core/lanes/crypto/ports.ts"
import { minute } from "../../../../../core/time.ts"
import { digest } from "../../../../support/digest.ts"

const from = Date.parse("2026-07-09T12:00:00Z") / minute

// Whoever tries the service compares its answers with those of the documents: a change belongs into CHANGELOG.md.
describe("the invented tape is the same in each release", () => {
  it("its closes", () => {
    const years = Array.from({ length: 60 }, (_, n) => 26_297_280 + n * 100_003)
    assert.deepStrictEqual(
      {
        BTC: digest(closes("BTC", from, from + 600)),
        ETH: digest(closes("ETH", from, from + 600)),
        years: digest(years.map((at) => [...closes("BTC", at, at + 3)])),
        first: [...closes("BTC", from, from + 3)],
      },
      {
        BTC: "e2357cce",
        ETH: "a7d6109c",
        first: [65467.28, 65627.65, 65477.95],
        years: "909a5405",
      },
    )
  })

  it.effect("its window ends with the last whole minute, however it is asked before", () =>
    Effect.gen(function* () {
      const { window } = yield* Tape
      for (const later of [0, 1, 1.5, 7, 3, 400, 401]) {
        yield* TestClock.setTime((from + later) * minute)
        const last = Math.floor(from + later) - 1
        const { closes: read, lastMinute } = (yield* window("ETH", 100))!
        assert.deepStrictEqual([lastMinute, [...read]], [last, [...closes("ETH", last - 99, last + 1)]])
      }
    }).pipe(Effect.provide(layer)),
  )
})
