import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Names, type Which } from "../../core/account/Names.ts"
import { mapStorageErrors } from "./storage.ts"

interface KeyRow {
  readonly id: string
  readonly name: string | null
  readonly last_four: string
}

interface AgentRow {
  readonly id: string
  readonly name: string
}

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
          : mapStorageErrors(
              Effect.map(
                sql<KeyRow>`SELECT id, name, last_four FROM api_keys WHERE account_id = ${accountId} ${only(which)}`,
                (rows) =>
                  rows.map(({ id, name, last_four }) => ({
                    id,
                    lastFour: last_four,
                    ...(name === null ? {} : { name }),
                  })),
              ),
            ),
      agents: (accountId, which) =>
        isNone(which)
          ? Effect.succeed([])
          : mapStorageErrors(sql<AgentRow>`SELECT id, name FROM agents WHERE account_id = ${accountId} ${only(which)}`),
    }
  }),
)
