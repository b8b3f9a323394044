import type { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { type Caller, Keyring } from "../../../../core/account/Keyring.ts"
import { BoundedMap } from "../../../../core/BoundedMap.ts"
import * as Step from "../../../../core/Step.ts"
import { Postgres } from "../../engine/postgres/client.ts"
import { mapStorageErrors } from "../../engine/storage.ts"
import * as KeyCaller from "../keyCaller.ts"

/** Pause between two looks at the version of keys, milliseconds. */
const lookMs = 250

/** Without a call for this long there are no looks: the next call looks its key up, and they go on. Milliseconds. */
const restMs = 2_000

/**
 * How long an answer is believed, from the moment when it was asked for: a pause, suspension or revocation takes effect on
 * every node within a second, also on one that does not reach the store.
 */
export const beliefMs = 750

const versionText = "SELECT version FROM versions WHERE name = 'access'"

const keyText = `
  SELECT key.*, v.version FROM versions v LEFT JOIN (${KeyCaller.keyText("$1")}) key ON true WHERE v.name = 'access'`

/**
 * Keys by hash, while the store answers: it is asked for its count of changes four times a second, while there are calls. What
 * was read counts until a change of any key, agent or account.
 */
export const layer: Layer.Layer<Keyring, never, Postgres> = Layer.scoped(
  Keyring,
  Effect.gen(function* () {
    const { rows } = yield* Postgres
    const clock = yield* Effect.clock
    const keys = new BoundedMap<string, KeyCaller.Key>(KeyCaller.maxKeys)
    /** The count of changes up to which keys were read. */
    let seen = -1
    let answeredAt = Number.NEGATIVE_INFINITY
    let askedAt = performance.now()
    const asked = yield* Effect.makeLatch(true)

    // Real time: the age of an answer is that of a message, whatever a test's clock says.
    const poll = Effect.suspend(() => {
      const sentAt = performance.now()
      return Effect.map(rows<{ readonly version: number }>("version", versionText), ([row]) => {
        if (row!.version !== seen) keys.clear()
        seen = row!.version
        answeredAt = sentAt
      })
    })
    const rest = Effect.suspend(() =>
      performance.now() - askedAt < restMs ? Effect.void : Effect.zipRight(asked.close, asked.await),
    )
    yield* Effect.ignore(poll).pipe(
      Effect.zipRight(Effect.sleep(lookMs)),
      Effect.zipRight(rest),
      Effect.forever,
      Effect.withClock(Clock.make()),
      Effect.forkScoped,
    )
    const look = (hash: string): Effect.Effect<Caller | undefined, SqlError> =>
      Effect.map(rows<KeyCaller.KeyRow & { readonly version: number }>("key", keyText, [hash]), ([row]) => {
        const key = KeyCaller.toKey(row?.id === null ? undefined : row, clock.unsafeCurrentTimeMillis())
        // A change since then may have been noted already. An unknown key is not kept, so that a new one works at once.
        if (key !== undefined && row!.version === seen) keys.set(hash, key)
        return key?.caller
      })

    return {
      find: Step.methodFrom((hash) => {
        askedAt = performance.now()
        asked.unsafeOpen()
        const key = askedAt - answeredAt <= beliefMs ? keys.get(hash) : undefined
        return key !== undefined && clock.unsafeCurrentTimeMillis() < key.endsAt
          ? Exit.succeed(key.caller)
          : mapStorageErrors(look(hash))
      }),
    }
  }),
)
