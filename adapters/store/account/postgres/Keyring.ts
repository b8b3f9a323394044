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

/** Pause between two polls of the version of keys, milliseconds. */
const pollPauseMs = 250

/** Polling stops without a call for this long, milliseconds. The next call looks its key up, and polling goes on. */
const idleMs = 2_000

/**
 * How long a polled version is trusted, milliseconds from the request: a pause, suspension or revocation takes effect on every
 * node within a second, also on one that cannot reach the store.
 */
export const trustMs = 750

const versionText = "SELECT version FROM versions WHERE name = 'access'"

const keyText = `
  SELECT key.*, v.version FROM versions v LEFT JOIN (${KeyCaller.keyQuery("$1")}) key ON true WHERE v.name = 'access'`

/**
 * Keys by hash. While there are calls, the store is polled for its count of changes four times a second; a cached key is used
 * until any key, agent or account changes.
 */
export const layer: Layer.Layer<Keyring, never, Postgres> = Layer.scoped(
  Keyring,
  Effect.gen(function* () {
    const { rows } = yield* Postgres
    const clock = yield* Effect.clock
    const keys = new BoundedMap<string, KeyCaller.Key>(KeyCaller.maxCachedKeys)
    /** The count of changes at which the cached keys were read. */
    let cachedVersion = -1
    let answeredAt = Number.NEGATIVE_INFINITY
    let askedAt = performance.now()
    const wanted = yield* Effect.makeLatch(true)

    // Real time, whatever a test's clock says: it measures the age of a message.
    const poll = Effect.suspend(() => {
      const sentAt = performance.now()
      return Effect.map(rows<{ readonly version: number }>("version", versionText), ([row]) => {
        if (row!.version !== cachedVersion) keys.clear()
        cachedVersion = row!.version
        answeredAt = sentAt
      })
    })
    const waitForCalls = Effect.suspend(() =>
      performance.now() - askedAt < idleMs ? Effect.void : Effect.zipRight(wanted.close, wanted.await),
    )
    yield* Effect.ignore(poll).pipe(
      Effect.zipRight(Effect.sleep(pollPauseMs)),
      Effect.zipRight(waitForCalls),
      Effect.forever,
      Effect.withClock(Clock.make()),
      Effect.forkScoped,
    )
    const lookUp = (hash: string): Effect.Effect<Caller | undefined, SqlError> =>
      Effect.map(rows<KeyCaller.KeyRow & { readonly version: number }>("key", keyText, [hash]), ([row]) => {
        const key = KeyCaller.toKey(row?.id === null ? undefined : row, clock.unsafeCurrentTimeMillis())
        // Not cached if a later change was already polled. Unknown keys are not cached, so that a new one works at once.
        if (key !== undefined && row!.version === cachedVersion) keys.set(hash, key)
        return key?.caller
      })

    return {
      find: Step.methodFrom((hash) => {
        askedAt = performance.now()
        wanted.unsafeOpen()
        const key = askedAt - answeredAt <= trustMs ? keys.get(hash) : undefined
        return key !== undefined && clock.unsafeCurrentTimeMillis() < key.endsAt
          ? Exit.succeed(key.caller)
          : mapStorageErrors(lookUp(hash))
      }),
    }
  }),
)
