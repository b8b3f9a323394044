// Mock, then shadow over a provider of one's own, then live: the same lane, another layer.
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Comparison, ShadowLog } from "market-signals"
import { ClimateReports, Weather } from "market-signals/lanes/weather"
import { shadow } from "market-signals/providers"
import { mock } from "market-signals/providers/weather"

/** A provider that knows no report yet. */
const own = Layer.succeed(ClimateReports, {
  freshness: "live",
  versions: () => Effect.succeed([]),
  range: () => Effect.succeed([]),
  latestFinalDay: () => Effect.succeed(undefined),
  coverage: () => Effect.succeed(undefined),
})

const compared: Array<Comparison> = []
const log = ShadowLog.layerMemory(compared)

const asked = Effect.gen(function* () {
  const weather = yield* Weather
  const answer = yield* Effect.either(weather.settlement({ station: "KNYC", day: "2026-07-08" }))
  // The comparison comes after the answer.
  yield* Effect.sleep("200 millis")
  return answer._tag === "Right" ? `${answer.right.results.settlement.high_f} F` : answer.left.code
})
const over = (reports: Layer.Layer<ClimateReports>) => Weather.layer.pipe(Layer.provide(reports), Layer.provide(mock))

const inShadow = shadow.ports({ mock, live: own }, [ClimateReports]).pipe(Layer.provide(log))
const [mocked, shadowed, live] = await Effect.runPromise(
  Effect.all([over(mock), over(inShadow), over(own)].map((lane) => Effect.provide(asked, lane))),
)
await Effect.runPromise(
  Console.log(
    `${mocked}, ${shadowed === mocked ? "the same" : shadowed} in shadow, ${live} live; ${compared[0]?.method} ${compared[0]?.agreed ? "agreed" : "differed"}`,
  ),
)
