import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Hasher } from "../../core/record/Hasher.ts"
import { textOf } from "../../core/record/leaf.ts"
import {
  leafOf,
  type Outcome,
  outcomeLeafOf,
  type Pending,
  type Prediction,
  PredictionOutcomes,
  Predictions,
} from "../../core/record/Predictions.ts"
import { RecordInputs } from "../../core/record/RecordInputs.ts"
import { whenRecording } from "../../core/record/Recording.ts"
import { Sqlite } from "./client.sqlite.ts"
import * as GroupCommit from "./groupCommit.ts"
import * as recordInputs from "./RecordInputs.ts"
import * as recordLog from "./RecordLog.ts"
import { orUnavailable } from "./storage.ts"

type JsonObject = Readonly<Record<string, unknown>>

interface Row {
  readonly id: string
  readonly lane: string
  readonly endpoint: string
  readonly subject: string
  readonly model_version: string
  readonly at: number
  readonly closes_at: number
  readonly params: string
  readonly output: string
  readonly market: string
  readonly inputs_hash: string
}

const toRow = (prediction: Prediction): Row => ({
  id: prediction.id,
  lane: prediction.lane,
  endpoint: prediction.endpoint,
  subject: prediction.subject,
  model_version: prediction.modelVersion,
  at: prediction.at,
  closes_at: prediction.closesAt,
  params: JSON.stringify(prediction.params),
  output: JSON.stringify(prediction.output),
  market: JSON.stringify(prediction.market),
  inputs_hash: prediction.inputsHash,
})

const toPrediction = (row: Row): Prediction => ({
  id: row.id,
  lane: row.lane,
  endpoint: row.endpoint,
  subject: row.subject,
  modelVersion: row.model_version,
  at: row.at,
  closesAt: row.closes_at,
  params: JSON.parse(row.params) as JsonObject,
  output: JSON.parse(row.output) as JsonObject,
  market: JSON.parse(row.market) as JsonObject,
  inputsHash: row.inputs_hash,
})

interface OutcomeRow {
  readonly prediction_id: string
  readonly revision: number
  readonly at: number
  readonly outcome: string
  readonly scores: string
}

const toOutcome = (row: OutcomeRow): Outcome => ({
  predictionId: row.prediction_id,
  revision: row.revision,
  at: row.at,
  outcome: JSON.parse(row.outcome) as JsonObject,
  scores: JSON.parse(row.scores) as Outcome["scores"],
})

const meansOf = (all: ReadonlyArray<Outcome["scores"]>): Readonly<Record<string, number>> => {
  const sums = new Map<string, { sum: number; n: number }>()
  for (const scores of all) {
    for (const [name, value] of Object.entries(scores)) {
      const { sum, n } = sums.get(name) ?? { sum: 0, n: 0 }
      sums.set(name, { sum: sum + value, n: n + 1 })
    }
  }
  return Object.fromEntries(Array.from(sums, ([name, { sum, n }]) => [name, sum / n]))
}

/**
 * The track record as calls write it and as it is shown. A prediction and its leaf in the record are one step; its inputs
 * are there before it.
 */
