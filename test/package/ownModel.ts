// The weather lane with a temperature model of one's own: a normal error of 3 degrees around the projected high.
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Weather } from "market-signals/lanes/weather"
import { normal } from "market-signals/math"
import { mock } from "market-signals/providers/weather"

const own = Layer.effect(
  Weather,
  Effect.map(Weather, (served) =>
    Weather.of({
      ...served,
      signal: (params) =>
        Effect.map(served.signal(params), ({ record: _, results, ...rest }) => {
          const atLeast = (degree: string): number => normal.sf((Number(degree) - 0.5 - results.projection.high_f) / 3)
          const ge = Object.fromEntries(Object.keys(results.probabilities.ge).map((at) => [at, atLeast(at)]))
          return { ...rest, results: { ...results, probabilities: { ...results.probabilities, ge } } }
        }),
    }),
  ),
).pipe(Layer.provide(Weather.layer), Layer.provide(mock))

const program = Effect.gen(function* () {
  const weather = yield* Weather
  const { results } = yield* weather.signal({ station: "KNYC" })
  const nearest = results.probabilities.ge[String(Math.round(results.projection.high_f))] ?? Number.NaN
  yield* Console.log(nearest > 0.3 && nearest < 0.7 ? "own model served" : `odd: ${nearest}`)
})
await Effect.runPromise(program.pipe(Effect.provide(own)))
