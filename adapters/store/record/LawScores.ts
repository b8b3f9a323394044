import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Service } from "../../../core/endpoint/Port.ts"
import type { Capture } from "../../../core/record/captures/Captures.ts"
import { type LawRecord, type LawScore, LawScores, type Rescored } from "../../../core/record/captures/LawScores.ts"
import * as Step from "../../../core/Step.ts"
import { columns, type RowOf } from "../engine/columns.ts"
import { makeSerialiseStep } from "../engine/locks.ts"
import { makeInserts } from "../engine/manyRows.ts"
import { type Queries, Transactions } from "../engine/Transactions.ts"

const scoreColumns = columns<LawScore>()([
  ...(["instrument", "target", "variable", "lead", "captureId", "modelVersion", "outcome"] as const),
  ...(["crps", "low", "high"] as const),
])

const makeReadScores = ({ prepare }: Queries) => {
  const sql = prepare<RowOf<typeof scoreColumns>>(
    `SELECT ${scoreColumns.list} FROM law_scores WHERE lane = ? AND instrument = ? AND target >= ?
     ORDER BY target, variable, lead`,
  )
  return Step.fn(function* (lane: string, instrument: string, first: string) {
    return (yield* sql.all(lane, instrument, first)).map((row) => scoreColumns.fromRow(row))
  })
}

/** The scored laws of a lane, for its answers. */
export const layerRecord = <I>(
  port: Context.Tag<I, Service<LawRecord>>,
  lane: string,
): Layer.Layer<I, never, Transactions> =>
  Layer.effect(
    port,
    Effect.map(Transactions, ({ read, ...store }): Service<LawRecord> => {
      const scores = makeReadScores(store)
      const sql = store.prepare<{ readonly at: number | null; readonly rows: number }>(
        'SELECT MAX(scored_at) AS at, COUNT(*) AS "rows" FROM law_scores WHERE lane = ?',
      )
      const newest = Step.fn(function* () {
        const { at, rows } = (yield* sql.get(lane))!
        return at === null ? undefined : { at, rows }
      })
      return {
        freshness: "live",
        newest: () => read(newest),
        scores: (instrument, first) => read(() => scores(lane, instrument, first)),
      }
    }),
  )

export const layer: Layer.Layer<LawScores, never, Transactions> = Layer.effect(
  LawScores,
  Effect.map(Transactions, ({ read, write, ...store }) => {
    const { prepare } = store
    const scores = makeReadScores(store)
    const captures = prepare<Pick<Capture, "at" | "id">>(`
      SELECT id, at FROM captures
      WHERE lane = ? AND endpoint = ? AND subject = ? AND kind = 'scheduled' AND at >= ? AND at < ? ORDER BY at`)
    const leaf = prepare<{ readonly text: string }>("SELECT text FROM record_leaves WHERE id = ?")
    const remove = prepare("DELETE FROM law_scores WHERE lane = ? AND instrument = ? AND target = ?")
    const insert = makeInserts(store, "law_scores", ["lane", "scored_at", ...scoreColumns.names])
    const lock = makeSerialiseStep(store)
    const replace = Step.fn(function* (lane: string, targets: ReadonlyArray<Rescored>, at: number) {
      yield* lock("law scores")
      for (const { instrument, target } of targets) yield* remove.run(lane, instrument, target)
      yield* insert.run(targets.flatMap(({ scores }) => scores.map((one) => [lane, at, ...scoreColumns.toValues(one)])))
    })
    return {
      captures: ({ lane, endpoint, subject }, from, to) => read(() => captures.all(lane, endpoint, subject, from, to)),
      output: (id) =>
        Effect.map(
          read(() => leaf.get(id)),
          (row) => {
            const { body } = JSON.parse(row!.text) as {
              readonly body: { readonly model_version: string; readonly output: unknown }
            }
            return { modelVersion: body.model_version, output: body.output }
          },
        ),
      scores: (...args) => read(() => scores(...args)),
      replace: (lane, targets, at) => (targets.length === 0 ? Effect.void : write(() => replace(lane, targets, at))),
    }
  }),
)
