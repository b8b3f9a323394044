import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { hasTable, newest, readVersion, unpublishedTable } from "../schema/migrate.ts"
import { StoreError } from "./opening.ts"

/**
 * Refuses a store of a newer program, whose tables may have another meaning, and one from before the first release.
 *
 * @param remedy what an operator does about a store from before the first release
 * @param use reading: the store is not migrated, so that an older one is refused too
 */
export const refuseUnknown = (
  name: string,
  remedy: string,
  use: "reading" | "writing" = "writing",
): Effect.Effect<void, SqlError | StoreError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    if (yield* hasTable(unpublishedTable)) {
      const message = `${name} was made before 0.4.0, which was never published, and cannot be read. ${remedy}`
      return yield* new StoreError({ reason: "older", message })
    }
    const version = yield* readVersion
    if (version > newest) {
      const message = `${name} was written by a newer version of this program: its schema is ${version}, this one supports ${newest}. Start the newer version, or set another store in DATABASE_URL.`
      return yield* new StoreError({ reason: "newer", message })
    }
    if (use === "reading" && version < newest) {
      const message = `The schema of ${name} is ${version}, this program's is ${newest}. Run: market-signals store migrate`
      return yield* new StoreError({ reason: "older", message })
    }
  })
