import { createWriteStream, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import * as Effect from "effect/Effect"
import { makeFolders } from "../../../adapters/runtime/node/folders.ts"
import * as Release from "../../../core/release.ts"
import type { Comparison, Contender } from "../compare/compare.ts"
import { rows } from "../compare/rows.ts"
import type { AnyTask } from "../compare/Task.ts"
import { page } from "./page.tsx"
import { differencesPicture, reliabilityPicture } from "./pictures.tsx"

/** Lines of one piece of a file. */
const pieceLines = 1_000

function* inPieces(lines: Iterable<string>): Generator<string, void> {
  let piece: Array<string> = []
  for (const line of lines) {
    piece.push(line)
    if (piece.length < pieceLines) continue
    yield piece.join("")
    piece = []
  }
  yield piece.join("")
}

/** Writes lines to a file, as the disk takes them. */
export const writeLines = (file: string, lines: Iterable<string>): Effect.Effect<void, Error> =>
  Effect.tryPromise({
    try: () => pipeline(Readable.from(inPieces(lines)), createWriteStream(file)),
    catch: (error) => error as Error,
  })

/** The result of a run, for programs. */
export const result = (comparison: Comparison, command: string) => ({
  program: `${Release.name} ${Release.version}`,
  node: process.version,
  command,
  ...comparison,
})

/** Writes a comparison as JSON, as rows, as pictures and as a page; returns the files. */
export const write = Effect.fnUntraced(function* (
  folder: string,
  task: AnyTask,
  comparison: Comparison,
  contenders: ReadonlyArray<Contender<unknown>>,
  command: string,
) {
  const { lane, event, parts, inputs } = comparison
  const path = (name: string) => join(folder, name)
  const title = `${lane}, ${inputs.map(({ name }) => basename(name)).join(", ")}`
  const files = {
    "comparison.json": () => `${JSON.stringify(result(comparison, command), undefined, 1)}\n`,
    "reliability.svg": () => reliabilityPicture(`Reliability: ${event}; ${title}`, event, parts),
    "differences.svg": () =>
      differencesPicture(`Differences with 95 % intervals; ${title}`, contenders[0]!.name, parts),
    "report.html": () => page(comparison, command),
  }
  yield* Effect.try({
    try: () => {
      makeFolders(folder)
      for (const [name, text] of Object.entries(files)) writeFileSync(path(name), text())
    },
    catch: (error) => error as Error,
  })
  yield* writeLines(path("rows.csv"), rows(task, contenders))
  return [...Object.keys(files), "rows.csv"].map(path)
})
