import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { closes } from "../../../../../adapters/lanes/crypto/mock/tape.ts"
import { cryptoTask } from "../../../../../bench/open/lanes/crypto/task.ts"
import { minute } from "../../../../../core/time.ts"
import { benchDigest } from "../../../../support/benchDigest.ts"

const from = Date.UTC(2026, 5, 1) / minute
const bars = 2_000
const input = { name: "tape", sha256: "", rows: bars }

// The published scores are of these forecasts: a change belongs into CHANGELOG.md, with new scores.
it.effect("the bench of a tape finds the same in each release", () =>
  Effect.gen(function* () {
    const minutes = closes("BTC", from, from + bars)
    const task = cryptoTask({ asset: "BTC", closes: minutes, lastMinute: from + bars - 1, minutesPerBar: 1, input })
    assert.deepStrictEqual(yield* benchDigest(task), {
      cases: "01587f9d",
      comparison: "2db016c6",
      facts: "d28466fa",
      forecasts: "ec29092b",
      scores: "5d4a9cf2",
      text: "e9beea22",
    })
  }),
)
