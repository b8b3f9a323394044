import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import { command, type Ingest, listFiles } from "../../../../adapters/lanes/LaneCommand.ts"
import { fail } from "../../../../core/Failure.ts"
import { gauges } from "../core/endpoints.ts"
import { Gauges } from "./live.ts"
import { Readings } from "./store.ts"

/** Levels in a file's lines, `A 165`, or the present one of a gauge. */
export const ingest: Ingest<Gauges | Readings> = command({
  description: "Import levels of gauges.",
  arguments: {
    now: { form: "text", count: "optional", choices: gauges, description: "Read this gauge." },
    scale: { form: "integer", count: "optional", description: "Centimetres of a unit." },
    paths: { form: "words", description: "file or folder" },
  },
  run: Effect.fnUntraced(function* ({ now, scale = 1, paths }, say) {
    if (now === undefined && paths.length === 0) {
      return yield* fail("invalid_parameter", { detail: "Give a file or --now." })
    }
    const fs = yield* FileSystem.FileSystem
    const files = (yield* Effect.forEach(paths, listFiles)).flat()
    const lines = (yield* Effect.forEach(files, (file) => fs.readFileString(file))).flatMap((text) =>
      text.trimEnd().split("\n"),
    )
    const rows = lines.map((line) => [line.split(" ")[0]!, scale * Number(line.split(" ")[1])] as const)
    const read = now === undefined ? [] : [[now, yield* (yield* Gauges).read(now)] as const]
    for (const [gauge, cm] of [...rows, ...read]) yield* say(`${gauge}: ${cm} cm`)
    const added = yield* (yield* Readings).append([...rows, ...read])
    const report = { value: { added }, text: `${added} added` }
    return added === 0 ? { ...report, failure: "Nothing is new." } : report
  }),
})
