import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { StoreError } from "../../adapters/store/engine/opening.ts"
import { server, takeAlone } from "../../adapters/store/engine/sqlite/owner.ts"
import * as stores from "../../adapters/store/open.ts"

/** The store of an argument: the URL of a PostgreSQL database, or a file of SQLite, which this program owns as a server does. */
export const storeAt = (place: string): Layer.Layer<stores.Store, StoreError> =>
  place.startsWith("postgres:")
    ? stores.layer({ _tag: "Postgres", url: Redacted.make(place) })
    : Layer.unwrapScoped(
        Effect.as(takeAlone(place, { role: server, version: "1" }), stores.layer({ _tag: "Sqlite", file: place })),
      )
