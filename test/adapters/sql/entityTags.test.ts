import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as secretBox from "../../../adapters/node/secretBox.ts"
import * as secrets from "../../../adapters/node/secrets.ts"
import * as entityTags from "../../../adapters/sql/EntityTags.ts"
import * as sqlite from "../../../adapters/sql/sqlite.ts"
import { EntityTags } from "../../../core/gateway/EntityTags.ts"
import { storeFile } from "../../support/store.ts"

/** The tag that a process over a store gives; the process ends with it. */
const tagOver = (file: string) =>
  Effect.flatMap(EntityTags, ({ of }) => of("q".repeat(64), "{}")).pipe(
    Effect.provide(entityTags.layer),
    Effect.provide(file === ":memory:" ? secretBox.layerMemory : secretBox.layerFile(`${file}.secrets-key`)),
    Effect.provide(sqlite.layer(file)),
    Effect.provide(secrets.layer),
  )

describe("entity tags of a store", () => {
  it.scoped("are the same after a restart", () =>
    Effect.gen(function* () {
      const file = yield* storeFile
      assert.strictEqual(yield* tagOver(file), yield* tagOver(file))
    }),
  )

  it.scoped("are the same in two processes, also when both open a new store", () =>
    Effect.gen(function* () {
      const file = yield* storeFile
      const [one, two] = yield* Effect.all([tagOver(file), tagOver(file)], { concurrency: "unbounded" })
      assert.strictEqual(one, two)
    }),
  )

  it.scoped("are no other installation's", () =>
    Effect.gen(function* () {
      const tags = [yield* tagOver(yield* storeFile), yield* tagOver(yield* storeFile), yield* tagOver(":memory:")]
      assert.strictEqual(new Set(tags).size, tags.length)
    }),
  )
})
