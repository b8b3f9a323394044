import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { layerArchive, layerReports } from "../../../../../adapters/lanes/weather/store/ClimateReports.ts"
import * as sqlite from "../../../../../adapters/store/engine/sqlite/open.ts"
import { Feeds } from "../../../../../core/feeds/Feeds.ts"
import * as Lane from "../../../../../core/lanes/Lane.ts"
import { ClimateArchive, ClimateReports } from "../../../../../core/lanes/weather/ports.ts"
import { history, settlement } from "../../../../../core/lanes/weather/reports/settlement.ts"
import { listDays } from "../../../../../core/lanes/weather/stations.ts"
import { issuance, preliminary } from "../../../../support/issuances.ts"

/** A store that has a preliminary report of each day up to one, and of the first its final one too. */
const answers = (now: number, last: string, day?: string) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(now)
    const reports = yield* ClimateReports
    const feeds = yield* Feeds
    const held = [issuance("2026-07-07"), ...listDays("2026-07-07", last).map(preliminary)]
    yield* (yield* ClimateArchive).append(
      held.map((each) => ({ issuance: each, text: "" })),
      now,
    )
    return {
      settled: yield* Effect.either(
        Lane.method(settlement, { reports, feeds })({ station: "KNYC", ...(day === undefined ? {} : { day }) }),
      ),
      history: yield* Lane.method(history, { reports, feeds })({
        station: "KNYC",
        start: "2026-07-07",
        end: day ?? "2026-07-07",
      }),
    }
  }).pipe(
    Effect.provide(
      Layer.mergeAll(layerArchive, layerReports, Feeds.layerNone).pipe(Layer.provideMerge(sqlite.layer(":memory:"))),
    ),
  )

const hour = 3_600_000
/** Midnight in New York's standard time: 9 July begins. */
const midnight = Date.UTC(2026, 6, 9, 5)

describe("a day's settlement and its row in the history", () => {
  const cases: ReadonlyArray<
    readonly [name: string, now: number, day: string, served: "final" | "preliminary" | undefined, says?: RegExp]
  > = [
    ["a final report", midnight + hour, "2026-07-07", "final"],
    ["a preliminary one of the day that is not over", midnight + 13 * hour, "2026-07-09", "preliminary"],
    [
      "a preliminary one of a day that has just ended",
      midnight + hour,
      "2026-07-08",
      undefined,
      /^wait .* expected by 2026-07-09T07:00:00/,
    ],
    ["a preliminary one of a day long over", midnight + 13 * hour, "2026-07-08", undefined, /^change .* was expected/],
  ]
  for (const [name, now, day, served, says] of cases) {
    it.effect(`agree on ${name}`, () =>
      Effect.gen(function* () {
        const { settled, history } = yield* answers(now, day, day)
        const row = history.results.days.find((each) => each.day === day)
        assert.strictEqual(row?.status, served)
        assert.strictEqual(history.results.missing_days?.includes(day), served === undefined)
        assert.strictEqual(history.results.coverage.last, served === undefined ? "2026-07-07" : day)
        if (settled._tag === "Right") {
          assert.deepStrictEqual(settled.right.results.settlement, row)
          assert.strictEqual(settled.right.confidence.score, served === "final" ? 1 : 0.9)
        } else {
          const { code, message, hints = [] } = settled.left
          assert.strictEqual(code, "not_found")
          assert.strictEqual(message, `No final report of KNYC for ${day} is stored, only a preliminary one.`)
          assert.match(hints.map(({ action, suggestion }) => `${action} ${suggestion}`).join(), says ?? /^$/)
        }
      }),
    )
  }

  it.effect("without a day is the latest final one's", () =>
    Effect.map(answers(midnight + 13 * hour, "2026-07-09"), ({ settled }) => {
      assert.strictEqual(
        settled._tag === "Right" ? settled.right.results.settlement.day : settled.left.code,
        "2026-07-07",
      )
    }),
  )
})
