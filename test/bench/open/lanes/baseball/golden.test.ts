import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { baseballData, feeds } from "../../../../../bench/open/lanes/baseball/data.ts"
import { baseballTask } from "../../../../../bench/open/lanes/baseball/task.ts"
import { inningsHead, oddsRows, withInnings } from "../../../../support/baseballFiles.ts"
import { benchDigest } from "../../../../support/benchDigest.ts"
import { digest } from "../../../../support/digest.ts"

const rows = withInnings(oddsRows(3)).map((cells) =>
  Object.fromEntries(inningsHead.split(",").map((name, at) => [name, cells[at]])),
)

// The published scores are of these forecasts: a change belongs into CHANGELOG.md, with new scores.
it.effect("baseball's bench finds the same in each release", () =>
  Effect.gen(function* () {
    const data = yield* baseballData({
      odds: rows.map((row) => Either.getOrThrow(feeds.odds.read(row))!),
      innings: rows.map((row) => Either.getOrThrow(feeds.innings.read(row))!),
      logs: [],
      inputs: [],
    })
    assert.strictEqual(digest(data), "f0d68971")
    assert.deepStrictEqual(yield* benchDigest(baseballTask(data)), {
      cases: "a332bc81",
      comparison: "963fc90d",
      facts: "b124f06c",
      forecasts: "3ce4a3e0",
      scores: "adeea376",
      text: "ab88886c",
    })
  }),
)
