import * as FileSystem from "@effect/platform/FileSystem"
import type * as HttpClient from "@effect/platform/HttpClient"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { command, type IngestCommand, listFiles } from "../../../../adapters/lanes/LaneCommand.ts"
import * as Module from "../../../../adapters/lanes/LaneModule.ts"
import { fail } from "../../../../core/Failure.ts"
import { gauges, Levels, Toy } from "../core/Toy.ts"
import { live, toy as served } from "./live.ts"
import { mock } from "./mock.ts"

/** The gauges' service, for jobs and commands. */
class Gauges extends Context.Tag("market-signals/adapters/lanes/toy/Gauges")<
  Gauges,
  Pick<typeof Levels.Service, "at">
>() {}

const clients = (settings: Module.Settings<"toy">): Layer.Layer<Gauges, never, HttpClient.HttpClient> =>
  Layer.effect(Gauges, Levels).pipe(Layer.provide(live(settings)))

/** Readings of the past. */
class Readings extends Context.Tag("market-signals/adapters/lanes/toy/Readings")<
  Readings,
  {
    /** Centimetres by gauge; the number of rows that are new. */
    readonly append: (rows: ReadonlyArray<readonly [gauge: string, cm: number]>) => Effect.Effect<number>
  }
>() {}

const stores: Layer.Layer<Readings, never, SqlClient.SqlClient> = Layer.effect(
  Readings,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    append: (rows) =>
      Effect.gen(function* () {
        yield* sql`CREATE TABLE IF NOT EXISTS toy_readings (gauge TEXT PRIMARY KEY, cm INTEGER NOT NULL)`
        const added = yield* Effect.forEach(
          rows,
          ([gauge, cm]) => sql`INSERT INTO toy_readings VALUES (${gauge}, ${cm}) ON CONFLICT DO NOTHING RETURNING cm`,
        )
        return added.flat().length
      }).pipe(Effect.orDie),
  })),
)

/** Levels in a file's lines, `A 165`, or the present one of a gauge. */
const ingest: IngestCommand<Gauges | Readings> = command({
  description: "Import levels of gauges.",
  arguments: {
    now: { type: "text", count: "optional", choices: gauges, description: "Read this gauge." },
    scale: { type: "integer", count: "optional", description: "Centimetres of a unit." },
    paths: { type: "positionals", description: "file or folder" },
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
    const read = now === undefined ? [] : [[now, yield* (yield* Gauges).at(now)] as const]
    for (const [gauge, cm] of [...rows, ...read]) yield* say(`${gauge}: ${cm} cm`)
    const added = yield* (yield* Readings).append([...rows, ...read])
    const report = { value: { added }, text: `${added} added` }
    return added === 0 ? { ...report, failure: "Nothing is new." } : report
  }),
})

/** The lane with commands of its operators, over a client and a store of its own. */
export const toy = Module.define(Toy, { upstreams: served.upstreams, clients, stores, mock, ingest })
