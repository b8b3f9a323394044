import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { readLeaf } from "../../core/record/captures/Captures.ts"
import {
  type Outcome,
  Outcomes,
  outcomeLeafOf,
  type Pending,
  TrackRecord,
} from "../../core/record/captures/Outcomes.ts"
import type { JsonObject } from "../../core/record/captures/Recordable.ts"
import { SyncSha256 } from "../../core/record/log/SyncSha256.ts"
import { Sqlite } from "./client.sqlite.ts"
import * as GroupCommit from "./groupCommit.ts"
import * as recordLog from "./RecordLog.ts"
import { reader } from "./reader.ts"
import { mapStorageErrors } from "./storage.ts"

interface OutcomeRow {
  readonly capture_id: string
  readonly revision: number
  readonly at: number
  readonly outcome: string
  readonly scores: string
}

const toOutcome = (row: OutcomeRow): Outcome => ({
  captureId: row.capture_id,
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

/** Captures that can be scored by the lane's own source: their leaves have a market price. */
const withMarket = `
  captures c JOIN record_leaves l ON l.id = c.id AND json_extract(l.text, '$.body.market') IS NOT NULL`

/** The track record of a lane's captures. */
export const layerTrackRecord: Layer.Layer<TrackRecord, never, Sqlite> = Layer.effect(
  TrackRecord,
  Effect.map(Sqlite, (sqlite) => {
    const sql = {
      captured: sqlite.db.prepare(
        `SELECT c.subject, MIN(c.at) AS firstAt FROM ${withMarket} WHERE c.lane = ? GROUP BY c.subject`,
      ),
      scores: sqlite.db.prepare(`
        SELECT c.subject, o.scores FROM capture_outcomes o JOIN captures c ON c.id = o.capture_id
        WHERE c.lane = ? ORDER BY o.revision`),
    }
    const reading = reader(sqlite)
    return {
      tally: (lane) =>
        reading(() => {
          const captured = sql.captured.all(lane) as ReadonlyArray<Pending>
          const rows = sql.scores.all(lane) as ReadonlyArray<{ readonly subject: string; readonly scores: string }>
          // Rows are in the order of revisions: the newest one of each subject is used.
          const newest = new Map(rows.map(({ subject, scores }) => [subject, scores]))
          return {
            scored: newest.size,
            pending: captured.filter(({ subject }) => !newest.has(subject)),
            means: meansOf(Array.from(newest.values(), (scores) => JSON.parse(scores) as Outcome["scores"])),
          }
        }),
    }
  }),
)

/** The store of outcomes. An outcome and its leaf are written in one transaction. */
export const layer: Layer.Layer<Outcomes, never, SyncSha256 | SqlClient.SqlClient | Sqlite> = Layer.scoped(
  Outcomes,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { db } = yield* Sqlite
    const { sha256 } = yield* SyncSha256
    const log = recordLog.steps(db, sha256)
    const commits = yield* GroupCommit.make
    const about = db.prepare("SELECT lane, subject FROM captures WHERE id = ?")
    const insert = db.prepare(`
      INSERT INTO capture_outcomes (capture_id, revision, at, outcome, scores)
      VALUES (:capture_id, :revision, :at, :outcome, :scores) ON CONFLICT DO NOTHING`)
    const append = (outcomes: ReadonlyArray<Outcome>): number => {
      const fresh = outcomes.filter(
        ({ captureId, revision, at, outcome, scores }) =>
          insert.run({
            capture_id: captureId,
            revision,
            at,
            outcome: JSON.stringify(outcome),
            scores: JSON.stringify(scores),
          }).changes === 1,
      )
      log.append(
        fresh.map((outcome) =>
          recordLog.writtenOf(
            outcomeLeafOf(outcome, about.get(outcome.captureId) as { readonly lane: string; readonly subject: string }),
          ),
        ),
      )
      return fresh.length
    }
    return {
      subjects: (lane) =>
        mapStorageErrors(
          Effect.map(
            sql<{ subject: string }>`
              SELECT DISTINCT c.subject FROM ${sql.literal(withMarket)} WHERE c.lane = ${lane} ORDER BY c.subject`,
            (rows) => rows.map(({ subject }) => subject),
          ),
        ),
      scorable: (lane, subject, before) =>
        mapStorageErrors(
          Effect.gen(function* () {
            const [row] = yield* sql<{ text: string }>`
              SELECT l.text FROM ${sql.literal(withMarket)}
              WHERE c.lane = ${lane} AND c.subject = ${subject} AND c.at < ${before}
              ORDER BY c.at DESC, l.position DESC LIMIT 1`
            if (row === undefined) return undefined
            const { id: captureId, output, market = {} } = readLeaf(row.text)
            const [outcome] = yield* sql<OutcomeRow>`
              SELECT * FROM capture_outcomes WHERE capture_id = ${captureId} ORDER BY revision DESC LIMIT 1`
            return { captureId, output, market, ...(outcome !== undefined && { outcome: toOutcome(outcome) }) }
          }),
        ),
      append: (outcomes) => (outcomes.length === 0 ? Effect.succeed(0) : commits.submit(() => append(outcomes))),
    }
  }),
)
