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
const pollMs = 250

/** Without a call for this long there are no looks: the next call looks its key up, and they go on. Milliseconds. */
const restMs = 2_000

/**
 * How long an answer is believed, from the moment when it was asked for: a pause, suspension or revocation takes effect on
 * every node within a second, also on one that does not reach the store.
 */
export const beliefMs = 750

const maxEntries = 100_000

interface Known {
  readonly caller: Caller
  readonly endsAt: number
  readonly version: number
}

/** The version of keys, and the changes after one. */
const changesText = `
  SELECT v.version, c.id FROM versions v LEFT JOIN access_changes c ON c.version > $1::bigint WHERE v.name = 'access'`

const forgetText = "DELETE FROM access_changes WHERE at < now() - interval '10 minutes'"

/**
 * Keys by hash. What was read counts until a change of the key, its agent or its account, and while the store answers: it is
 * asked for changes four times a second, while there are calls.
 */
export const layer: Layer.Layer<Keyring, never, Postgres> = Layer.scoped(
  Keyring,
  Effect.gen(function* () {
    const { rows } = yield* Postgres
    const clock = yield* Effect.clock
    const known = new Map<string, Known>()
    let seen = { version: -1, sentAt: Number.NEGATIVE_INFINITY }
    let askedAt = performance.now()
    const asked = yield* Effect.makeLatch(true)

    const forget = (changed: ReadonlySet<string>, version: number): void => {
      for (const [hash, { caller, version: readAt }] of known) {
        // Read after the change.
        if (readAt >= version) continue
        const { keyId, accountId, agent } = caller
        if (changed.has(keyId) || changed.has(accountId) || (agent !== undefined && changed.has(agent.id))) {
          known.delete(hash)
        }
      }
    }

    // Real time: the age of an answer is that of a message, whatever a test's clock says.
    const poll = Effect.suspend(() => {
      const sentAt = performance.now()
      const after = seen.version
      return Effect.map(
        rows<{ readonly version: number; readonly id: string | null }>("version", changesText, [after]),
        (found) => {
          const { version } = found[0]!
          const changed = new Set(found.flatMap(({ id }) => (id === null ? [] : [id])))
          // Changes that are forgotten, or of a store that was restored.
          if (version - after !== found.filter(({ id }) => id !== null).length) known.clear()
          else if (changed.size > 0) forget(changed, version)
          seen = { version, sentAt }
        },
      )
    })
    const rest = Effect.suspend(() =>
      performance.now() - askedAt < restMs ? Effect.void : Effect.zipRight(asked.close, asked.await),
    )
    yield* Effect.ignore(poll).pipe(
      Effect.zipRight(Effect.sleep(pollMs)),
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
          const caller = Keys.toCaller(row)
          // A change since then may have been passed on already.
          const { version, ends_at: endsAt } = row
          if (version >= seen.version) {
            Keys.remember(known, maxEntries, hash, { caller, version, endsAt: endsAt ?? Number.POSITIVE_INFINITY })
          }
          return caller
        },
      )

    return {
      find: Step.methodOf((hash) => {
        askedAt = performance.now()
        asked.unsafeOpen()
        const before = known.get(hash)
        const isFresh =
          before !== undefined &&
          before.version <= seen.version &&
          askedAt - seen.sentAt <= beliefMs &&
          clock.unsafeCurrentTimeMillis() < before.endsAt
        return isFresh ? Exit.succeed(before.caller) : mapStorageErrors(look(hash))
      }),
    }
  }),
)
