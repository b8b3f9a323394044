import { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Reckoning from "../../money/postgres/reckoning.ts"
import { cannot, type StoreError } from "../opening.ts"
import { StoreTime } from "../StoreTime.ts"
import { Postgres } from "./client.ts"

/** Pause between two looks at the store's clock. */
const period = "10 seconds"

/** Answers per look; the fastest one counts. */
const samples = 5

/** Longest wait for an answer. */
const answerTimeout = "5 seconds"

/** A node whose time may differ by more is not ready, milliseconds. */
export const mostDoubtMs = 250

/** The stopwatch: it goes on when someone sets this machine's clock. */
const local = (): number => performance.now()

const real = Clock.make()

/** The store's time as a clock. Sleeps and spans are this machine's. */
const makeClock = (time: Reckoning.Reckoning): Clock.Clock => {
  const now = (): number => Math.floor(time.now(local()))
  return {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis: now,
    currentTimeMillis: Effect.sync(now),
    unsafeCurrentTimeNanos: () => real.unsafeCurrentTimeNanos(),
    currentTimeNanos: real.currentTimeNanos,
    sleep: (duration) => real.sleep(duration),
  }
}

const look = ({ rows }: Postgres["Type"]): Effect.Effect<Reckoning.Sample, SqlError> =>
  Effect.suspend(() => {
    const sentAt = local()
    return Effect.map(
      rows<{ readonly time: number }>("time", "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS time"),
      ([row]) => ({ sentAt, gotAt: local(), time: row!.time }),
    )
  })

/**
 * Replaces the `Clock` of everything that is built over it: charges, audit rows, keys and slots have the store's time
 * whatever this machine's clock says.
 */
export const layer: Layer.Layer<StoreTime, StoreError, Postgres> = Layer.unwrapScoped(
  Effect.gen(function* () {
    const sample = look(yield* Postgres).pipe(
      Effect.timeoutFail({
        duration: answerTimeout,
        onTimeout: () => new SqlError({ cause: undefined, message: "The store did not tell its time" }),
      }),
    )
    const time = Reckoning.make(yield* sample)
    const take = Effect.replicateEffect(Effect.map(sample, time.take), samples, { discard: true })
    yield* take
    yield* Effect.ignore(take).pipe(Effect.schedule(Schedule.spaced(period)), Effect.forkScoped)
    const doubt = Effect.sync(() => {
      const found = time.doubt(local())
      if (found <= mostDoubtMs) return undefined
      return Number.isFinite(found)
        ? `The store's time is known to ${Math.ceil(found)} ms only; ${mostDoubtMs} ms are allowed.`
        : "The store has not told its time for half a minute."
    })
    return Layer.merge(Layer.succeed(StoreTime, { doubt }), Layer.setClock(makeClock(time)))
  }).pipe(Effect.withClock(real), Effect.mapError(cannot("read the store's time"))),
)
