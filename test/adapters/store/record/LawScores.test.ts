import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as hasher from "../../../../adapters/runtime/node/hasher.ts"
import * as sqlCaptures from "../../../../adapters/store/record/Captures.ts"
import * as sqlLaws from "../../../../adapters/store/record/LawScores.ts"
import * as recordLog from "../../../../adapters/store/record/RecordLog.ts"
import { CryptoLaws } from "../../../../core/lanes/crypto/ports.ts"
import { WeatherLaws } from "../../../../core/lanes/weather/ports.ts"
import { Captures } from "../../../../core/record/captures/Captures.ts"
import { type LawScore, LawScores } from "../../../../core/record/captures/LawScores.ts"
import { anyStore } from "../../../support/anyStore.ts"
import { captured } from "../../../support/captures.ts"

const inStore = <A, E>(effect: Effect.Effect<A, E, Captures | CryptoLaws | LawScores | WeatherLaws>) =>
  Effect.provide(
    effect,
    Layer.mergeAll(
      sqlCaptures.layer,
      sqlLaws.layer,
      sqlLaws.layerRecord(WeatherLaws, "weather"),
      sqlLaws.layerRecord(CryptoLaws, "crypto"),
      recordLog.layer,
    ).pipe(Layer.provide(Layer.merge(anyStore, hasher.layer))),
  )

const subject = "KNYC/2026-07-08"
const append = (id: string, at: number, changes: Parameters<typeof captured>[0] = {}) =>
  Effect.flatMap(Captures, ({ append }) =>
    append([
      captured({ id, at, lane: "weather", endpoint: "weather_signal", subject, modelVersion: "t8", ...changes }),
    ]),
  )

const score = (changes: Partial<LawScore> = {}): LawScore => ({
  ...{ instrument: "KNYC", target: "2026-07-08", variable: "high", lead: 0, captureId: "a", modelVersion: "t8" },
  ...{ outcome: 86, crps: 0.1 + 0.2, low: 1 / 3, high: 2 / 3 },
  ...changes,
})

describe("scored laws", () => {
  it.effect("are of scheduled captures of one subject before an instant, oldest first, with what they say", () =>
    inStore(
      Effect.gen(function* () {
        yield* append("b", 20, { output: { high: { 85: 1 } } })
        yield* append("a", 10)
        yield* append("c", 30)
        yield* append("d", 15, { kind: "on_demand" })
        yield* append("e", 15, { subject: "KNYC/2026-07-09" })
        yield* append("f", 15, { endpoint: "another" })
        const { captures, output } = yield* LawScores
        const of = { lane: "weather", endpoint: "weather_signal", subject }
        assert.deepStrictEqual(yield* captures(of, 0, 30), [
          { id: "a", at: 10 },
          { id: "b", at: 20 },
        ])
        assert.deepStrictEqual(yield* captures(of, 11, 20), [])
        assert.deepStrictEqual(yield* output("b"), { modelVersion: "t8", output: { high: { 85: 1 } } })
      }),
    ),
  )

  it.effect("are replaced by target, and read by lane, instrument and first target", () =>
    inStore(
      Effect.gen(function* () {
        yield* append("a", 10)
        const { replace, scores } = yield* LawScores
        const weather = yield* WeatherLaws
        assert.isUndefined(yield* weather.newest())
        const rows = [score(), score({ lead: 1 }), score({ variable: "low", low: 0.5, high: 0.5 })]
        const [instrument, target, later] = ["KNYC", "2026-07-08", "2026-07-09"]
        const next = score({ target: later })
        yield* replace("weather", [{ instrument, target, scores: rows }], 5)
        yield* replace("weather", [{ instrument, target: later, scores: [next] }], 6)
        yield* replace("crypto", [{ instrument, target, scores: [score({ crps: 9 })] }], 7)
        assert.deepStrictEqual(yield* scores("weather", instrument, ""), [...rows, next])
        assert.deepStrictEqual(yield* weather.scores(instrument, later), [next])
        assert.deepStrictEqual(yield* weather.scores("KMDW", ""), [])
        assert.deepStrictEqual(yield* weather.newest(), { at: 6, rows: 4 })
        // A corrected report: other values, and a variable less.
        const corrected = score({ outcome: 85, crps: 1.25 })
        yield* replace("weather", [{ instrument, target, scores: [corrected] }], 8)
        assert.deepStrictEqual(yield* weather.scores(instrument, ""), [corrected, next])
        // A voided one: none.
        yield* replace("weather", [{ instrument, target, scores: [] }], 9)
        assert.deepStrictEqual(yield* weather.scores(instrument, ""), [next])
        assert.deepStrictEqual(yield* weather.newest(), { at: 6, rows: 1 })
        const crypto = yield* CryptoLaws
        assert.deepStrictEqual(yield* crypto.newest(), { at: 7, rows: 1 })
        // All or none.
        const half = [
          { instrument, target: later, scores: [] },
          { instrument, target, scores: [score({ captureId: "never captured" })] },
        ]
        assert.strictEqual((yield* Effect.exit(replace("weather", half, 10)))._tag, "Failure")
        assert.deepStrictEqual(yield* weather.scores(instrument, ""), [next])
      }),
    ),
  )
})
