import type { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { type Caller, Keyring } from "../../../core/account/Keyring.ts"
import * as Step from "../../../core/Step.ts"
import * as Keys from "../sqlite/Keyring.ts"
import { mapStorageErrors } from "../storage.ts"
import { Postgres } from "./client.ts"

/** Pause between two looks at the version of keys, milliseconds. */
const pollMs = 200

/**
 * How long an answer is believed, from the moment when it was asked for: a pause, suspension or revocation takes effect on
 * every node within a second, also on one that does not reach the store.
 */
export const beliefMs = 750

const maxEntries = 10_000

interface Known {
  readonly caller: Caller
  readonly endsAt: number
  readonly version: number
}

/**
 * Keys by hash. What was read counts while the version of keys, which every change of a key or agent and every suspension
 * raises, is the one that was read with it, and while the store answers.
 */
export const layer: Layer.Layer<Keyring, never, Postgres> = Layer.scoped(
  Keyring,
  Effect.gen(function* () {
    const { rows } = yield* Postgres
    const clock = yield* Effect.clock
    const known = new Map<string, Known>()
    let seen = { version: Number.NaN, sentAt: Number.NEGATIVE_INFINITY }

    // Real time: the age of an answer is that of a message, whatever a test's clock says.
    const poll = Effect.suspend(() => {
      const sentAt = performance.now()
      return Effect.map(
        rows<{ readonly version: number }>("version", "SELECT version FROM versions WHERE name = 'access'"),
        ([row]) => {
          if (sentAt > seen.sentAt) seen = { version: row!.version, sentAt }
        },
      )
    })
    yield* Effect.ignore(poll).pipe(
      Effect.repeat(Schedule.spaced(pollMs)),
      Effect.withClock(Clock.make()),
      Effect.forkScoped,
    )

    const look = (hash: string): Effect.Effect<Caller | undefined, SqlError> =>
      Effect.map(
        rows<Keys.Row & { readonly version: number }>(
          "key",
          `SELECT found.*, v.version FROM versions v LEFT JOIN (${Keys.find("$1")}) found ON true WHERE v.name = 'access'`,
          [hash],
        ),
        ([row]) => {
          const now = clock.unsafeCurrentTimeMillis()
          if (row === undefined || row.id === null || (row.ends_at !== null && row.ends_at <= now)) {
            known.delete(hash)
            return undefined
          }
          if (known.size >= maxEntries) known.clear()
          const caller = Keys.toCaller(row)
          known.set(hash, { caller, endsAt: row.ends_at ?? Number.POSITIVE_INFINITY, version: row.version })
          return caller
        },
      )

    return {
      find: Step.methodOf((hash) => {
        const before = known.get(hash)
        const isFresh =
          before !== undefined &&
          before.version === seen.version &&
          performance.now() - seen.sentAt <= beliefMs &&
          clock.unsafeCurrentTimeMillis() < before.endsAt
        return isFresh ? Exit.succeed(before.caller) : mapStorageErrors(look(hash))
      }),
    }
  }),
)
