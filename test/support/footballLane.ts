import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/TestClock"
import * as footballArchive from "../../adapters/sql/FootballArchive.ts"
import * as footballGames from "../../adapters/sql/FootballGames.ts"
import * as footballQuarterbacks from "../../adapters/sql/FootballQuarterbacks.ts"
import * as footballReports from "../../adapters/sql/FootballReports.ts"
import type { Failure } from "../../core/endpoint/Failure.ts"
import type { FootballArchive } from "../../core/lanes/football/archive.ts"
import { Football } from "../../core/lanes/football/Football.ts"
import { type Prediction, Predictions } from "../../core/record/Predictions.ts"
import { samples, storeOf } from "./footballStore.ts"

/** Tuesday before the third week of 2024. */
export const now: number = Date.UTC(2024, 8, 17, 12)

const lane = (kept: Array<Prediction>) =>
  Layer.merge(Football.layer, footballArchive.layer).pipe(
    Layer.provide([
      footballGames.layer,
      footballQuarterbacks.layer,
      footballReports.layerInjuries,
      footballReports.layerTop100,
      Predictions.layerMemory(kept),
    ]),
    Layer.provide(storeOf(samples, now)),
  )

/** The lane over a store with our samples, on that Tuesday. `kept` gets what is put on the record. */
export const over = <A, E>(
  ask: (football: Football["Type"]) => Effect.Effect<A, E, FootballArchive>,
  kept: Array<Prediction> = [],
) => Effect.zipRight(TestClock.setTime(now), Effect.provide(Effect.flatMap(Football, ask), lane(kept)))

/** The code of a failure and the fields that its hints name. */
export const refusal = ({ code, hints = [] }: Failure): ReadonlyArray<string> => [
  code,
  ...hints.map(({ field }) => field),
]

/** Results have the shape that their endpoint declares, and nothing beside it. */
export const fits = ({ results }: { readonly results: Schema.Schema.AnyNoContext }, value: unknown): void =>
  assert.isTrue(Schema.is(results, { onExcessProperty: "error" })(value), JSON.stringify(value))
