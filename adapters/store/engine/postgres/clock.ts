import { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { cannot, type StoreError } from "../opening.ts"
import { StoreTime } from "../StoreTime.ts"
import { Postgres } from "./client.ts"

/*
 * The store's time as a node reckons it, from answers of the store and a local stopwatch that no one sets. All times are in
 * milliseconds.
 */

/** One answer: when it was asked for and received by the stopwatch, and the store's time in it. */
export interface Sample {
  readonly sentAt: number
  readonly gotAt: number
  readonly time: number
}

/** A sample's estimate: the store's time less the stopwatch's, give or take `half`. */
interface Estimate {
  readonly offset: number
  readonly half: number
  readonly at: number
}

/** How far two stopwatches may drift apart, per millisecond. */
const drift = 0.0005

/** After this long a better sample gives way to a newer one. */
const keptMs = 60_000

/** Without an answer for this long the time is in doubt: the store's clock may have been set. */
const silentMs = 30_000

/** How fast time runs while it waits for the store's. */
const slowed = 0.5

const estimate = ({ sentAt, gotAt, time }: Sample): Estimate => {
  const half = (gotAt - sentAt) / 2
  return { offset: time - (sentAt + half), half, at: gotAt }
}

const errorMargin = ({ half, at }: Estimate, now: number): number => half + Math.max(0, now - at) * drift

interface Reckoning {
  readonly take: (sample: Sample) => void
  /** The store's time, which never goes back. */
  readonly now: (local: number) => number
  /** The largest possible difference from the store's time; infinite if the store is silent. */
  readonly doubt: (local: number) => number
}

/**
 * The sample with the least round trip counts, unless it is old or the next one shows that the store's clock has been set.
 * A correction forward takes effect at once. Back, time runs at half its speed until the store's has caught up: what was
 * stamped before never has the later time.
 */
export const makeReckoning = (first: Sample): Reckoning => {
  let best = estimate(first)
  let answeredAt = first.gotAt
  // How far time was ahead of the store's, and since when it waits.
  let ahead = 0
  let slowedAt = 0

  const leftAhead = (local: number): number => Math.max(0, ahead - (local - slowedAt) * slowed)

  return {
    take: (sample) => {
      const latest = estimate(sample)
      answeredAt = latest.at
      const margin = errorMargin(best, latest.at)
      const isSet = Math.abs(latest.offset - best.offset) > margin + latest.half
      if (!isSet && latest.half > margin && latest.at - best.at < keptMs) return
      ahead = Math.max(0, best.offset + leftAhead(latest.at) - latest.offset)
      slowedAt = latest.at
      best = latest
    },
    now: (local) => local + best.offset + leftAhead(local),
    doubt: (local) =>
      local - answeredAt > silentMs ? Number.POSITIVE_INFINITY : errorMargin(best, local) + leftAhead(local),
  }
}

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
const makeClock = (time: Reckoning): Clock.Clock => {
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

const look = ({ rows }: Postgres["Type"]): Effect.Effect<Sample, SqlError> =>
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
    const time = makeReckoning(yield* sample)
    const take = Effect.replicateEffect(Effect.map(sample, time.take), samples, { discard: true })
    yield* take
    yield* Effect.ignore(take).pipe(Effect.schedule(Schedule.spaced(period)), Effect.forkScoped)
    const doubt = Effect.sync(() => {
      const doubtMs = time.doubt(local())
      if (doubtMs <= mostDoubtMs) return undefined
      return Number.isFinite(doubtMs)
        ? `The store's time is known to ${Math.ceil(doubtMs)} ms only; ${mostDoubtMs} ms are allowed.`
        : "The store has not told its time for half a minute."
    })
    return Layer.merge(Layer.succeed(StoreTime, { doubt }), Layer.setClock(makeClock(time)))
  }).pipe(Effect.withClock(real), Effect.mapError(cannot("read the store's time"))),
)
