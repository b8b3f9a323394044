import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { simulatedLaws } from "../../../adapters/lanes/mock/laws.ts"
import type { Service } from "../../../core/endpoint/Port.ts"
import { makeLawFigures } from "../../../core/lanes/lawRecord.ts"
import { judgeLaw } from "../../../core/lanes/weather/signal/scoreLaws.ts"
import { ratio } from "../../../core/math/clusters.ts"
import { xoshiro128 } from "../../../core/math/xoshiro128.ts"
import type { LawRecord, LawScore } from "../../../core/record/captures/LawScores.ts"
import { weatherWeek } from "../../../core/record/scoreboard/cluster.ts"
import { addDays, day } from "../../../core/time.ts"

const now = Date.UTC(2026, 6, 9, 12)
const weekOf = (target: string) => weatherWeek(Date.parse(target))

/** A live record of these scores; `asked` counts the readings. */
const recordOf = (all: ReadonlyArray<LawScore>, asked: Array<string> = []): Service<LawRecord> => ({
  freshness: "live",
  newest: () => Effect.succeed({ at: now - day, rows: all.length }),
  scores: (instrument, first) => {
    asked.push(`${instrument} ${first}`)
    return Effect.succeed(all.filter((one) => one.instrument === instrument && one.target >= first))
  },
})

const at = <A, E>(instant: number, effect: Effect.Effect<A, E>) => Effect.zipRight(TestClock.setTime(instant), effect)

const score = (target: string, changes: Partial<LawScore> = {}): LawScore => ({
  ...{ instrument: "A", target, variable: "high", lead: 1, captureId: "c", modelVersion: "m-1", outcome: 1 },
  ...{ crps: 1, low: 0.5, high: 0.5 },
  ...changes,
})

describe("the figures of a record of laws", () => {
  it.effect("are of all instruments, then of each, by lead and variable", () =>
    Effect.gen(function* () {
      const all = [
        score("2026-07-01", { low: 0, high: 0.2, crps: 3, instrument: "B", modelVersion: "m-2" }),
        score("2026-07-01"),
        score("2026-07-02", { variable: "low" }),
        score("2026-07-02", { lead: 0 }),
      ]
      const { laws, rows, results } = yield* at(now, makeLawFigures(["B", "A"], weekOf)(recordOf(all)))
      assert.strictEqual(laws, 4)
      const about = { as_of: "2026-07-08T12:00:00.000Z", data_freshness: "live" as const }
      assert.deepStrictEqual(results, { ...about, model_versions: ["m-1", "m-2"] })
      assert.deepStrictEqual(
        rows.map(({ part: { instrument, lead, variable }, figures: { n, crps } }) => [
          instrument,
          lead,
          variable,
          n,
          crps,
        ]),
        [
          [undefined, 0, "high", 1, 1],
          [undefined, 1, "high", 2, 2],
          [undefined, 1, "low", 1, 1],
          ["B", 1, "high", 1, 3],
          ["A", 0, "high", 1, 1],
          ["A", 1, "high", 1, 1],
          ["A", 1, "low", 1, 1],
        ],
      )
      const { figures } = rows[1]!
      assert.deepStrictEqual(figures.pit, [0.25, 0.25, 0, 0, 0, 0.5, 0, 0, 0, 0])
      assert.deepStrictEqual([figures.coverage_50, figures.coverage_90], [0.5, 0.875])
      assert.approximately(figures.coverage_80, 0.75, 1e-15)
    }),
  )

  it.effect("are of the last year, computed once until laws are scored or the day ends", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const record = recordOf([score("2025-07-08"), score("2025-07-09"), score("2026-07-08")], asked)
      const figures = makeLawFigures(["A"], weekOf)
      assert.strictEqual((yield* at(now, figures(record))).laws, 2)
      yield* at(now + 3_600_000, figures(record))
      assert.deepStrictEqual(asked, ["A 2025-07-09"])
      assert.strictEqual((yield* at(now + day, figures(record))).laws, 1)
      assert.deepStrictEqual(asked, ["A 2025-07-09", "A 2025-07-10"])
    }),
  )

  it.effect("have the interval of whole clusters, and none of fewer than ten", () =>
    Effect.gen(function* () {
      const days = Array.from({ length: 70 }, (_, n) => addDays("2026-04-27", n))
      const all = days.map((target, n) => score(target, { crps: 1 + (n % 5) + Math.floor(n / 7) / 10 }))
      const { rows } = yield* at(now, makeLawFigures(["A"], weekOf)(recordOf(all)))
      const { value, low, high } = ratio(
        all.map(({ crps }) => crps),
        all.map(() => 1),
        all.map(({ target }) => weekOf(target)),
        { replicates: 2_000, level: 0.95, generator: xoshiro128(20_260_101) },
      )
      assert.deepStrictEqual(rows[0]!.figures.crps_interval, { low, high, level: 0.95 })
      assert.isTrue(low < value && value < high && rows[0]!.figures.crps === value)
      const fewer = yield* at(now, makeLawFigures(["A"], weekOf)(recordOf(all.slice(0, 63))))
      assert.isUndefined(fewer.rows[0]!.figures.crps_interval)
    }),
  )

  it.effect("are those of nothing without a law", () =>
    Effect.gen(function* () {
      const none: Service<LawRecord> = { ...recordOf([]), newest: () => Effect.succeed(undefined) }
      const { laws, rows, results } = yield* at(now, makeLawFigures(["A"], weekOf)(none))
      assert.deepStrictEqual(
        [laws, rows, results],
        [0, [], { as_of: new Date(now).toISOString(), data_freshness: "live", model_versions: [] }],
      )
    }),
  )
})

