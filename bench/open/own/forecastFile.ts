import { parse } from "csv-parse/sync"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { iso } from "../../../core/time.ts"
import { BenchError } from "../compare/BenchError.ts"
import { casesById, decoder } from "../compare/decode.ts"
import type { Task } from "../compare/Task.ts"
import type { Forecasts } from "../compare/walk.ts"

/** A row of a file: its line, and the values of its columns. */
interface Row {
  readonly line: number
  readonly value: Readonly<Record<string, unknown>>
}

const fail = (message: string): never => {
  throw new BenchError({ message })
}

/** A cell as a value: a number where it is one; an empty cell is absent. */
const cellOf = (text: string): unknown => {
  const number = Number(text)
  return text.trim() === "" ? undefined : Number.isNaN(number) ? text : number
}

const csvRows = (text: string, columns: ReadonlyArray<string>): ReadonlyArray<Row> => {
  const records = parse(text, {
    bom: true,
    skip_empty_lines: true,
    info: true,
    relax_column_count: true,
  }) as unknown as ReadonlyArray<{ readonly record: ReadonlyArray<string>; readonly info: { readonly lines: number } }>
  const titles = records[0]?.record ?? []
  const known = ["id", "at", ...columns]
  for (const title of titles) {
    if (!known.includes(title)) fail(`line 1, ${title}: the columns are ${known.join(", ")}.`)
  }
  for (const title of ["id", "at"]) if (!titles.includes(title)) fail(`line 1: there is no column ${title}.`)
  return records.slice(1).map(({ record, info: { lines: line } }) => {
    if (record.length !== titles.length) fail(`line ${line}: ${record.length} cells for ${titles.length} columns.`)
    const cells = titles.map((title, at) => [
      title,
      title === "id" || title === "at" ? record[at] : cellOf(record[at]!),
    ])
    return { line, value: Object.fromEntries(cells.filter(([, cell]) => cell !== undefined)) }
  })
}

const jsonRows = (text: string): ReadonlyArray<Row> =>
  text.split("\n").flatMap((source, at) => {
    const line = at + 1
    if (source.trim() === "") return []
    try {
      const value: unknown = JSON.parse(source)
      if (typeof value === "object" && value !== null && !Array.isArray(value)) {
        return [{ line, value: value as Record<string, unknown> }]
      }
    } catch {
      // Reported below.
    }
    return fail(`line ${line}: is not a JSON object.`)
  })

/** Epoch milliseconds of an ISO 8601 time with a zone, or of a number of them. */
const timeOf = (at: unknown): number => {
  if (typeof at === "number") return at
  if (typeof at !== "string") return Number.NaN
  return /^\d+$/.test(at) ? Number(at) : /\d(Z|[+-]\d\d:?\d\d)$/.test(at) ? Date.parse(at) : Number.NaN
}

/**
 * Reads forecasts for a task's questions: CSV with the columns `id`, `at` and those of the task, or a JSON object on each
 * line. `at` is the time at which the forecast was made: ISO 8601 with a zone, or milliseconds since the epoch.
 *
 * @returns fails with line and column of the first row that is no forecast, asks for an unknown or a second question, or
 *   was made after its question's time
 */
export const readForecasts = <Question, Fact, Forecast, Outcome>(
  task: Task<Question, Fact, Forecast, Outcome>,
  name: string,
  text: string,
): Effect.Effect<Forecasts<Forecast>, BenchError> =>
  Effect.try({
    try: () => {
      const isJson = /\.(ndjson|jsonl)$/i.test(name)
      const rows = isJson ? jsonRows(text) : csvRows(text, task.columns)
      if (rows.length === 0) fail("has no rows.")
      const cases = casesById(task)
      const decode = decoder(task)
      const lines = new Map<string, number>()
      const forecasts = new Map<string, Forecast>()
      for (const { line, value } of rows) {
        const { id, at, ...forecast } = value
        const known = typeof id === "string" ? cases.get(id) : undefined
        if (typeof id !== "string" || known === undefined) {
          return fail(`line ${line}, id: there is no question ${String(id)}. Ids look like ${task.cases[0]?.id}.`)
        }
        if (lines.has(id)) fail(`line ${line}, id: ${id} is also on line ${lines.get(id)}.`)
        lines.set(id, line)
        const made = timeOf(at)
        if (Number.isNaN(made))
          fail(`line ${line}, at: ${String(at)} is no time. Write ISO 8601 with a zone: ${iso(known.at)}.`)
        if (made > known.at) {
          fail(`line ${line}, at: ${iso(made)} is after the question's time, ${iso(known.at)}.`)
        }
        forecasts.set(
          id,
          Either.getOrThrowWith(decode(`line ${line}`, forecast), (error) => error),
        )
      }
      return forecasts
    },
    catch: (error) => new BenchError({ message: `${name}, ${error instanceof Error ? error.message : String(error)}` }),
  })
