import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Postgres from "../../adapters/store/engine/postgres/open.ts"
import * as Roles from "../../adapters/store/engine/postgres/roles.ts"
import * as stores from "../../adapters/store/engine/stores.ts"
import * as migrations from "../../adapters/store/migrations/mod.ts"
import * as App from "../app.ts"
import { config as environment } from "../Config.ts"
import { text } from "./parameters.ts"
import { family, make } from "./parser.ts"
import { json, print } from "./shared.ts"
import { copying } from "./storeCopy.ts"
import { check, compact } from "./storeUpkeep.ts"

const migrate = make(
  "migrate",
  "Bring the store to this program's schema. On PostgreSQL DATABASE_URL names the owner.",
  { json },
  (options) =>
    Effect.gen(function* () {
      const opened = stores.layer(App.placeOf(yield* environment))
      const schema = yield* Effect.provide(migrations.readVersion, opened)
      yield* print(options.json, { schema }, `The store's schema is ${schema}.`)
    }),
)

const roles = make(
  "roles",
  "Give a role of PostgreSQL what a node needs and nothing more. Run as the owner.",
  { node: text("node", "The role of the nodes; it must exist."), json },
  ({ node, json: asJson }) =>
    Effect.gen(function* () {
      const { postgres } = yield* environment
      if (Option.isNone(postgres))
        return yield* Effect.fail(new Error("SQLite has no roles: DATABASE_URL names a file."))
      const opened = Postgres.layer(postgres.value)
      yield* Effect.provide(
        Effect.catchTag(Roles.grantNode(node), "SqlError", ({ cause }) =>
          Effect.fail(new Error(cause instanceof Error ? cause.message : "The rights cannot be granted.")),
        ),
        opened,
      )
      yield* print(
        asJson,
        { node },
        `${node} has the rights of a node: name it in the DATABASE_URL of the nodes, and the owner in that of store migrate.`,
      )
    }),
)

export const store = family("store", "The store itself.", [migrate, roles, copying, check, compact])
