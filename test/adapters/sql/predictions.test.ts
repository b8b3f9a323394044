import { createHash } from "node:crypto"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as predictions from "../../../adapters/sql/Predictions.ts"
import * as recordLog from "../../../adapters/sql/RecordLog.ts"
import type { Hasher } from "../../../core/record/Hasher.ts"
import { type Outcome, type Prediction, PredictionOutcomes, Predictions } from "../../../core/record/Predictions.ts"
import { whole } from "../../../core/record/RecordInputs.ts"
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

/** Keeps a prediction whose inputs are known to be under their hash already. */
const append = (prediction: Prediction) =>
  Effect.flatMap(Predictions, (port) => port.append(prediction, Effect.succeed(prediction.inputsHash)))

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
        const { tally } = yield* Predictions
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
        const { pending, ...none } = yield* tally("football")
        assert.deepStrictEqual(none, { scored: 0, means: {} })
        assert.sameDeepMembers(
          [...pending],
          ["2024_03_LV_KC", "2024_03_BUF_DEN"].map((subject) => ({ subject, firstAt: kickoff - 100 })),
        )
        assert.deepStrictEqual(yield* tally("baseball"), { scored: 0, pending: [], means: {} })
      }),
    ),
  )

  const moves: ReadonlyArray<readonly [string, ReadonlyArray<Prediction["market"]>, number]> = [
    ["the same line again", [{ spread: 3 }, { spread: 3 }], 1],
    ["a line that moves", [{ spread: 3 }, { spread: 9.5 }, { spread: 9.5 }], 2],
    ["a line that comes back", [{ spread: 3 }, { spread: 9.5 }, { spread: 3 }], 3],
    ["a line that is posted", [{}, {}, { spread: 3, total: 40 }], 2],
    ["a line that is taken down", [{ spread: 3 }, {}], 2],
  ]
  for (const [what, markets, rows] of moves) {
    const append = (market: Prediction["market"], at: number) =>
      Effect.flatMap(Predictions, (port) =>
        port.append(prediction(String(at), { market, at: kickoff - 100 + at }), Effect.succeed("a")),
      )
    it.effect(`stands beside the market as it was last seen before the event: ${what}`, () =>
      inMemory(
        Effect.gen(function* () {
          yield* Effect.forEach(markets, append)
          const sql = yield* SqlClient.SqlClient
          assert.strictEqual((yield* sql`SELECT seq FROM predictions`).length, rows)
          assert.strictEqual((yield* leaves).length, rows)
          const { standing } = yield* PredictionOutcomes
          const counting = yield* standing("football", "2024_03_LV_KC", kickoff)
          assert.deepStrictEqual(counting?.prediction.market, markets.at(-1))
          const { tally } = yield* Predictions
          assert.deepStrictEqual((yield* tally("football")).pending, [
            { subject: "2024_03_LV_KC", firstAt: kickoff - 100 },
          ])
        }),
      ),
    )
    it.effect(`is kept alike in memory: ${what}`, () => {
      const kept: Array<Prediction> = []
      return Effect.forEach(markets, append).pipe(
        Effect.provide(Predictions.layerMemory(kept)),
        Effect.map(() => assert.strictEqual(kept.length, rows)),
      )
    })
  }

  it.effect("puts the whole prediction into its leaf, with the time at which its event begins", () =>
    inMemory(
      Effect.gen(function* () {
        yield* append(prediction("1"))
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
        const { tally } = yield* Predictions
        const outcomes = yield* PredictionOutcomes
        yield* append(prediction("1"))
        yield* append(prediction("2", { subject: "other" }))
        assert.strictEqual(yield* outcomes.append([outcome("1", 1, { mae: 4, brier: 0.2 })]), 1)
        assert.strictEqual(yield* outcomes.append([outcome("1", 1, { mae: 9 })]), 0)
        assert.strictEqual(
          yield* outcomes.append([outcome("1", 2, { mae: 6, brier: 0.4 }), outcome("2", 1, { mae: 2 })]),
          2,
        )
        assert.deepStrictEqual(yield* tally("football"), { scored: 2, pending: [], means: { mae: 4, brier: 0.4 } })
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
        yield* append(prediction("1"))
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
        assert.isTrue(Exit.isFailure(yield* Effect.exit(append(prediction("1", { at: kickoff })))))
        assert.deepStrictEqual(yield* leaves, [])
      }),
    ),
  )

  it.effect("keeps the inputs of what it keeps, before it, and refuses others", () =>
    inMemory(
      Effect.gen(function* () {
        const predictions = yield* Predictions
        const kept = Effect.map(
          Effect.flatMap(SqlClient.SqlClient, (sql) => sql<{ text: string }>`SELECT text FROM record_inputs`),
          (rows) => rows.map(({ text }) => text),
        )
        const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")
        const [one, other] = [sha256('{"of":1}'), sha256('{"of":2}')]
        const begun = prediction("0", { inputsHash: one, at: kickoff })
        assert.isTrue(Exit.isFailure(yield* Effect.exit(predictions.append(begun, whole({ of: 1 })))))
        // A crash between the two leaves inputs that nothing names, never the other way round.
        assert.deepStrictEqual([yield* kept, yield* leaves], [['{"of":1}'], []])
        yield* predictions.append(prediction("1", { inputsHash: one }), whole({ of: 1 }))
        yield* predictions.append(prediction("2", { inputsHash: one }), Effect.dieMessage("They are there already."))
        assert.isTrue(
          Exit.isFailure(
            yield* Effect.exit(predictions.append(prediction("3", { inputsHash: one + other }), whole({ of: 2 }))),
          ),
        )
        assert.deepStrictEqual(
          (yield* leaves).map(({ id }) => id),
          ["1"],
        )
      }),
    ),
  )

  it.effect("keeps nothing of generated data, its inputs neither", () =>
    Effect.gen(function* () {
      const { append } = yield* Predictions
      assert.isFalse(yield* append(prediction("1"), Effect.dieMessage("Nobody asked for the inputs.")))
    }).pipe(Effect.provide(Predictions.layerNone)),
  )
})