describe("a record of laws that are right", () => {
  const isRight = (
    rows: Effect.Effect.Success<ReturnType<ReturnType<typeof makeLawFigures>>>["rows"],
    within: number,
  ) => {
    for (const { figures } of rows) {
      for (const share of figures.pit) assert.approximately(share, 0.1, within)
      assert.approximately(figures.coverage_50, 0.5, within)
      assert.approximately(figures.coverage_80, 0.8, within)
      assert.approximately(figures.coverage_90, 0.9, within)
    }
  }
  const whole = <R extends { readonly part: { readonly instrument?: string } }>(rows: ReadonlyArray<R>) =>
    rows.filter(({ part: { instrument } }) => instrument === undefined)

  it.effect("is flat and covers what it says, of whole degrees too; one that is too narrow is neither", () =>
    Effect.gen(function* () {
      const masses = [0.1, 0.2, 0.4, 0.2, 0.1]
      const ge = (of: ReadonlyArray<number>) =>
        Object.fromEntries(
          of.map((_, k) => [
            80 + k,
            Math.min(
              1,
              of.slice(k).reduce((sum, p) => sum + p, 0),
            ),
          ]),
        )
      const [right, narrow] = [ge(masses), ge([0.01, 0.09, 0.8, 0.09, 0.01])]
      const generator = xoshiro128(7)
      const outcome = () => {
        let [left, degree] = [generator.integer(2 ** 30) / 2 ** 30, 0]
        while (left >= masses[degree]! && degree < masses.length - 1) left -= masses[degree++]!
        return 80 + degree
      }
      const laws = Array.from({ length: 6_000 }, (_, n) => {
        const [target, lead, drawn] = [addDays("2026-07-08", -(n % 360)), Math.floor(n / 360), outcome()]
        return [right, narrow].map((law, instrument) =>
          score(target, { instrument: "AB"[instrument]!, captureId: `${lead}`, ...judgeLaw(law, drawn) }),
        )
      }).flat()
      const { rows } = yield* at(now, makeLawFigures(["A", "B"], weekOf)(recordOf(laws)))
      isRight(rows.slice(1, 2), 0.015)
      const tight = rows[2]!.figures
      assert.isAbove(tight.pit[0]!, 0.14)
      assert.isBelow(tight.coverage_50, 0.35)
      assert.isBelow(tight.coverage_80, 0.65)
      // The law that the outcomes are drawn from has the lower score.
      assert.isBelow(rows[1]!.figures.crps_interval!.high, tight.crps)
    }),
  )

  it.effect("is what the generated data shows, and says that it is simulated", () =>
    Effect.gen(function* () {
      const instruments = ["A", "B", "C", "D", "E"]
      const simulated = simulatedLaws(day, [{ variable: "high", lead: 1, scale: 2 }])
      const { laws, rows, results } = yield* at(now, makeLawFigures(instruments, weekOf)(simulated))
      assert.strictEqual(laws, 365 * 5)
      isRight(whole(rows), 0.025)
      assert.strictEqual(results.data_freshness, "mock")
      assert.deepStrictEqual(results.model_versions, ["demo"])
      // σ / √π of a normal law.
      const { low, high } = whole(rows)[0]!.figures.crps_interval!
      assert.isTrue(low < 2 / Math.sqrt(Math.PI) && 2 / Math.sqrt(Math.PI) < high)
    }),
  )
})
