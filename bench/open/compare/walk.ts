import * as Effect from "effect/Effect"
import { historyAt } from "../../../core/History.ts"
import type { Forecaster } from "../../../core/Model.ts"
import { yieldToEventLoop } from "../../../core/yieldToEventLoop.ts"
import type { Task } from "./Task.ts"

/** Forecasts by the case's id. */
export type Forecasts<Forecast> = ReadonlyMap<string, Forecast>

/** Questions of one turn of the event loop. */
const turn = 50

/** Asks a forecaster all questions of a task in order of time, each with the facts of its time. */
export const walkSteps = function* <Question, Fact, Forecast>(
  { facts, cases }: Pick<Task<Question, Fact, Forecast, unknown>, "facts" | "cases">,
  forecaster: Forecaster<Question, Fact, Forecast>,
): Generator<{ readonly id: string; readonly forecast: Forecast | undefined }, void> {
  for (const { id, at, question } of cases) yield { id, forecast: forecaster(question, historyAt(facts, at)) }
}

/** The forecasts of a model of this process. It is trusted: what it throws is a defect. */
export const walk = Effect.fnUntraced(function* <Question, Fact, Forecast>(
  task: Pick<Task<Question, Fact, Forecast, unknown>, "facts" | "cases">,
  forecaster: Forecaster<Question, Fact, Forecast>,
) {
  const forecasts = new Map<string, Forecast>()
  let asked = 0
  for (const { id, forecast } of walkSteps(task, forecaster)) {
    if (forecast !== undefined) forecasts.set(id, forecast)
    if (++asked % turn === 0) {
      yield* yieldToEventLoop
    }
  }
  return forecasts as Forecasts<Forecast>
})
