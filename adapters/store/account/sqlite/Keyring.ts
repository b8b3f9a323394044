import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { Keyring } from "../../../../core/account/Keyring.ts"
import { BoundedMap } from "../../../../core/BoundedMap.ts"
import * as Step from "../../../../core/Step.ts"
import { reader, Sqlite } from "../../engine/sqlite/client.ts"
import * as KeyCache from "../keyCache.ts"

/** Keys by hash. What was read counts until a transaction has written: this process alone changes keys. */
export const layer: Layer.Layer<Keyring, never, Sqlite> = Layer.effect(
  Keyring,
  Effect.gen(function* () {
    const { db, writes, ...sqlite } = yield* Sqlite
    const read = reader(sqlite)
    const clock = yield* Effect.clock
    const row = db.prepare(KeyCache.keyText("?"))
    const keys = new BoundedMap<string, KeyCache.Key>(KeyCache.maxKeys)
    let seen = writes()

    return {
      find: Step.methodFrom((hash) => {
        const now = clock.unsafeCurrentTimeMillis()
        if (seen !== writes()) {
          keys.clear()
          seen = writes()
        }
        const key = keys.get(hash)
        if (key !== undefined && now < key.endsAt) return Exit.succeed(key.caller)
        return read(() => {
          const key = KeyCache.toKey(row.get(hash) as KeyCache.KeyRow | undefined, now)
          if (key !== undefined) keys.set(hash, key)
          return key?.caller
        })
      }),
    }
  }),
)
