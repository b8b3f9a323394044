import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"
import type { Postgres } from "../../engine/postgres/client.ts"
import { isTransient } from "../../engine/storage.ts"

/** Pause between two looks for batches of other nodes, milliseconds; their calls have no answer and are still charged. */
const pauseMs = 10_000

/** The same while a batch cannot be ended, because somebody holds a wallet or the store is away. */
const againMs = 200

/** Batches that are ended in one look. */
const maxEnded = 100

/** Batches are known for ten minutes: no node asks for one after its 5 s. Rows of one deletion. */
const forgetText = `
  DELETE FROM settled_batches WHERE id IN (
    SELECT id FROM settled_batches WHERE at < now() - interval '10 minutes' LIMIT 1000 FOR UPDATE SKIP LOCKED
  ) RETURNING 1`

export const forget = ({ rows }: Postgres["Type"]) =>
  Effect.repeat(rows("forgetBatches", forgetText), { until: ({ length }) => length < 1_000 })

/**
 * Ends batches whose answers nobody was given, those of nodes that are gone too, and forgets old ones.
 *
 * @returns hands a batch with its calls over, as a row that any node may take; it returns when the row is there
 */
export const make = (postgres: Postgres["Type"]) =>
  Effect.gen(function* () {
    const { rows } = postgres
    const handedOver = yield* Queue.sliding<void>(1)

    const end = (batch: string) =>
      Effect.isSuccess(
        Effect.tapError(rows("cancel", "SELECT cancel($1::uuid)", [batch]), (error) =>
          isTransient(error) ? Effect.void : Effect.logError("A batch of charges could not be cancelled", error),
        ),
      )

    /** Whether there may be more to do. */
    const look = Effect.gen(function* () {
      const pending = yield* rows<{ readonly batch: string }>(
        "cancels",
        `SELECT batch FROM cancels ORDER BY at LIMIT ${maxEnded}`,
      )
      const ended = yield* Effect.forEach(pending, ({ batch }) => end(batch))
      return ended.includes(false) || pending.length === maxEnded
    })

    yield* Effect.orElseSucceed(look, () => true).pipe(
      Effect.flatMap((again) => Effect.timeoutOption(Queue.take(handedOver), again ? againMs : pauseMs)),
      Effect.forever,
      Effect.withClock(Clock.make()),
      Effect.forkScoped,
    )
    yield* Effect.ignore(forget(postgres)).pipe(
      Effect.schedule(Schedule.spaced("1 minute")),
      Effect.withClock(Clock.make()),
      Effect.forkScoped,
    )

    return (batch: string, calls: ReadonlyArray<unknown>) =>
      Effect.zipRight(
        rows("end", "INSERT INTO cancels (batch, calls) VALUES ($1::uuid, $2::json) ON CONFLICT DO NOTHING", [
          batch,
          JSON.stringify(calls),
        ]),
        Queue.offer(handedOver, undefined),
      )
  })
