import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { type Ingested, ingest as ingestText } from "../../core/lanes/weather/ingest.ts"
import { json, print, readable, store } from "./shared.ts"

/** A folder's files, in order and not its folders; a file itself. */
const filesOf = (target: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    if ((yield* fs.stat(target)).type !== "Directory") return [target]
    const names = yield* fs.readDirectory(target)
    const entries = yield* Effect.forEach(names.sort(), (name) => {
      const file = path.join(target, name)
      return Effect.map(fs.stat(file), ({ type }) => (type === "File" ? [file] : []))
    })
    return entries.flat()
  })

const line = (file: string, outcome: Ingested): string => {
  switch (outcome._tag) {
    case "Stored":
    case "Known": {
      const { station, productId, report } = outcome.issuance
      const high = report.highF === undefined ? "missing" : `${report.highF} F`
      return `${outcome._tag.toLowerCase().padEnd(8)} ${file}: ${station} ${report.day} ${report.status}, high ${high} (${productId})`
    }
    default: {
      const at = outcome.line === undefined ? "" : ` (line ${outcome.line}: ${JSON.stringify(outcome.what)})`
      const what = outcome.line === undefined ? `${outcome.what}: ` : ""
      return `${outcome._tag.toLowerCase().padEnd(8)} ${file}: ${what}${outcome.reason}${at}`
    }
  }
}

const weather = Command.make(
  "weather",
  { paths: Args.repeated(Args.text({ name: "file or folder" })), json },
  (options) =>
    Effect.gen(function* () {
      if (options.paths.length === 0)
        return yield* Effect.fail(new Error("Name at least one file or folder of report texts."))
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const files = (yield* Effect.forEach(options.paths, filesOf)).flat()
      const counts: Record<Ingested["_tag"], number> = { Stored: 0, Known: 0, Foreign: 0, Refused: 0 }
      const refused: Array<{ readonly file: string; readonly reason: string }> = []
      for (const file of files) {
        // Old products carry Latin-1 bytes; the parts that matter are ASCII either way.
        const text = new TextDecoder("latin1").decode(yield* fs.readFile(file))
        for (const outcome of yield* readable(ingestText(text, "NWS daily climate report"))) {
          counts[outcome._tag]++
          if ("reason" in outcome) refused.push({ file: path.basename(file), reason: outcome.reason })
          if (!options.json) yield* Console.log(line(path.basename(file), outcome))
        }
      }
      yield* print(
        options.json,
        {
          files: files.length,
          stored: counts.Stored,
          known: counts.Known,
          foreign: counts.Foreign,
          refused: counts.Refused,
          not_stored: refused,
        },
        `${files.length} files: ${counts.Stored} stored, ${counts.Known} known before, ${counts.Foreign} of other stations, ${counts.Refused} refused`,
      )
    }).pipe(Effect.provide(store)),
).pipe(Command.withDescription("Store the daily climate reports of our stations found in text products."))

export const ingest = Command.make("ingest").pipe(
  Command.withDescription("Bring recorded upstream data into the store."),
  Command.withSubcommands([weather]),
)
