import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Hasher } from "../../core/record/Hasher.ts"
import { RecordInputs } from "../../core/record/RecordInputs.ts"
import { orUnavailable } from "./storage.ts"

/** What recorded signals were computed from, in the store. */
export const layer: Layer.Layer<RecordInputs, never, Hasher | SqlClient.SqlClient> = Layer.effect(
  RecordInputs,
  Effect.map(Effect.all([Hasher, SqlClient.SqlClient]), ([{ sha256 }, sql]) =>
    RecordInputs.make(sha256, {
      put: (texts) => {
        const rows = texts.map(({ hash, text }) => ({ hash, text }))
        if (rows.length === 0) return Effect.void
        return orUnavailable(Effect.asVoid(sql`INSERT INTO record_inputs ${sql.insert(rows)} ON CONFLICT DO NOTHING`))
      },
      get: (hash) =>
        orUnavailable(
          Effect.map(sql<{ text: string }>`SELECT text FROM record_inputs WHERE hash = ${hash}`, ([row]) => row?.text),
        ),
    }),
  ),
)