export const layer: Layer.Layer<Predictions, never, Hasher | SqlClient.SqlClient | Sqlite> = Layer.scoped(
  Predictions,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { db, alone } = yield* Sqlite
    const { sha256 } = yield* Hasher
    const log = recordLog.steps(db, sha256)
    const commits = yield* GroupCommit.make
    const kept = yield* RecordInputs
    const last = db
      .prepare(`
        SELECT inputs_hash = :inputs_hash AND market = :market FROM predictions
        WHERE lane = :lane AND endpoint = :endpoint AND subject = :subject ORDER BY seq DESC LIMIT 1`)
      .pluck()
    const insert = db.prepare(`
      INSERT INTO predictions
        (id, lane, endpoint, subject, model_version, at, closes_at, params, output, market, inputs_hash)
      VALUES
        (:id, :lane, :endpoint, :subject, :model_version, :at, :closes_at, :params, :output, :market, :inputs_hash)`)
    const isLast = (row: Row): boolean => last.get(row) === 1
    return {
      append: (prediction, inputs) =>
        whenRecording(
          Effect.gen(function* () {
            const row = toRow(prediction)
            // Most calls repeat one that was made since the last final: those write nothing.
            if (yield* orUnavailable(alone(() => isLast(row)))) return true
            const hash = yield* Effect.provideService(inputs, RecordInputs, kept)
            if (hash !== prediction.inputsHash) {
              return yield* Effect.dieMessage(
                `The inputs of ${prediction.id} are ${hash}, not ${prediction.inputsHash}.`,
              )
            }
            const leaf = { id: prediction.id, text: textOf(leafOf(prediction)) }
            yield* commits.submit(() => {
              if (isLast(row)) return
              insert.run(row)
              log.append([leaf])
            })
            return true
          }),
          false,
        ),
      tally: (lane) =>
        orUnavailable(
          Effect.gen(function* () {
            const predicted = yield* sql<Pending>`
              SELECT subject, MIN(at) AS "firstAt" FROM predictions WHERE lane = ${lane} GROUP BY subject`
            const rows = yield* sql<{ subject: string; scores: string }>`
              SELECT p.subject, o.scores FROM prediction_outcomes o JOIN predictions p ON p.id = o.prediction_id
              WHERE p.lane = ${lane} ORDER BY o.revision`
            // Of an event's outcomes the newest revision stays.
            const newest = new Map(rows.map(({ subject, scores }) => [subject, scores]))
            return {
              scored: newest.size,
              pending: predicted.filter(({ subject }) => !newest.has(subject)),
              means: meansOf(Array.from(newest.values(), (scores) => JSON.parse(scores) as Outcome["scores"])),
            }
          }),
        ),
    }
  }),
).pipe(Layer.provide(recordInputs.layer))

/** The track record as it is scored. An outcome and its leaf are one step. */
export const layerOutcomes: Layer.Layer<PredictionOutcomes, never, Hasher | SqlClient.SqlClient | Sqlite> =
  Layer.scoped(
    PredictionOutcomes,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { db } = yield* Sqlite
      const { sha256 } = yield* Hasher
      const log = recordLog.steps(db, sha256)
      const commits = yield* GroupCommit.make
      const about = db.prepare("SELECT lane, subject FROM predictions WHERE id = ?")
      const insert = db.prepare(`
        INSERT INTO prediction_outcomes (prediction_id, revision, at, outcome, scores)
        VALUES (:prediction_id, :revision, :at, :outcome, :scores) ON CONFLICT DO NOTHING`)
      return {
        subjects: (lane) =>
          orUnavailable(
            Effect.map(
              sql<{ subject: string }>`SELECT DISTINCT subject FROM predictions WHERE lane = ${lane} ORDER BY subject`,
              (rows) => rows.map(({ subject }) => subject),
            ),
          ),
        standing: (lane, subject, before) =>
          orUnavailable(
            Effect.gen(function* () {
              const [row] = yield* sql<Row>`
            SELECT * FROM predictions WHERE lane = ${lane} AND subject = ${subject} AND at < ${before}
            ORDER BY seq DESC LIMIT 1`
              if (row === undefined) return undefined
              const [outcome] = yield* sql<OutcomeRow>`
            SELECT * FROM prediction_outcomes WHERE prediction_id = ${row.id} ORDER BY revision DESC LIMIT 1`
              return { prediction: toPrediction(row), ...(outcome !== undefined && { outcome: toOutcome(outcome) }) }
            }),
          ),
        append: (outcomes) =>
          outcomes.length === 0
            ? Effect.succeed(0)
            : commits.submit(() => {
                const fresh = outcomes.filter(
                  ({ predictionId, revision, at, outcome, scores }) =>
                    insert.run({
                      prediction_id: predictionId,
                      revision,
                      at,
                      outcome: JSON.stringify(outcome),
                      scores: JSON.stringify(scores),
                    }).changes === 1,
                )
                log.append(
                  fresh.map((outcome) => {
                    const leaf = outcomeLeafOf(outcome, about.get(outcome.predictionId) as Prediction)
                    return { id: leaf.id, text: textOf(leaf) }
                  }),
                )
                return fresh.length
              }),
      }
    }),
  )
