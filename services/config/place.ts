import * as Redacted from "effect/Redacted"
import type { Place } from "../../adapters/store/engine/stores.ts"

/**
 * The store of `sqlite:` and a path (`sqlite::memory:` exists as long as the process), or of the URL of a PostgreSQL
 * database that several nodes share.
 */
export const parsePlace = (url: string): Place | undefined => {
  const file = /^sqlite:(.+)$/s.exec(url)?.[1]
  if (file !== undefined) return { _tag: "Sqlite", file }
  const isPostgres = /^postgres(ql)?:\/\//.test(url) && URL.canParse(url)
  return isPostgres ? { _tag: "Postgres", url: Redacted.make(url) } : undefined
}

/** Never quotes the value, which may contain a password. */
export const expectedPlace = "Expected sqlite:<path> or postgres://<user>@<host>/<database>."
