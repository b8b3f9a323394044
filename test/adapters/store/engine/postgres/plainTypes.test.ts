import * as PgClient from "@effect/sql-pg/PgClient"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as anyClient from "../../../../../adapters/store/engine/anyClient.ts"
import { database } from "../../../../support/postgres.ts"

it.scoped("a client that gives whole numbers as texts is refused, with the remedy", () =>
  Effect.gen(function* () {
    const client = PgClient.layer({ url: yield* database })
    const refused = yield* Effect.flip(Layer.build(Layer.provide(anyClient.layer, client)))
    assert.match(String(refused.message), /numberTypes\(pg\.types\)/)
  }),
)
