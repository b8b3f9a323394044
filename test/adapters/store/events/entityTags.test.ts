import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as secretBox from "../../../../adapters/runtime/node/secretBox.ts"
import * as secrets from "../../../../adapters/runtime/node/secrets.ts"
import { layerEntityTags } from "../../../../adapters/store/events/sealSecrets.ts"
import { EntityTags } from "../../../../core/gateway/EntityTags.ts"
import { anyStore, sharedStore } from "../../../support/anyStore.ts"

/** The tag that a process over a store gives; the process ends with it. */
const tagOver = (store: typeof anyStore, box = secretBox.layerMemory) =>
  Effect.flatMap(EntityTags, ({ of }) => of("q".repeat(64), "{}")).pipe(
    Effect.provide(layerEntityTags),
    Effect.provide(Layer.mergeAll(store, secrets.layer, box)),
  )

describe("entity tags of a store", () => {
  it.scoped("are the same after a restart", () =>
    Effect.gen(function* () {
      const [store, box] = [yield* sharedStore, Layer.succeedContext(yield* Layer.build(secretBox.layerMemory))]
      assert.strictEqual(yield* tagOver(store, box), yield* tagOver(store, box))
    }),
  )

  it.scoped("are no other installation's", () =>
    Effect.gen(function* () {
      const tags = [yield* tagOver(yield* sharedStore), yield* tagOver(yield* sharedStore), yield* tagOver(anyStore)]
      assert.strictEqual(new Set(tags).size, tags.length)
    }),
  )
})
