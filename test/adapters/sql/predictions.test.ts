import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as predictions from "../../../adapters/sql/Predictions.ts"
import * as recordLog from "../../../adapters/sql/RecordLog.ts"
import type { Hasher } from "../../../core/record/Hasher.ts"
import { type Outcome, type Prediction, PredictionOutcomes, Predictions } from "../../../core/record/Predictions.ts"
import { RecordLog } from "../../../core/record/RecordLog.ts"
import { emptyStore } from "../../support/footballStore.ts"

const kickoff = 1_000_000
const prediction = (id: string, changes: Partial<Prediction> = {}): Prediction => ({
  id,
  lane: "football",
  endpoint: "nfl_fair_line",
  subject: "2024_03_LV_KC",
  modelVersion: "m-1",
  at: kickoff - 100,
  closesAt: kickoff,
  params: { team: "KC" },
  output: { home_margin: 3 },
  market: { spread: 7 },
  inputsHash: "a",
  ...changes,
})
const outcome = (predictionId: string, revision: number, scores: Outcome["scores"]): Outcome => ({
  predictionId,
  revision,
  at: kickoff + revision,
  outcome: { home_score: 20 + revision, away_score: 17 },
  scores,
})

const inMemory = <A, E>(
  effect: Effect.Effect<A, E, Hasher | PredictionOutcomes | Predictions | RecordLog | SqlClient.SqlClient>,
) =>
  Effect.provide(
    effect,
    Layer.mergeAll(predictions.layer, predictions.layerOutcomes, recordLog.layer).pipe(Layer.provideMerge(emptyStore)),
  )

const leaves = Effect.flatMap(RecordLog, (log) => Effect.flatMap(log.size, (size) => log.range(0, size)))

describe("the record of predictions", () => {
  it.effect("keeps one from the same inputs once, in a row and together, and one that comes back", () =>
    inMemory(
      Effect.gen(function* () {
        const { append, tally } = yield* Predictions
        assert.isTrue(yield* append(prediction("1")))
        assert.isTrue(yield* append(prediction("2")))
        yield* Effect.all(
          ["3", "4", "5"].map((id) => append(prediction(id, { inputsHash: "b" }))),
          { concurrency: "unbounded" },
        )
        // The first starter is back: the line that counts must be the last that was given.
        yield* append(prediction("6"))
        yield* append(prediction("7", { subject: "2024_03_BUF_DEN" }))
        const ids = (yield* leaves).map(({ id }) => id)
        assert.strictEqual(ids.length, 4)
        assert.deepStrictEqual([ids[0], ids[2], ids[3]], ["1", "6", "7"])
        assert.deepStrictEqual(yield* tally("football"), { scored: 0, pending: 2, means: {} })
        assert.deepStrictEqual(yield* tally("baseball"), { scored: 0, pending: 0, means: {} })
      }),
    ),
  )

  it.effect("puts the whole prediction into its leaf, with the time at which its event begins", () =>
    inMemory(
      Effect.gen(function* () {
        yield* Effect.flatMap(Predictions, ({ append }) => append(prediction("1")))
        const [leaf] = yield* leaves
        assert.deepStrictEqual(JSON.parse(leaf!.text), {
          v: 1,
          id: "1",
          kind: "prediction",
          at: kickoff - 100,
          lane: "football",
          subject: "2024_03_LV_KC",
          body: {
            endpoint: "nfl_fair_line",
            model_version: "m-1",
            params: { team: "KC" },
            output: { home_margin: 3 },
            market: { spread: 7 },
            inputs_hash: "a",
            close_time: kickoff,
          },
        })
      }),
    ),
  )

  it.effect("counts the last one before the event, however the schedule has moved since", () =>
    inMemory(
      Effect.gen(function* () {
        const { append } = yield* Predictions
        const { standing, subjects } = yield* PredictionOutcomes
        yield* append(prediction("1"))
        yield* append(prediction("2", { inputsHash: "b", at: kickoff - 10 }))
        yield* append(prediction("3", { inputsHash: "c", at: kickoff + 10, closesAt: kickoff + 20 }))
        const counting = (before: number) =>
          Effect.map(standing("football", "2024_03_LV_KC", before), (found) => found?.prediction.id)
        assert.deepStrictEqual(
          yield* Effect.all([counting(kickoff + 20), counting(kickoff), counting(kickoff - 10), counting(0)]),
          ["3", "2", "1", undefined],
        )
        assert.deepStrictEqual(yield* subjects("football"), ["2024_03_LV_KC"])
      }),
    ),
  )

  it.effect("keeps every outcome, shows the newest, and settles and corrects on the record", () =>
    inMemory(
      Effect.gen(function* () {
        const { append, tally } = yield* Predictions
        const outcomes = yield* PredictionOutcomes
        yield* append(prediction("1"))
        yield* append(prediction("2", { subject: "other" }))
        assert.strictEqual(yield* outcomes.append([outcome("1", 1, { mae: 4, brier: 0.2 })]), 1)
        assert.strictEqual(yield* outcomes.append([outcome("1", 1, { mae: 9 })]), 0)
        assert.strictEqual(
          yield* outcomes.append([outcome("1", 2, { mae: 6, brier: 0.4 }), outcome("2", 1, { mae: 2 })]),
          2,
        )
        assert.deepStrictEqual(yield* tally("football"), { scored: 2, pending: 0, means: { mae: 4, brier: 0.4 } })
        assert.deepStrictEqual((yield* outcomes.standing("football", "2024_03_LV_KC", kickoff))?.outcome?.revision, 2)
        assert.deepStrictEqual(
          (yield* leaves).map(({ id, text }) => [id, JSON.parse(text).kind]),
          [
            ["1", "prediction"],
            ["2", "prediction"],
            ["1/1", "settlement"],
            ["1/2", "correction"],
            ["2/1", "settlement"],
          ],
        )
      }),
    ),
  )

  it.effect("refuses changes, whoever asks", () =>
    inMemory(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* Effect.flatMap(Predictions, ({ append }) => append(prediction("1")))
        yield* Effect.flatMap(PredictionOutcomes, ({ append }) => append([outcome("1", 1, { mae: 1 })]))
        for (const statement of [
          sql`UPDATE predictions SET output = '{}'`,
          sql`DELETE FROM predictions`,
          sql`UPDATE prediction_outcomes SET scores = '{}'`,
          sql`DELETE FROM prediction_outcomes`,
        ]) {
          const { cause } = yield* Effect.flip(statement)
          assert.match(String(cause), /append-only/)
        }
      }),
    ),
  )

  it.effect("takes no prediction of what has begun, and leaves no leaf of it", () =>
    inMemory(
      Effect.gen(function* () {
        const { append } = yield* Predictions
        assert.isTrue(Exit.isFailure(yield* Effect.exit(append(prediction("1", { at: kickoff })))))
        assert.deepStrictEqual(yield* leaves, [])
      }),
    ),
  )
})
