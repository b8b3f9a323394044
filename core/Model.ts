import type { History } from "./History.ts"

/** Answers questions in their order. */
export type Forecaster<Question, Fact, Forecast> = (question: Question, history: History<Fact>) => Forecast | undefined

/** A function of the information of the question's time. The served models are instances of this type. */
export interface Model<Question, Fact, Forecast> {
  readonly name: string
  /** Of its formula and constants. */
  readonly version?: string | undefined
  /** Begins a walk through all questions in order of time. A state that it keeps is that of one walk. */
  readonly start: () => Forecaster<Question, Fact, Forecast>
}
