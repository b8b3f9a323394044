import type * as SqlClient from "@effect/sql/SqlClient"

/** The SQL that differs between the engines. Repositories are written once and take it from here. */
export interface Dialect {
  /** The text at a path in a column of JSON; null if the path is absent. */
  readonly jsonText: (column: string, ...path: ReadonlyArray<string>) => string
  /** The texts of a parameter that is a JSON list, as rows with a column `value`. */
  readonly jsonList: (name: string) => string
  /** Locks the rows of a SELECT, at its end. SQLite has one writer, whose transaction has the write lock. */
  readonly lockClause: (how: "SHARE" | "NO KEY UPDATE" | "UPDATE SKIP LOCKED") => string
  /** The beginning of the month, UTC, of epoch milliseconds. */
  readonly monthStart: (at: string) => string
}

export const dialects: Readonly<Record<"sqlite" | "postgres", Dialect>> = {
  sqlite: {
    jsonText: (column, ...path) => `json_extract(${column}, '$.${path.join(".")}')`,
    jsonList: (name) => `json_each(?) ${name}`,
    lockClause: () => "",
    monthStart: (at) => `CAST(strftime('%s', ${at} / 1000, 'unixepoch', 'start of month') AS INTEGER) * 1000`,
  },
  postgres: {
    jsonText: (column, ...path) => `${column}::json #>> '{${path.join(",")}}'`,
    jsonList: (name) => `json_array_elements_text(CAST(? AS JSON)) ${name}(value)`,
    lockClause: (how) => `FOR ${how}`,
    monthStart: (at) =>
      `CAST(extract(epoch FROM date_trunc('month', to_timestamp(${at} / 1000) AT TIME ZONE 'UTC') AT TIME ZONE 'UTC') AS BIGINT) * 1000`,
  },
}

export const findEngine = (sql: SqlClient.SqlClient): keyof typeof dialects =>
  sql.onDialectOrElse({ sqlite: () => "sqlite", orElse: () => "postgres" })
