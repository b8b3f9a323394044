import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

export interface SetClock extends Clock.Clock {
  /** From now on it is this time, epoch milliseconds. */
  readonly set: (millis: number) => void
}

/** A clock that stands where it is set, while whoever sleeps by it wakes after real time: for tests with real sockets. */
export const clockAt = (millis: number): SetClock => {
  let now = millis
  return Object.assign(Object.create(Clock.make()), {
    unsafeCurrentTimeMillis: () => now,
    currentTimeMillis: Effect.sync(() => now),
    set: (to: number) => {
      now = to
    },
  })
}
