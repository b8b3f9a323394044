import type { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { type Caller, Keyring } from "../../../../core/account/Keyring.ts"
import * as Step from "../../../../core/Step.ts"
import { Postgres } from "../../engine/postgres/client.ts"
import { mapStorageErrors } from "../../engine/storage.ts"
import * as KeyCache from "../keyCache.ts"

/** Pause between two looks at the version of keys, milliseconds. */
const lookMs = 250

/** Without a call for this long there are no looks: the next call looks its key up, and they go on. Milliseconds. */
const restMs = 2_000

/**
 * How long an answer is believed, from the moment when it was asked for: a pause, suspension or revocation takes effect on
 * every node within a second, also on one that does not reach the store.
 */
export const beliefMs = 750

const forgetText = "DELETE FROM access_changes WHERE at < now() - interval '10 minutes'"

const keyText = `
  SELECT key.*, v.version FROM versions v LEFT JOIN (${KeyCache.keyText("$1")}) key ON true WHERE v.name = 'access'`

/** Keys by hash, while the store answers: it is asked for changes four times a second, while there are calls. */
export const layer: Layer.Layer<Keyring, never, Postgres> = Layer.scoped(
  Keyring,
  Effect.gen(function* () {
    const { rows } = yield* Postgres
    const clock = yield* Effect.clock
    const cache = KeyCache.make()
    let answeredAt = Number.NEGATIVE_INFINITY
    let askedAt = performance.now()
    const asked = yield* Effect.makeLatch(true)

    // Real time: the age of an answer is that of a message, whatever a test's clock says.
    const poll = Effect.suspend(() => {
      const sentAt = performance.now()
      const after = cache.seen()
      return Effect.map(rows<KeyCache.ChangeRow>("version", KeyCache.changesText, [after]), (changes) => {
        cache.note(changes, after)
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
    yield* Effect.ignore(rows("forgetChanges", forgetText)).pipe(
      Effect.schedule(Schedule.spaced("5 minutes")),
      Effect.withClock(Clock.make()),
      Effect.forkScoped,
    )

    const look = (hash: string): Effect.Effect<Caller | undefined, SqlError> =>
      Effect.map(rows<KeyCache.KeyRow & { readonly version: number }>("key", keyText, [hash]), ([row]) =>
        cache.put(hash, row?.id === null ? undefined : row, row?.version ?? -1, clock.unsafeCurrentTimeMillis()),
      )

    return {
      find: Step.methodFrom((hash) => {
        askedAt = performance.now()
        asked.unsafeOpen()
        const isFresh = askedAt - answeredAt <= beliefMs
        const caller = isFresh ? cache.get(hash, clock.unsafeCurrentTimeMillis()) : undefined
        return caller === undefined ? mapStorageErrors(look(hash)) : Exit.succeed(caller)
      }),
    }
  }),
)
