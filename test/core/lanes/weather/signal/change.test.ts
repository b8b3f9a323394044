import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { PCGRandom } from "effect/Utils"
import { type ChangedDay, fitRule } from "../../../../../bench/open/lanes/weather/changes.ts"
import type { ForecastKey } from "../../../../../core/lanes/weather/signal/Calibrations.ts"
import { addChange, findChangeRule, toChangeTerms } from "../../../../../core/lanes/weather/signal/change.ts"
import { dot } from "../../../../../core/lanes/weather/signal/temperature.ts"
import { recompute, Weather } from "../../../../../core/lanes/weather/Weather.ts"
import { RecordInputs } from "../../../../../core/record/captures/RecordInputs.ts"
import { SyncSha256 } from "../../../../../core/record/log/SyncSha256.ts"
import { addDays } from "../../../../../core/time.ts"
import { day, hour, start, weatherOver } from "../world.ts"

const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest()
const target = addDays(day, 1)

/** The signal of a day, asked at 07:00 local standard time of the day before it, or `later` hours after. */
const ask = (dayBefore?: (key: ForecastKey) => number | undefined, station = "KNYC", of = target, later = 0) =>
  Effect.zipRight(
    TestClock.setTime(start + (7 + later) * hour),
    Effect.flatMap(Weather, ({ signal }) => signal({ station, target: of })),
  ).pipe(Effect.provide(weatherOver(dayBefore === undefined ? {} : { dayBefore })))

describe("the change of a forecast since the day before", () => {
  it("has a rise or a fall in tens of degrees, at most twenty degrees, and the season", () => {
    assert.deepStrictEqual(toChangeTerms("2026-07-09", 12).slice(0, 3), [1, 1.2, 0])
    assert.deepStrictEqual(toChangeTerms("2026-07-09", -5).slice(0, 3), [1, 0, 0.5])
    assert.deepStrictEqual(toChangeTerms("2026-07-09", -453), toChangeTerms("2026-07-09", -20))
    const [, , , cos, sin] = toChangeTerms("2026-01-01", 0)
    assert.approximately(Math.atan2(sin!, cos!), (2 * Math.PI) / 365.2425, 1e-12)
  })

  it("is found by the fit where it made the days", () => {
    const generator = new PCGRandom(5)
    const rule = { mean: [0.2, -0.8, 1, 0.3, 0], logSigma: [-0.1, 0.2, 0.5, 0, 0.1] }
    const days = Array.from({ length: 20_000 }, (_, at): ChangedDay => {
      const terms = toChangeTerms(addDays("2000-01-01", at % 3650), 40 * generator.number() - 20)
      // Student's t: a normal over the root of a mean of eight squares.
      const normal = () => Math.sqrt(-2 * Math.log(1 - generator.number())) * Math.cos(2 * Math.PI * generator.number())
      const squares = Array.from({ length: 8 }, () => normal() ** 2).reduce((sum, each) => sum + each, 0)
      const error = (normal() / Math.sqrt(squares / 8)) * Math.sqrt(6 / 8)
      const sigma = 2 * Math.exp(dot(rule.logSigma, terms))
      return { mean: 60, sigma: 2, terms, actualF: 60 + dot(rule.mean, terms) + sigma * error }
    })
    const found = fitRule(days)
    for (const [at, value] of rule.mean.entries()) assert.approximately(found.mean[at]!, value, 0.12)
    for (const [at, value] of rule.logSigma.entries()) assert.approximately(found.logSigma[at]!, value, 0.05)
  })

  it.effect("moves and widens a day-ahead high by the station's rule, and says so", () =>
    Effect.gen(function* () {
      const asked: Array<ForecastKey> = []
      const plain = yield* ask()
      const changed = yield* ask((key) => {
        asked.push(key)
        return 70
      })
      assert.deepStrictEqual(asked, [{ station: "KNYC", day, variable: "high", bucket: 1 }])
      // The grid has 85 °F each day.
      const terms = toChangeTerms(target, 15)
      const { projection, uncertainty } = plain.results
      const law = addChange({ bias: 0, sigma: 1 }, findChangeRule({ id: "KNYC" }, "high", 1)!, terms)
      assert.approximately(changed.results.projection.high_f - projection.high_f, law.bias, 0.011)
      assert.approximately(changed.results.uncertainty.sigma_f / uncertainty.sigma_f, law.sigma, 0.006)
      assert.deepStrictEqual(changed.results.probabilities.low, plain.results.probabilities.low)
      assert.match(
        changed.reasoning.join(" "),
        /The forecast is \+15\.00 °F from that of the day before, at the same lead/,
      )
      assert.match(plain.reasoning.join(" "), /No forecast of the day before is archived at this lead/)
      // What was learned of earlier errors is told apart from it.
      const corrected = (lines: ReadonlyArray<string>) => lines.find((line) => line.includes("forecast high of"))!
      assert.strictEqual(
        corrected(changed.reasoning).split(", sigma")[0],
        corrected(plain.reasoning).split(", sigma")[0],
      )
    }),
  )

  it.effect("is stored with the inputs; a record without it is computed as before", () =>
    Effect.gen(function* () {
      for (const dayBefore of [() => 70, undefined]) {
        const { record } = yield* ask(dayBefore)
        const { text, putShared } = record!.inputs(sha256)
        assert.strictEqual(JSON.parse(text).dayBeforeF, dayBefore?.())
        const again = recompute(record!.params, JSON.parse(text), "prediction", record!.modelVersion)
        const stored = RecordInputs.layerMemory(new Map(putShared.map((part) => [part.hash, part.text()])))
        const kept = stored.pipe(Layer.provide(Layer.succeed(SyncSha256, { sha256 })))
        assert.deepStrictEqual(yield* Effect.provide(again, kept), record!.output())
      }
    }),
  )

  it.effect("is not asked for where no rule was fitted: other stations, other leads, the day itself", () =>
    Effect.gen(function* () {
      const never = () => assert.fail("asked")
      for (const [station, of, later] of [
        ["KDEN", target, 0],
        ["KNYC", addDays(day, 2), 0],
      ] as const) {
        const { reasoning } = yield* ask(never, station, of, later)
        assert.notMatch(reasoning.join(" "), /day before/)
      }
    }),
  )
})
