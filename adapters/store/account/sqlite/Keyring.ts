import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { Keyring } from "../../../../core/account/Keyring.ts"
import * as Step from "../../../../core/Step.ts"
import { reader, Sqlite } from "../../engine/sqlite/client.ts"
import * as KeyCache from "../keyCache.ts"

/** Keys by hash. Calls look at the version of keys after each transaction: this process alone changes them. */
export const layer: Layer.Layer<Keyring, never, Sqlite> = Layer.effect(
  Keyring,
  Effect.gen(function* () {
    const { db, ended, ...sqlite } = yield* Sqlite
    const read = reader(sqlite)
    const clock = yield* Effect.clock
    const key = db.prepare(KeyCache.keyText("?"))
    const changes = db.prepare(KeyCache.changesText("?"))
    const cache = KeyCache.make()
    let seen = -1

    const look = (): void => {
      const after = cache.seen()
      cache.note(changes.all(after) as ReadonlyArray<KeyCache.ChangeRow>, after)
      seen = ended()
    }

    return {
      find: Step.methodFrom((hash) => {
        const now = clock.unsafeCurrentTimeMillis()
        const isDue = seen !== ended()
        const caller = isDue ? undefined : cache.get(hash, now)
        if (caller !== undefined) return Exit.succeed(caller)
        return read(() => {
          if (isDue) look()
          const before = cache.get(hash, now)
          if (before !== undefined) return before
          // Whatever has changed since the version was seen is looked at again.
          return cache.put(hash, key.get(hash) as KeyCache.KeyRow | undefined, cache.seen(), now)
        })
      }),
    }
  }),
)
