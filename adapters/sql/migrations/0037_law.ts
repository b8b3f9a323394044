import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { applyFunctions } from "../postgres/functions.ts"

/** On PostgreSQL, nodes decide the calls that the store does not settle as sets; nodes of before cannot charge any more. */
export default Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql.onDialectOrElse({ sqlite: () => Effect.void, orElse: () => applyFunctions }),
)
