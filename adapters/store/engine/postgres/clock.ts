import { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { type StoreError, toStoreError } from "../opening.ts"
import { StoreTime } from "../StoreTime.ts"
import { Postgres } from "./client.ts"

/*
 * A node's estimate of the store's time, from answers of the store and a local stopwatch that cannot be set. All times are in
 * milliseconds.
 */

/** One answer: when it was requested and received by the stopwatch, and the store's time in it. */
export interface Sample {
  readonly sentAt: number
  readonly receivedAt: number
  readonly time: number
}

/** A sample's estimate: the store's time minus the stopwatch's, ± `halfWidth`. */
interface Estimate {
  readonly offset: number
  readonly halfWidth: number
  readonly at: number
}

/** The largest drift between two stopwatches, milliseconds per millisecond. */
const drift = 0.0005

/** Age at which a sample is replaced even by a less exact one. */
const maxSampleAgeMs = 60_000

/** Silence after which the time is in doubt, since the store's clock may have been set. */
const maxSilenceMs = 30_000

/** The speed of this node's time while it waits for the store's to catch up. */
const slowSpeed = 0.5

const toEstimate = ({ sentAt, receivedAt, time }: Sample): Estimate => {
  const halfWidth = (receivedAt - sentAt) / 2
  return { offset: time - (sentAt + halfWidth), halfWidth, at: receivedAt }
}

const errorMargin = ({ halfWidth: half, at }: Estimate, now: number): number => half + Math.max(0, now - at) * drift

interface Reckoning {
  readonly take: (sample: Sample) => void
  /** The store's time, which never goes back. */
  readonly now: (local: number) => number
  /** The largest possible difference from the store's time; infinite if the store is silent. */
  readonly maxError: (local: number) => number
}

/**
 * Uses the sample with the shortest round trip, unless it is old or the next one shows that the store's clock has been set. A
 * correction forward takes effect at once. For one backward, time runs at half its speed until the store's has caught up, so
 * that it never goes back.
 */
export const makeReckoning = (first: Sample): Reckoning => {
  let best = toEstimate(first)
  let answeredAt = first.receivedAt
  // How far this node's time was ahead of the store's, and when it began to slow down.
  let ahead = 0
  let slowedAt = 0

  const remainingAhead = (local: number): number => Math.max(0, ahead - (local - slowedAt) * slowSpeed)

  return {
    take: (sample) => {
      const latest = toEstimate(sample)
      answeredAt = latest.at
      const margin = errorMargin(best, latest.at)
      const isSet = Math.abs(latest.offset - best.offset) > margin + latest.halfWidth
      if (!isSet && latest.halfWidth > margin && latest.at - best.at < maxSampleAgeMs) return
      ahead = Math.max(0, best.offset + remainingAhead(latest.at) - latest.offset)
      slowedAt = latest.at
      best = latest
    },
    now: (local) => local + best.offset + remainingAhead(local),
    maxError: (local) =>
      local - answeredAt > maxSilenceMs ? Number.POSITIVE_INFINITY : errorMargin(best, local) + remainingAhead(local),
  }
}

/** Pause between two readings of the store's clock. */
const period = "10 seconds"

/** Answers per reading; the fastest one counts. */
const samples = 5

const answerTimeout = "5 seconds"

/** The largest possible error of a ready node's time, milliseconds. */
export const maxErrorMs = 250

/** The stopwatch, which runs on when this machine's clock is set. */
const readStopwatch = (): number => performance.now()

const real = Clock.make()

/** The store's time as a clock. Sleeps and spans are this machine's. */
const makeClock = (time: Reckoning): Clock.Clock => {
  const now = (): number => Math.floor(time.now(readStopwatch()))
  return {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis: now,
    currentTimeMillis: Effect.sync(now),
    unsafeCurrentTimeNanos: () => real.unsafeCurrentTimeNanos(),
    currentTimeNanos: real.currentTimeNanos,
    sleep: (duration) => real.sleep(duration),
  }
}

const readStoreTime = ({ rows }: Postgres["Type"]): Effect.Effect<Sample, SqlError> =>
  Effect.suspend(() => {
    const sentAt = readStopwatch()
    return Effect.map(
      rows<{ readonly time: number }>("time", "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS time"),
      ([row]) => ({ sentAt, receivedAt: readStopwatch(), time: row!.time }),
    )
  })

/**
 * Replaces the `Clock` of everything that is built over it: charges, audit rows, keys and slots use the store's time, whatever
 * this machine's clock says.
 */
export const layer: Layer.Layer<StoreTime, StoreError, Postgres> = Layer.unwrapScoped(
  Effect.gen(function* () {
    const sample = readStoreTime(yield* Postgres).pipe(
      Effect.timeoutFail({
        duration: answerTimeout,
        onTimeout: () => new SqlError({ cause: undefined, message: "The store did not tell its time" }),
      }),
    )
    const time = makeReckoning(yield* sample)
    const take = Effect.replicateEffect(Effect.map(sample, time.take), samples, { discard: true })
    yield* take
    yield* Effect.ignore(take).pipe(Effect.schedule(Schedule.spaced(period)), Effect.forkScoped)
    const doubt = Effect.sync(() => {
      const doubtMs = time.maxError(readStopwatch())
      if (doubtMs <= maxErrorMs) return undefined
      return Number.isFinite(doubtMs)
        ? `The store's time is known to ${Math.ceil(doubtMs)} ms only; ${maxErrorMs} ms are allowed.`
        : "The store has not told its time for half a minute."
    })
    return Layer.merge(Layer.succeed(StoreTime, { doubt }), Layer.setClock(makeClock(time)))
  }).pipe(Effect.withClock(real), Effect.mapError(toStoreError("read the store's time"))),
)
