import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as hasher from "../../../../../adapters/runtime/node/hasher.ts"
import * as sqlite from "../../../../../adapters/store/engine/sqlite/open.ts"
import * as sqlCaptures from "../../../../../adapters/store/record/Captures.ts"
import * as sqlLaws from "../../../../../adapters/store/record/LawScores.ts"
import * as recordLog from "../../../../../adapters/store/record/RecordLog.ts"
import { ClimateReports, type Versions, WeatherLaws } from "../../../../../core/lanes/weather/ports.ts"
import { judgeLaw, scoreLaws } from "../../../../../core/lanes/weather/signal/scoreLaws.ts"
import { Captures } from "../../../../../core/record/captures/Captures.ts"
import { addDays } from "../../../../../core/time.ts"
import { captured } from "../../../../support/captures.ts"
import { day, hour, issuance, start } from "../world.ts"

/** 85 to 87 °F with probabilities of a quarter, a quarter and a half. */
const law = { 85: 1, 86: 0.75, 87: 0.5 }

describe("a law of three degrees", () => {
  it("has the score and the step that are computed by hand", () => {
    assert.deepStrictEqual(judgeLaw(law, 85), { crps: 0.75 ** 2 + 0.5 ** 2, low: 0, high: 0.25 })
    assert.deepStrictEqual(judgeLaw(law, 86), { crps: 0.25 ** 2 + 0.5 ** 2, low: 0.25, high: 0.5 })
    assert.deepStrictEqual(judgeLaw(law, 87), { crps: 0.25 ** 2 + 0.5 ** 2, low: 0.5, high: 1 })
    // Beyond its ends: the distance on top, and the step of the end.
    assert.deepStrictEqual(judgeLaw(law, 90), { crps: 3 + 0.25 ** 2 + 0.5 ** 2, low: 0.5, high: 1 })
    assert.deepStrictEqual(judgeLaw(law, 83), { crps: 2 + 0.75 ** 2 + 0.5 ** 2, low: 0, high: 0.25 })
  })

  it("is read by its degrees, whatever the order of their texts", () => {
    assert.deepStrictEqual(judgeLaw({ 0: 0.75, 1: 0.5, "-1": 1 } as never, 0), judgeLaw(law, 86))
    assert.deepStrictEqual(judgeLaw({ 99: 1, 100: 0.75, 101: 0.5 }, 100), judgeLaw(law, 86))
  })
})

const store = Layer.mergeAll(
  sqlCaptures.layer,
  sqlLaws.layer,
  sqlLaws.layerRecord(WeatherLaws, "weather"),
  recordLog.layer,
).pipe(Layer.provide(Layer.merge(sqlite.layer(":memory:"), hasher.layer)))

const shifted = (by: number) => Object.fromEntries(Object.entries(law).map(([k, p]) => [Number(k) + by, p]))

/** A capture of New York's day, `hours` after the day began. */
const taken = (id: string, hours: number, by = 0, changes: Parameters<typeof captured>[0] = {}) =>
  captured({
    ...{ id, at: start + hours * hour, lane: "weather", endpoint: "weather_signal", subject: `KNYC/${day}` },
    ...{ modelVersion: `t-${by}`, output: { high: shifted(by), low: shifted(by - 20) } },
    ...changes,
  })

/** One run over the reports of New York. */
const scoring = (reports: ReadonlyArray<Versions>) =>
  scoreLaws.pipe(
    Effect.provide(
      Layer.succeed(ClimateReports, {
        freshness: "live",
        versions: () => Effect.dieMessage("not asked for"),
        latestFinalDay: () => Effect.dieMessage("not asked for"),
        coverage: () => Effect.dieMessage("not asked for"),
        range: (station) => Effect.succeed(station === "KNYC" ? reports : []),
      }),
    ),
  )

const report = (changes: Parameters<typeof issuance>[0] = {}, late = 30) =>
  issuance({ day, status: "final", highF: 86, lowF: 65, ...changes }, start + late * hour)

describe("the scores of captured temperature laws", () => {
  it.effect(
    "are of the first scheduled capture of each lead, on the first final report, and follow what becomes of it",
    () =>
      Effect.gen(function* () {
        const { append } = yield* Captures
        const { scores } = yield* WeatherLaws
        const stored = scores("KNYC", "")
        yield* append([
          taken("bought", -20, 5, { kind: "on_demand" }),
          taken("ahead", -14),
          taken("ahead again", -3, 4),
          taken("same day", 2, 1),
          taken("later that day", 20, 4),
          taken("too late", 25, 4),
          taken("another day", -14, 3, { subject: `KNYC/${addDays(day, 1)}` }),
        ])
        yield* TestClock.setTime(start + 36 * hour)
        // Nothing is scored on a preliminary report.
        assert.strictEqual(yield* scoring([[report({ status: "preliminary" })]]), 0)
        assert.deepStrictEqual(yield* stored, [])
        assert.strictEqual(yield* scoring([[report()]]), 1)
        const of = (variable: string, lead: number, captureId: string, by: number, outcome: number) => ({
          ...{ instrument: "KNYC", target: day, variable, lead, captureId, modelVersion: `t-${by}`, outcome },
          ...judgeLaw(law, variable === "high" ? outcome - by : outcome + 20 - by),
        })
        const first = [
          of("high", 0, "same day", 1, 86),
          of("high", 1, "ahead", 0, 86),
          of("low", 0, "same day", 1, 65),
          of("low", 1, "ahead", 0, 65),
        ]
        assert.deepStrictEqual(yield* stored, first)
        // A later correction changes nothing: contracts settle on the first final report.
        assert.strictEqual(yield* scoring([[report({ highF: 88 }, 40), report()]]), 0)
        assert.deepStrictEqual(yield* stored, first)
        // The first is voided, and the correction stands; then all of them are.
        assert.strictEqual(yield* scoring([[report({ highF: 88, lowF: undefined as never }, 40)]]), 1)
        assert.deepStrictEqual(yield* stored, [of("high", 0, "same day", 1, 88), of("high", 1, "ahead", 0, 88)])
        assert.strictEqual(yield* scoring([]), 1)
        assert.deepStrictEqual(yield* stored, [])
        assert.strictEqual(yield* scoring([]), 0)
      }).pipe(Effect.provide(store)),
  )
})
