import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { Answer, Freshness } from "../../core/endpoint/Answer.ts"
import type * as Endpoint from "../../core/endpoint/Endpoint.ts"
import type { Failure } from "../../core/Failure.ts"
import { Feeds } from "../../core/feeds/Feeds.ts"
import { catalogue } from "../../core/lanes/all.ts"
import { Crypto } from "../../core/lanes/crypto/Crypto.ts"
import { ActiveModel, lognormal120 } from "../../core/lanes/crypto/distribution.ts"
import { endpoints } from "../../core/lanes/crypto/endpoints.ts"
import type { Asset } from "../../core/lanes/crypto/fields.ts"
import { CryptoLaws, Tape, type Window } from "../../core/lanes/crypto/ports.ts"
import { clockAt } from "./clock.ts"

export type Spot = Endpoint.Results<typeof endpoints.spot>
export type Signal = Endpoint.Results<typeof endpoints.signal>
interface Asked {
  readonly asset: Asset
  readonly horizon_minutes: number
  readonly strikes?: ReadonlyArray<number>
}

/** Wednesday, 2026-07-08, 14:29 UTC. */
export const lastMinute = Date.UTC(2026, 6, 8, 14, 29) / 60_000

export const window = (closes: ReadonlyArray<number> | Float64Array, changes: Partial<Window> = {}): Window => ({
  closes: Float64Array.from(closes),
  lastMinute,
  source: "testbase",
  flags: [],
  ...changes,
})

/** A tape with these closes only. For fewer minutes it returns the last ones, the same array every time. */
export const tapeOf = (whole: Window | undefined, freshness: Freshness = "live") => {
  const cut = new Map<number, Window>()
  return Layer.succeed(Tape, {
    freshness,
    window: (_, minutes) =>
      Effect.sync(() => {
        if (whole === undefined) return undefined
        if (!cut.has(minutes)) cut.set(minutes, { ...whole, closes: whole.closes.slice(-minutes) })
        return cut.get(minutes)
      }),
  })
}

/** The clock of the lane: a test clock waits in real time at every step. */
export const clock = clockAt(0)

/** It is now `seconds` after the last candle ended. */
export const secondsAfter = (seconds: number) =>
  Effect.sync(() => clock.set((lastMinute + 1) * 60_000 + seconds * 1_000))

/** Asks the lane over a tape, `seconds` after its last candle ended. */
export const asking =
  (layer: Layer.Layer<Crypto, never, Tape>) =>
  <A>(
    whole: Window | undefined,
    body: (lane: typeof Crypto.Service) => Effect.Effect<A, Failure>,
    seconds = 30,
  ): Effect.Effect<A, Failure> =>
    Effect.zipRight(
      secondsAfter(seconds),
      Effect.provide(Effect.flatMap(Crypto, body), Layer.provide(layer, tapeOf(whole))),
    ).pipe(Effect.withClock(clock))
export const ask = asking(Layer.provide(Crypto.layer, [CryptoLaws.layerNone, Feeds.layerNone]))
export const askBaseline = asking(
  Layer.provide(Crypto.layer, [CryptoLaws.layerNone, Feeds.layerNone, Layer.succeed(ActiveModel, lognormal120)]),
)

export const hour: Asked = { asset: "BTC", horizon_minutes: 60 }
export const spotOf = (whole: Window | undefined, seconds = 30, asset: Asset = "BTC") =>
  ask(whole, (lane) => lane.spot({ asset }), seconds)
export const signalOf = (whole: Window | undefined, asked: Partial<Asked> = {}, seconds = 30) =>
  ask(whole, (lane) => lane.signal({ ...hour, ...asked }), seconds)

export const alternating = (count: number, low = 60_000, high = 60_060) =>
  Array.from({ length: count }, (_, at) => (at % 2 === 0 ? low : high))

/** A week of a walk whose steps grow and shrink; the same numbers always. */
export const week = (() => {
  const closes: Array<number> = []
  let seed = 12_345
  const random = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return seed / 2 ** 32
  }
  for (let price = 65_000, at = 0; at < 10_085; at++) {
    price *= Math.exp((random() + random() + random() - 1.5) * 0.001 * (1 + 0.5 * Math.sin(at / 200)))
    closes.push(Math.round(price * 100) / 100)
  }
  return closes
})()

export const isSpot = Schema.is(endpoints.spot.results, { onExcessProperty: "error" })
export const isSignal = Schema.is(endpoints.signal.results, { onExcessProperty: "error" })

/** Rules of every answer, over any tape. */
export const assertAnswer = (answer: Answer<unknown>) => {
  assert.isNotEmpty(answer.reasoning)
  assert.isNotEmpty(answer.citations)
  for (const { step, source, locator } of answer.citations) {
    assert.isTrue(Number.isInteger(step) && step >= 1 && step <= answer.reasoning.length, `step ${step}`)
    assert.strictEqual(source, "testbase")
    assert.match(locator, /^\/v1\/crypto\/spot\?asset=(BTC|ETH)$/)
  }
  assert.isTrue(answer.confidence.score >= 0 && answer.confidence.score <= 1, `${answer.confidence.score}`)
  for (const { endpoint } of answer.extras?.suggestions ?? []) assert.isTrue(catalogue.byId.has(endpoint), endpoint)
}

export const assertNotRising = (rows: Signal["p_above"]) => {
  for (const [at, { strike, p_above }] of rows.entries()) {
    assert.isTrue(p_above >= 0 && p_above <= 1, `${p_above} at ${strike}`)
    if (at === 0) continue
    assert.isAbove(strike, rows[at - 1]!.strike)
    assert.isAtMost(p_above, rows[at - 1]!.p_above)
  }
}
