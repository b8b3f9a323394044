import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type AgentName, type KeyName, Names, type Which } from "../../../core/account/Names.ts"
import { columns, type RowOf } from "../engine/columns.ts"
import { mapStorageErrors, readAll } from "../engine/storage.ts"

const key = columns<KeyName>()(["id", "environment", "lastFour", "name"])

const isNone = (which: Which): boolean => "ids" in which && which.ids.length === 0

export const layer: Layer.Layer<Names, never, SqlClient.SqlClient> = Layer.effect(
  Names,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const only = (which: Which) =>
      "ids" in which
        ? sql`AND id IN ${sql.in(which.ids)} ORDER BY id DESC`
        : sql`ORDER BY id DESC LIMIT ${which.newest}`
    return {
      keys: (accountId, which) =>
        isNone(which)
          ? Effect.succeed([])
          : readAll(
              sql<RowOf<typeof key>>`
                SELECT id, name, environment, last_four FROM api_keys WHERE account_id = ${accountId} ${only(which)}`,
              key.fromRow,
            ),
      agents: (accountId, which) =>
        isNone(which)
          ? Effect.succeed([])
          : mapStorageErrors(
              sql<AgentName>`SELECT id, name FROM agents WHERE account_id = ${accountId} ${only(which)}`,
            ),
    }
  }),
)
