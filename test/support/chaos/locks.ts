import { once } from "node:events"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { open } from "../../../adapters/store/engine/sqlite/driver.ts"
import * as stores from "../../../adapters/store/open.ts"
import { Keyring } from "../../../core/account/Keyring.ts"
import { storeAt } from "../place.ts"
import { say } from "../say.ts"

/** Holds the write lock of the store as a stranger's program does, until a line comes in. */
export const hold = (file: string) =>
  Effect.promise(async () => {
    const db = open(file)
    db.exec("BEGIN IMMEDIATE")
    say("held")
    await once(process.stdin, "data")
    db.close()
  })

/** Asks for a key again and again, and says when it asked and what it was told. */
export const keys = (place: string, hash: string) =>
  Effect.gen(function* () {
    const { find } = yield* Keyring
    const ask = Effect.gen(function* () {
      const asked = Date.now()
      const told = yield* Effect.match(find(hash), {
        onFailure: ({ code }) => code,
        onSuccess: (caller) => (caller === undefined ? "unknown" : caller.agent?.paused ? "paused" : "served"),
      })
      say(`${asked} ${told}`)
    })
    yield* Effect.forever(Effect.zipRight(ask, Effect.sleep("10 millis")))
  }).pipe(Effect.provide(stores.keyring.pipe(Layer.provide(storeAt(place)))))
