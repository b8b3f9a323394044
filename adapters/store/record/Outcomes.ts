import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { JsonObject } from "../../../core/call/Recordable.ts"
import { readLeaf } from "../../../core/record/captures/Captures.ts"
import {
  type Outcome,
  Outcomes,
  type Pending,
  TrackRecord,
  toOutcomeLeaf,
} from "../../../core/record/captures/Outcomes.ts"
import { SyncSha256 } from "../../../core/record/log/SyncSha256.ts"
import * as Step from "../../../core/Step.ts"
import { columns, type RowOf } from "../engine/columns.ts"
import { dialects } from "../engine/Dialect.ts"
import { Transactions } from "../engine/Transactions.ts"
import * as recordLog from "./RecordLog.ts"

const outcomeColumns = columns<Outcome>()(["captureId", "revision", "at"])
type OutcomeRow = RowOf<typeof outcomeColumns> & { readonly outcome: string; readonly scores: string }

const toOutcome = (row: OutcomeRow): Outcome => ({
  ...outcomeColumns.fromRow(row),
  outcome: JSON.parse(row.outcome) as JsonObject,
  scores: JSON.parse(row.scores) as Outcome["scores"],
})

const meanScores = (all: ReadonlyArray<Outcome["scores"]>): Readonly<Record<string, number>> => {
  const sums = new Map<string, { sum: number; n: number }>()
  for (const scores of all) {
    for (const [name, value] of Object.entries(scores)) {
      const { sum, n } = sums.get(name) ?? { sum: 0, n: 0 }
      sums.set(name, { sum: sum + value, n: n + 1 })
    }
  }
  return Object.fromEntries(Array.from(sums, ([name, { sum, n }]) => [name, sum / n]))
}

/** SQL: captures that the lane's own source can score, which have a market price in their leaf. */
const scorableCaptures = (dialect: Transactions["Type"]["dialect"]): string => `
  captures c JOIN record_leaves l ON l.id = c.id
    AND ${dialects[dialect].jsonText("l.text", "body", "market")} IS NOT NULL`

export const layerTrackRecord: Layer.Layer<TrackRecord, never, Transactions> = Layer.effect(
  TrackRecord,
  Effect.map(Transactions, ({ prepare, dialect, read }) => {
    const sql = {
      captured: prepare<Pending>(
        `SELECT c.subject, MIN(c.at) AS "firstAt" FROM ${scorableCaptures(dialect)} WHERE c.lane = ? GROUP BY c.subject`,
      ),
      scores: prepare<{ readonly subject: string; readonly scores: string }>(`
        SELECT c.subject, o.scores FROM capture_outcomes o JOIN captures c ON c.id = o.capture_id
        WHERE c.lane = ? ORDER BY o.revision`),
    }
    const tally = Step.fn(function* (lane: string) {
      const captured = yield* sql.captured.all(lane)
      // Read after the captures: one that is scored in between is not pending.
      const rows = yield* sql.scores.all(lane)
      // Rows are in the order of revisions: the newest one of each subject is used.
      const newest = new Map(rows.map(({ subject, scores }) => [subject, scores]))
      return {
        scored: newest.size,
        pending: captured.filter(({ subject }) => !newest.has(subject)),
        means: meanScores(Array.from(newest.values(), (scores) => JSON.parse(scores) as Outcome["scores"])),
      }
    })
    return { tally: (lane) => read(() => tally(lane)) }
  }),
)

/** The store of outcomes. An outcome and its leaf are written in one transaction. */
export const layer: Layer.Layer<Outcomes, never, SyncSha256 | Transactions> = Layer.effect(
  Outcomes,
  Effect.gen(function* () {
    const { read, write, ...store } = yield* Transactions
    const { sha256 } = yield* SyncSha256
    const log = recordLog.makeSteps(store, sha256)
    const scorable = scorableCaptures(store.dialect)
    const sql = {
      subjects: store.prepare<{ readonly subject: string }>(
        `SELECT DISTINCT c.subject FROM ${scorable} WHERE c.lane = ? ORDER BY c.subject`,
      ),
      newest: store.prepare<{ readonly text: string }>(`
        SELECT l.text FROM ${scorable} WHERE c.lane = ? AND c.subject = ? AND c.at < ?
        ORDER BY c.at DESC, l.position DESC LIMIT 1`),
      outcome: store.prepare<OutcomeRow>(
        "SELECT * FROM capture_outcomes WHERE capture_id = ? ORDER BY revision DESC LIMIT 1",
      ),
    }
    const about = store.prepare<{ readonly lane: string; readonly subject: string }>(
      "SELECT lane, subject FROM captures WHERE id = ?",
    )
    const insert = store.prepare(`
      INSERT INTO capture_outcomes (capture_id, revision, at, outcome, scores) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT DO NOTHING`)
    const append = Step.fn(function* (outcomes: ReadonlyArray<Outcome>) {
      yield* log.lock()
      const fresh: Array<recordLog.WritableLeaf> = []
      for (const each of outcomes) {
        const { captureId, revision, at, outcome, scores } = each
        const inserted = yield* insert.run(captureId, revision, at, JSON.stringify(outcome), JSON.stringify(scores))
        if (inserted === 1) fresh.push(recordLog.toWritable(toOutcomeLeaf(each, (yield* about.get(captureId))!)))
      }
      yield* log.appendLocked(fresh)
      return fresh.length
    })
    const newest = Step.fn(function* (lane: string, subject: string, before: number) {
      const row = yield* sql.newest.get(lane, subject, before)
      if (row === undefined) return undefined
      const { id: captureId, output, market = {} } = readLeaf(row.text)
      const outcome = yield* sql.outcome.get(captureId)
      return { captureId, output, market, ...(outcome !== undefined && { outcome: toOutcome(outcome) }) }
    })
    return {
      subjects: (lane) =>
        Effect.map(
          read(() => sql.subjects.all(lane)),
          (rows) => rows.map(({ subject }) => subject),
        ),
      scorable: (lane, subject, before) => read(() => newest(lane, subject, before)),
      append: (outcomes) => (outcomes.length === 0 ? Effect.succeed(0) : write(() => append(outcomes))),
    }
  }),
)
