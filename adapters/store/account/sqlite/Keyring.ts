import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { Keyring } from "../../../../core/account/Keyring.ts"
import { BoundedMap } from "../../../../core/BoundedMap.ts"
import * as Step from "../../../../core/Step.ts"
import { reader, Sqlite } from "../../engine/sqlite/client.ts"
import * as KeyCaller from "../keyCaller.ts"

/** Keys by hash, cached until a transaction writes: only this process changes keys. */
export const layer: Layer.Layer<Keyring, never, Sqlite> = Layer.effect(
  Keyring,
  Effect.gen(function* () {
    const { db, writes, ...sqlite } = yield* Sqlite
    const read = reader(sqlite)
    const clock = yield* Effect.clock
    const row = db.prepare(KeyCaller.keyQuery("?"))
    const keys = new BoundedMap<string, KeyCaller.Key>(KeyCaller.maxCachedKeys)
    let cachedWrites = writes()

    return {
      find: Step.methodFrom((hash) => {
        const now = clock.unsafeCurrentTimeMillis()
        if (cachedWrites !== writes()) {
          keys.clear()
          cachedWrites = writes()
        }
        const key = keys.get(hash)
        if (key !== undefined && now < key.endsAt) return Exit.succeed(key.caller)
        return read(() => {
          const key = KeyCaller.toKey(row.get(hash) as KeyCaller.KeyRow | undefined, now)
          if (key !== undefined) keys.set(hash, key)
          return key?.caller
        })
      }),
    }
  }),
)
