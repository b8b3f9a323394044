import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Capture, Captures } from "../../core/record/Captures.ts"
import { inTransaction } from "./storage.ts"

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

export const layer: Layer.Layer<Captures, never, SqlClient.SqlClient> = Layer.effect(
  Captures,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    take: (captures) =>
      captures.length === 0
        ? Effect.succeed(0)
        : inTransaction(
            sql,
            Effect.map(
              Effect.forEach(
                captures,
                (capture) => sql`
                  INSERT INTO captures ${sql.insert(toRow(capture))} ON CONFLICT DO NOTHING RETURNING id`,
              ),
              (inserted) => inserted.filter(([row]) => row !== undefined).length,
            ),
          ),
  })),
)
