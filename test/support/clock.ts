import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

export interface SetClock extends Clock.Clock {
  /** From now on it is this time, epoch milliseconds. */
  readonly set: (millis: number) => void
}

/**
 * A clock that stands where it is set, while whoever sleeps by it wakes after real time, or so many times earlier: for tests
 * with real sockets.
 */
export const clockAt = (millis: number, times = 1): SetClock => {
  let now = millis
  const real = Clock.make()
  return Object.assign(Object.create(real), {
    sleep: (duration: Duration.Duration) => real.sleep(Duration.times(duration, 1 / times)),
    unsafeCurrentTimeMillis: () => now,
    currentTimeMillis: Effect.sync(() => now),
    set: (to: number) => {
      now = to
    },
  })
}

/** What counts within a second counts for a call that begins a second later: this is true at any load of the machine. */
export const aSecond = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1_000))

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
