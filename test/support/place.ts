import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { StoreError } from "../../adapters/store/engine/opening.ts"
import * as stores from "../../adapters/store/open.ts"

/** The store of an argument: the URL of a PostgreSQL database, or a file of SQLite. */
export const storeAt = (place: string): Layer.Layer<stores.Store, StoreError> =>
  stores.layer(
    place.startsWith("postgres:") ? { _tag: "Postgres", url: Redacted.make(place) } : { _tag: "Sqlite", file: place },
  )
