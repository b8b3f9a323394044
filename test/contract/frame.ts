import { assert, describe, it } from "@effect/vitest"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"
import * as shadow from "../../adapters/runtime/shadow/shadow.ts"
import { type Freshness, freshnesses } from "../../core/endpoint/Answer.ts"
import { ShadowLog } from "../../core/shadow/ShadowLog.ts"

/** The two providers of a port; shadow mode is made of them. */
export interface Providers<I> {
  readonly mock: Layer.Layer<I, unknown>
  /** As a rule a live provider over a replayed upstream, or a repository over a store that was filled from one. */
  readonly live: Layer.Layer<I, unknown>
}

/** What every provider owes its callers, by the sentence that says it. */
export type Cases<S> = Readonly<Record<string, (port: S) => Effect.Effect<void, unknown, Scope.Scope>>>

/**
 * Runs the same cases against the mock, the live provider, and the mock with the live provider in its shadow. Each case
 * gets a provider of its own, with the test clock at `now`.
 *
 * @example
 * contract("the tape", Tape, { mock: mockCrypto.layer, live: coinbaseOver(exchange) }, {
 *   "prints no candle of a minute that is not over": (tape) => …,
 * }, Date.UTC(2026, 6, 9, 18))
 */
export const contract = <I, S extends { readonly freshness: Freshness }>(
  name: string,
  tag: Context.Tag<I, S>,
  providers: Providers<I>,
  cases: Cases<S>,
  now = 0,
): void => {
  const layers: Readonly<Record<Freshness, Layer.Layer<I, unknown>>> = {
    ...providers,
    shadow: shadow.ports(providers, [tag as shadow.Shadowed<I>]).pipe(Layer.provide(ShadowLog.layerMemory())),
  }
  for (const mode of freshnesses) {
    describe(`${name}, ${mode}`, () => {
      for (const [sentence, body] of Object.entries(cases)) {
        it.scoped(sentence, () =>
          Effect.flatMap(tag, (port) => {
            assert.strictEqual(port.freshness, mode)
            return body(port)
          }).pipe(Effect.provide(layers[mode]), (running) => Effect.zipRight(TestClock.setTime(now), running)),
        )
      }
    })
  }
}
