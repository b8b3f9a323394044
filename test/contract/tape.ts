import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { type Asset, assets } from "../../core/lanes/crypto/fields.ts"
import { Tape, type Window } from "../../core/lanes/crypto/ports.ts"

export interface TapeOptions {
  /** The instant at which the provider is asked, epoch milliseconds. It has a tape of both assets then. */
  readonly now: number
}

/** What the lane asks for, and lengths at the edges. */
const lengths = [1, 2, 60, 120, 7 * 1440 + 5]

/**
 * What every provider of the one-minute tape owes its callers. Run it against a provider of your own in a Vitest file.
 *
 * @param layer the provider; it is built anew for each test, with the test clock at `options.now`
 *
 * @example
 * tapeContract("my exchange", layerOfMine, { now: Date.UTC(2026, 6, 8, 14, 30, 20) })
 */
export const tapeContract = <E>(name: string, layer: Layer.Layer<Tape, E>, { now }: TapeOptions): void => {
  const asking = <A, F>(body: (tape: typeof Tape.Service) => Effect.Effect<A, F>) =>
    Effect.zipRight(TestClock.setTime(now), Effect.provide(Effect.flatMap(Tape, body), layer))

  const everything = (tape: typeof Tape.Service) =>
    Effect.forEach(
      assets.flatMap((asset) => lengths.map((minutes) => ({ asset, minutes }))),
      ({ asset, minutes }) =>
        Effect.map(tape.window(asset, minutes), (window) => {
          if (window === undefined) return assert.fail(`There is no ${asset} tape.`)
          return { asset, minutes, window }
        }),
    )

  /** Windows as they are now, whatever becomes of their arrays. */
  const copied = (found: ReadonlyArray<{ readonly asset: Asset; readonly minutes: number; readonly window: Window }>) =>
    found.map(({ window, ...rest }) => ({ ...rest, ...window, closes: window.closes.slice() }))

  describe(`the tape of ${name}`, () => {
    it.effect("has closes that are prices or gaps, the last one a price", () =>
      asking((tape) =>
        Effect.gen(function* () {
          for (const { asset, minutes, window } of yield* everything(tape)) {
            const at = `${asset}, ${minutes} minutes`
            assert.isTrue(window.closes.length >= 1 && window.closes.length <= minutes, at)
            assert.isFalse(Number.isNaN(window.closes.at(-1)), at)
            for (const close of window.closes) {
              assert.isTrue(Number.isNaN(close) || (close > 0 && close < Infinity), `${at}: ${close}`)
            }
          }
        }),
      ),
    )

    it.effect("ends with a minute that is over", () =>
      asking((tape) =>
        Effect.gen(function* () {
          for (const seconds of [0, 1, 39, 61, 3_600]) {
            const at = now + seconds * 1_000
            yield* TestClock.setTime(at)
            for (const { asset, window } of yield* everything(tape)) {
              assert.isTrue(Number.isSafeInteger(window.lastMinute) && window.lastMinute > 0, asset)
              assert.isAtMost((window.lastMinute + 1) * 60_000, at, asset)
            }
          }
        }),
      ),
    )

    it.effect("has one close for a minute, however long the window", () =>
      asking((tape) =>
        Effect.gen(function* () {
          for (const asset of assets) {
            const found = (yield* everything(tape)).filter((one) => one.asset === asset)
            const { window: longest } = found.at(-1)!
            for (const { minutes, window } of found) {
              const at = `${asset}, ${minutes} minutes`
              assert.strictEqual(window.lastMinute, longest.lastMinute, at)
              assert.deepStrictEqual(window.closes, longest.closes.slice(-window.closes.length), at)
            }
          }
        }),
      ),
    )

    it.effect("says who printed it and what is doubtful", () =>
      asking((tape) =>
        Effect.gen(function* () {
          assert.include(["live", "shadow", "mock"], tape.freshness)
          for (const { window } of yield* everything(tape)) {
            assert.isNotEmpty(window.source)
            assert.strictEqual(new Set(window.flags).size, window.flags.length)
            for (const flag of window.flags) assert.match(flag, /^[a-z]+(_[a-z]+)*$/)
          }
        }),
      ),
    )

    it.effect("tells assets apart", () =>
      asking((tape) =>
        Effect.gen(function* () {
          const [one, other] = yield* Effect.forEach(assets, (asset) => tape.window(asset, 60))
          assert.notDeepEqual(one!.closes, other!.closes)
        }),
      ),
    )

    it.effect("is the same however often and however many at once ask, while nothing changes", () =>
      asking((tape) =>
        Effect.gen(function* () {
          const before = copied(yield* everything(tape))
          const [two, three] = yield* Effect.all([everything(tape), everything(tape)], { concurrency: "unbounded" })
          assert.deepStrictEqual(copied(two), before)
          assert.deepStrictEqual(copied(three), before)
        }),
      ),
    )

    it.effect("goes on without a change to what was handed out or to what a minute was", () =>
      asking((tape) =>
        Effect.gen(function* () {
          const found = yield* everything(tape)
          const before = copied(found)
          for (const minutes of [1, 2, 30]) {
            yield* TestClock.adjust(`${minutes} minutes`)
            for (const [index, { asset, window }] of (yield* everything(tape)).entries()) {
              const { closes, lastMinute } = before[index]!
              const ahead = window.lastMinute - lastMinute
              assert.isAtLeast(ahead, 0, asset)
              const [old, now] = [
                closes.slice(ahead),
                window.closes.slice(0, Math.max(0, window.closes.length - ahead)),
              ]
              const shared = Math.min(old.length, now.length)
              if (shared > 0) assert.deepStrictEqual(now.slice(-shared), old.slice(-shared), asset)
            }
          }
          assert.deepStrictEqual(copied(found), before)
        }),
      ),
    )
  })
}
