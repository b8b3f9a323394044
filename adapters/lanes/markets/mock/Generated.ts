import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { CurrentRow } from "../../../../core/record/scoreboard/Settled.ts"
import type { Forecast } from "./settled.ts"

/** The forecasts of the generated world, for the demonstration of the record. Absent if markets are live. */
export class Generated extends Context.Tag("market-signals/adapters/lanes/markets/mock/Generated")<
  Generated,
  {
    /** The settled contracts of the demonstration's scoreboard, as of the last full hour. */
    readonly rows: Effect.Effect<ReadonlyArray<CurrentRow>>
    /** Forecasts without a result by that hour. */
    readonly forecasts: Effect.Effect<ReadonlyArray<Forecast>>
  }
>() {}
