import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as secretBox from "../../../../adapters/runtime/node/secretBox.ts"
import * as secrets from "../../../../adapters/runtime/node/secrets.ts"
import { layerEntityTags } from "../../../../adapters/store/events/sealSecrets.ts"
import { EntityTags } from "../../../../core/gateway/EntityTags.ts"
import { anyStore, sharedStore } from "../../../support/anyStore.ts"
import { isPostgres } from "../../../support/postgres.ts"

/** The tag that a process over a store gives; the process ends with it. */
const tagOver = (store: typeof anyStore) =>
  Effect.flatMap(EntityTags, ({ of }) => of("q".repeat(64), "{}")).pipe(
    Effect.provide(layerEntityTags),
    Effect.provide(Layer.mergeAll(store, secrets.layer, secretBox.layerMemory)),
  )

describe("entity tags of a store", () => {
  it.scoped("are the same after a restart", () =>
    Effect.gen(function* () {
      const store = yield* sharedStore
      assert.strictEqual(yield* tagOver(store), yield* tagOver(store))
    }),
  )

  it.scoped("are no other installation's", () =>
    Effect.gen(function* () {
      const tags = [yield* tagOver(yield* sharedStore), yield* tagOver(yield* sharedStore), yield* tagOver(anyStore)]
      // The databases of the tests are copies of one, with its secret.
      assert.strictEqual(new Set(tags).size, isPostgres ? 1 : tags.length)
    }),
  )
})
