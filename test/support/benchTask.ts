import * as Schema from "effect/Schema"
import type { Task } from "../../bench/open/compare/Task.ts"

interface Question {
  readonly day: number
}
interface Forecast {
  readonly p: number
}

const brierOf = ({ p }: Forecast, came: boolean): number => (p - (came ? 1 : 0)) ** 2

/**
 * Ten days, two questions each; it comes on the days of 3. The served model says the share of the days before, the market
 * knows on even days.
 */
export const benchTask = (days = 10): Task<Question, boolean, Forecast, boolean> => {
  const cameOn = (day: number): boolean => day % 3 === 0
  const all = Array.from({ length: days }, (_, day) => day)
  const cases = all.flatMap((day) =>
    ["a", "b"].map((name) => ({
      id: `${day}/${name}`,
      at: day * 100,
      cluster: String(day),
      groups: ["all", day % 2 === 0 ? "even" : "odd"],
      question: { day },
      outcome: cameOn(day),
    })),
  )
  return {
    lane: "days",
    event: "the day is one of three",
    inputs: [{ name: "days.csv", sha256: "0".repeat(64), rows: days }],
    facts: all.map((day) => ({ at: day * 100 + 50, fact: cameOn(day) })),
    cases,
    groups: ["all", "even", "odd"],
    entrants: [
      {
        kind: "served",
        model: {
          name: "share so far",
          start: () => (_question, history) => {
            const known = history.since(0)
            return known.length === 0 ? undefined : { p: known.filter(Boolean).length / known.length }
          },
        },
      },
      {
        kind: "market",
        name: "even market",
        forecasts: new Map(
          cases
            .filter(({ question: { day } }) => day % 2 === 0)
            .map(({ id, outcome }) => [id, { p: outcome ? 0.9 : 0.1 }]),
        ),
      },
    ],
    measures: [{ name: "Brier", unit: "", better: "lower", score: brierOf }],
    occurrences: ({ p }, happened) => [{ p, happened }],
    forecast: Schema.Struct({ p: Schema.Number.pipe(Schema.between(0, 1)) }),
    question: { day: true },
    columns: ["p"],
  }
}
