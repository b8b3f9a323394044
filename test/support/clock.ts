import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

export interface SetClock extends Clock.Clock {
  /** From now on it is this time, epoch milliseconds. */
  readonly set: (millis: number) => void
}

/** The event loop's next turn. A timer of 0 ms takes at least 1 ms, and long work pauses thousands of times (`breath`). */
const nextTurn: Effect.Effect<void> = Effect.async((resume) => {
  const waiting = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(waiting))
})

/** A clock that stands where it is set, while whoever sleeps by it wakes after real time: for tests with real sockets. */
export const clockAt = (millis: number): SetClock => {
  let now = millis
  const real = Clock.make()
  return Object.assign(Object.create(real), {
    sleep: (duration: Duration.Duration) => (Duration.toMillis(duration) === 0 ? nextTurn : real.sleep(duration)),
    unsafeCurrentTimeMillis: () => now,
    currentTimeMillis: Effect.sync(() => now),
    set: (to: number) => {
      now = to
    },
  })
}

/** A clock that runs so many times faster, sleeps included: an upstream that hangs for minutes hangs for seconds. */
export const hurried = (times: number): Clock.Clock => {
  const real = Clock.make()
  const begun = Date.now()
  const millis = (): number => begun + (Date.now() - begun) * times
  return Object.assign(Object.create(real), {
    unsafeCurrentTimeMillis: millis,
    currentTimeMillis: Effect.sync(millis),
    sleep: (duration: Duration.Duration) => real.sleep(Duration.times(duration, 1 / times)),
  })
}
