import type * as Schema from "effect/Schema"
import type { Known } from "../../../core/History.ts"
import type { Model } from "../../../core/Model.ts"
import type { Pit } from "../../../core/math/pit.ts"
import type { Label } from "../../../core/record/scoreboard/divisions.ts"

export type { Label }

/** A question with its answer. */
export interface Case<Question, Outcome> {
  /** Unique in the task; rows of a file of forecasts name it. */
  readonly id: string
  /** The time of the question, epoch milliseconds: a forecast uses nothing later. */
  readonly at: number
  /** The group of rows that depend on each other, such as a day or an event: the bootstrap draws them together. */
  readonly cluster: string
  /** The parts of the result that it counts in, such as a station or some seasons. */
  readonly groups: ReadonlyArray<string>
  /** The question, with all that is known of it in addition to the facts. Plain data: it is sent to other threads. */
  readonly question: Question
  readonly outcome: Outcome
}

/** The makers of forecasts. */
export type Kind = "served" | "baseline" | "market" | "own"

/** A model, or existing forecasts, such as prices. */
export type Entrant<Question, Fact, Forecast> = { readonly kind: Kind } & (
  | { readonly model: Model<Question, Fact, Forecast> }
  | { readonly name: string; readonly version?: string; readonly forecasts: ReadonlyMap<string, Forecast> }
)

/** A score of one forecast. */
export interface Measure<Question, Forecast, Outcome> {
  readonly name: string
  /** "" for a number without one. */
  readonly unit: string
  readonly better: "lower" | "higher"
  /** undefined: this forecast has no such score. */
  readonly score: (forecast: Forecast, outcome: Outcome, question: Question) => number | undefined
}

/** A probability with its outcome, for the reliability diagram. */
export interface Occurrence {
  readonly p: number
  readonly happened: boolean
}

/**
 * A division of questions into parts that are scored apart, made for all of them at once.
 *
 * @param forecast the forecast of a question by the first contender of a kind
 */
export type Division<Question, Forecast, Outcome> = (
  cases: ReadonlyArray<Case<Question, Outcome>>,
  forecast: (kind: Kind, id: string) => Forecast | undefined,
) => (each: Case<Question, Outcome>) => Label | undefined

export interface Input {
  readonly name: string
  /** Hexadecimal. */
  readonly sha256: string
  readonly rows: number
}

/** The fields of a question: true for those that each has, false for those that may be absent. */
export type Fields<Question> = { readonly [K in keyof Question]-?: object extends Pick<Question, K> ? false : true }

/** Their names, with a question mark behind those that may be absent. */
export const fieldNames = (fields: Readonly<Record<string, boolean>>): string =>
  Object.entries(fields)
    .map(([name, isAlways]) => `${name}${isAlways ? "" : "?"}`)
    .join(", ")

/** A lane's benchmark task: questions with answers, facts, and how to score. */
export interface Task<Question, Fact, Forecast, Outcome> {
  readonly lane: string
  /** Of the picture of reliability: "the home team wins". */
  readonly event: string
  readonly inputs: ReadonlyArray<Input>
  /** In order of time. */
  readonly facts: ReadonlyArray<Known<Fact>>
  /** In order of time. */
  readonly cases: ReadonlyArray<Case<Question, Outcome>>
  readonly question: Readonly<Record<string, boolean>>
  /** The order of the parts of the result. */
  readonly groups: ReadonlyArray<string>
  readonly entrants: ReadonlyArray<Entrant<Question, Fact, Forecast>>
  readonly measures: ReadonlyArray<Measure<Question, Forecast, Outcome>>
  readonly occurrences: (forecast: Forecast, outcome: Outcome, question: Question) => ReadonlyArray<Occurrence>
  /** Where the outcome fell in a law; undefined for a forecast that is none. */
  readonly pit?: (forecast: Forecast, outcome: Outcome, question: Question) => Pit | undefined
  /** How its questions can be divided beside `month`, by name. */
  readonly divisions?: Readonly<Record<string, Division<Question, Forecast, Outcome>>>
  /** Bins of the reliability diagram, where the lane's published figures have another number than 10. */
  readonly bins?: number
  /** A forecast as others write it, in a module or a file: probabilities in [0, 1], a law that sums to 1. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever it is decoded from
  readonly forecast: Schema.Schema<Forecast, any>
  /** The columns of a CSV file of forecasts, after `id` and `at`, as a forecast; NDJSON has the form of the schema. */
  readonly columns: ReadonlyArray<string>
}

// biome-ignore lint/suspicious/noExplicitAny: of whatever lane; a task's own parts fit each other
export type AnyTask = Task<any, any, any, any>
