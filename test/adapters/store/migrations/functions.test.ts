import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { newest } from "../../../../adapters/store/migrations/mod.ts"
import { files, storeSchema } from "../../../../bench/tools/storeSchema.ts"
import { anyStore } from "../../../support/anyStore.ts"
import { isPostgres } from "../../../support/postgres.ts"

it.effect("the file of the schema has what the migrations make: npm run schema", () =>
  Effect.gen(function* () {
    const written = readFileSync(isPostgres ? files.postgres : files.sqlite, "utf8")
    assert.strictEqual(yield* storeSchema, written)
  }).pipe(Effect.provide(anyStore)),
)

it("tables and functions change only with the schema's number, and so with a migration", () => {
  const digest = (file: string) => createHash("sha256").update(readFileSync(file)).digest("hex").slice(0, 12)
  const made = { schema: newest, sqlite: digest(files.sqlite), postgres: digest(files.postgres) }
  assert.deepStrictEqual(made, { schema: 45, sqlite: "8741ac9a0a6d", postgres: "511c58d04a50" })
})
