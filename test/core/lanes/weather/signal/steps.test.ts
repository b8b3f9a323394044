import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { layer } from "../../../../../adapters/lanes/weather/mock/reports.ts"
import { type Failure, fail } from "../../../../../core/Failure.ts"
import { ClimateReports, Observations } from "../../../../../core/lanes/weather/ports.ts"
import { type ExtremeStep, learnSteps, StepStore } from "../../../../../core/lanes/weather/signal/steps.ts"
import { stations } from "../../../../../core/lanes/weather/stations.ts"

const now = Date.parse("2026-07-09T17:00:00Z")

/** Learns over the generated weather into a store that is kept here. */
const learning = (stored: Array<ExtremeStep>, refuses: (station: string) => boolean = () => false) => {
  const known = Effect.sync(() => new Set(stored.map(({ station, day, variable }) => `${station}/${day}/${variable}`)))
  const store = Layer.succeed(StepStore, {
    known: () => known,
    append: (steps) => Effect.sync(() => void stored.push(...steps)),
  })
  const observations = Layer.effect(
    Observations,
    Effect.map(Observations, (own) => ({
      ...own,
      since: (station, from): Effect.Effect<never, Failure> | ReturnType<typeof own.since> =>
        refuses(station.id) ? fail("upstream_unavailable", { detail: "No answer." }) : own.since(station, from),
    })),
  )
  return Effect.zipRight(TestClock.setTime(now), learnSteps).pipe(
    Effect.provide(Layer.mergeAll(store, observations).pipe(Layer.provideMerge(layer))),
  )
}

describe("the distance of final reports from observations", () => {
  it.effect("is counted once for each day that is over and has a final report", () =>
    Effect.gen(function* () {
      const stored: Array<ExtremeStep> = []
      const first = yield* learning(stored)
      assert.deepStrictEqual(first, { counted: stored.length, failures: [] })
      const reports = yield* Effect.provide(ClimateReports, layer)
      const days = new Set(stored.map(({ day }) => day))
      assert.deepStrictEqual([...days].sort(), [
        "2026-07-03",
        "2026-07-04",
        "2026-07-05",
        "2026-07-06",
        "2026-07-07",
        "2026-07-08",
      ])
      for (const { station, day, variable, officialF, productId } of stored) {
        const [newest] = yield* reports.versions(station, day)
        assert.deepStrictEqual(
          [newest!.productId, newest!.report[variable === "high" ? "highF" : "lowF"]],
          [productId, officialF],
        )
      }
      assert.strictEqual(new Set(stored.map(({ station }) => station)).size, stations.length)
      assert.deepStrictEqual(yield* learning(stored), { counted: 0, failures: [] })
      // What is missing is counted alone.
      const [lost] = stored.splice(5, 1)
      assert.deepStrictEqual(yield* learning(stored), { counted: 1, failures: [] })
      assert.deepStrictEqual(stored.at(-1), lost)
    }),
  )

  it.effect("fails only if no station could be read", () =>
    Effect.gen(function* () {
      const stored: Array<ExtremeStep> = []
      const { failures } = yield* learning(stored, (station) => station === "KNYC")
      assert.deepStrictEqual(failures, ["KNYC: No answer."])
      assert.isFalse(stored.some(({ station }) => station === "KNYC"))
      const failure = yield* Effect.flip(learning([], () => true))
      assert.strictEqual(failure.code, "upstream_unavailable")
      assert.strictEqual(failure.message.split("No answer.").length - 1, stations.length)
    }),
  )
})
