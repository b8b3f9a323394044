import { readFile } from "node:fs/promises"
import { basename } from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type FileFormat, formatError, makeReader } from "../../../../core/csv/FileFormat.ts"
import type { Row } from "../../../../core/csv/row.ts"
import { BenchError } from "../../compare/BenchError.ts"
import { digestOf, type ReadInput, readInput, uncompressed } from "../files.ts"
import { type MarketsData, settledFeed } from "./task.ts"

/** A JSON value as the cell of a CSV file has it. */
const cellOf = (value: unknown): string | undefined =>
  value === null || typeof value === "object" ? undefined : String(value)

/** The object of each line, or of each element of `rows`, with its line or place. */
const objectsIn = (text: string): ReadonlyArray<readonly [place: number, value: unknown]> => {
  const whole = text.trimStart().startsWith('{"methodology"')
  if (whole) return (JSON.parse(text) as { rows: ReadonlyArray<unknown> }).rows.map((row, at) => [at + 2, row])
  return text.split("\n").flatMap((line, at) => (line.trim() === "" ? [] : [[at + 1, parsed(line, at + 1)] as const]))
}

const parsed = (line: string, at: number): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    throw new Error(`line ${at}: is not a JSON object.`)
  }
}

/** Reads a file of objects with the names of a feed's columns, as the feed reads its rows. */
const readObjects = <A>(feed: FileFormat<string, A>, path: string): Effect.Effect<ReadInput<A>, BenchError> =>
  Effect.tryPromise({
    try: async () => {
      const bytes = await readFile(path)
      const text = uncompressed(bytes).toString("utf8")
      const rows = makeReader(feed, feed.columns.flat())
      for (const [line, value] of objectsIn(text)) {
        if (typeof value !== "object" || value === null || Array.isArray(value)) {
          throw new Error(`line ${line}: is not a JSON object.`)
        }
        const row: Row = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cellOf(each)]))
        if (rows.take(row, line) !== undefined) break
      }
      const { values } = Either.getOrThrowWith(rows.end(), (refusal) => new Error(formatError(refusal)))
      return { values, input: { name: basename(path), sha256: digestOf(bytes), rows: values.length } }
    },
    catch: (error) => new BenchError({ message: `${basename(path)}: ${(error as Error).message}` }),
  })

/**
 * Reads the export of settled contracts, `/scoreboard/settled.csv`, `.ndjson` or `.json`, plain or gzip.
 *
 * @returns fails with line and column of the first row that cannot be used
 */
export const readMarkets = (path: string): Effect.Effect<MarketsData, BenchError> =>
  Effect.map(
    /\.(ndjson|jsonl|json)(\.gz)?$/i.test(path) ? readObjects(settledFeed, path) : readInput(settledFeed, path),
    ({ values, input }) => ({ rows: values, inputs: [input] }),
  )
