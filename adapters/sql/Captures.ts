import type { Database } from "better-sqlite3"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Capture, Captures, leafOf } from "../../core/record/Captures.ts"
import { Hasher } from "../../core/record/Hasher.ts"
import { textOf } from "../../core/record/leaf.ts"
import type { Sha256 } from "../../core/record/merkle.ts"
import { Sqlite } from "./client.sqlite.ts"
import * as GroupCommit from "./groupCommit.ts"
import * as recordLog from "./RecordLog.ts"

const toRow = (capture: Capture) => ({
  id: capture.id,
  lane: capture.lane,
  endpoint: capture.endpoint,
  subject: capture.subject,
  model_version: capture.modelVersion,
  kind: capture.kind,
  at: capture.at,
  params: JSON.stringify(capture.params),
  output: JSON.stringify(capture.output),
  quotes: JSON.stringify(capture.quotes),
  inputs_hash: capture.inputsHash,
})

/** A capture on its way into the store: its texts are made outside the step, where they may fail. */
export const writtenOf = (capture: Capture) => ({
  id: capture.id,
  row: toRow(capture),
  text: textOf(leafOf(capture)),
})
export type Written = ReturnType<typeof writtenOf>

/**
 * Captures in synchronous steps on the bare connection: whoever writes more beside a capture calls `take` in the step
 * that does. A capture and its leaf in the record are there together or not at all.
 */
export const steps = (db: Database, sha256: Sha256) => {
  const log = recordLog.steps(db, sha256)
  const insert = db.prepare(`
    INSERT INTO captures
      (id, lane, endpoint, subject, model_version, kind, at, params, output, quotes, inputs_hash)
    VALUES
      (:id, :lane, :endpoint, :subject, :model_version, :kind, :at, :params, :output, :quotes, :inputs_hash)
    ON CONFLICT DO NOTHING`)
  return {
    /** Those that were new. */
    take: <A extends Written>(offered: ReadonlyArray<A>): ReadonlyArray<A> => {
      const taken = offered.filter(({ row }) => insert.run(row).changes === 1)
      log.append(taken)
      return taken
    },
  }
}

export const layer: Layer.Layer<Captures, never, Hasher | Sqlite> = Layer.scoped(
  Captures,
  Effect.gen(function* () {
    const { db } = yield* Sqlite
    const { sha256 } = yield* Hasher
    const step = steps(db, sha256)
    const commits = yield* GroupCommit.make
    return {
      take: (captures) =>
        captures.length === 0
          ? Effect.succeed(0)
          : Effect.flatMap(
              Effect.sync(() => captures.map(writtenOf)),
              (offered) => commits.submit(() => step.take(offered).length),
            ),
    }
  }),
)
