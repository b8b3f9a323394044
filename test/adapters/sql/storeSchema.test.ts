import { readFileSync } from "node:fs"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { files, storeSchema } from "../../../bench/tools/storeSchema.ts"
import { anyStore } from "../../support/anyStore.ts"
import { isPostgres } from "../../support/postgres.ts"

it.effect("the file of the schema has what the migrations make: npm run schema", () =>
  Effect.gen(function* () {
    const written = readFileSync(isPostgres ? files.postgres : files.sqlite, "utf8")
    assert.strictEqual(yield* storeSchema, written)
  }).pipe(Effect.provide(anyStore)),
)
