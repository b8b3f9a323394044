import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type Ingested, ingest as ingestText } from "../../core/lanes/weather/reports/ingest.ts"
import { archiveBegins, byId, stations } from "../../core/lanes/weather/stations.ts"
import { advance } from "../../core/Progress.ts"
import { UsageError } from "../exit.ts"
import { watched } from "../progress.ts"
import { backfillWeather } from "./backfill.ts"
import { family } from "./family.ts"
import { listFiles } from "./files.ts"
import { football } from "./ingestFootball.ts"
import { json, print, readable, store } from "./shared.ts"

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

/** Ingests text products from files. */
const ingestFiles = (paths: ReadonlyArray<string>, asJson: boolean) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const files = (yield* Effect.forEach(paths, listFiles)).flat()
    const counts: Record<Ingested["_tag"], number> = { Stored: 0, Known: 0, Foreign: 0, Refused: 0 }
    const refused: Array<{ readonly file: string; readonly reason: string }> = []
    for (const [at, file] of files.entries()) {
      yield* advance(path.basename(file), at, files.length)
      // Old products contain Latin-1 bytes, but never in the parsed parts.
      const text = new TextDecoder("latin1").decode(yield* fs.readFile(file))
      for (const outcome of yield* readable(ingestText(text, "NWS daily climate report"))) {
        counts[outcome._tag]++
        if ("reason" in outcome) refused.push({ file: path.basename(file), reason: outcome.reason })
        if (!asJson) yield* Console.log(line(path.basename(file), outcome))
      }
    }
    yield* print(
      asJson,
      {
        files: files.length,
        stored: counts.Stored,
        known: counts.Known,
        foreign: counts.Foreign,
        refused: counts.Refused,
        not_stored: refused,
      },
      `${files.length} files: ${counts.Stored} stored, ${counts.Known} already stored, ${counts.Foreign} of other stations, ${counts.Refused} rejected`,
    )
  })

const currentYear = Effect.map(Clock.currentTimeMillis, (now) => new Date(now).getUTCFullYear())

const weather = Command.make(
  "weather",
  {
    since: Options.integer("since").pipe(
      Options.optional,
      Options.withDescription("Fetch archive years from this year on, skipping complete ones."),
    ),
    station: Options.choice("station", [...byId.keys()]).pipe(
      Options.optional,
      Options.withDescription("With --since: only this station."),
    ),
    again: Options.boolean("again").pipe(Options.withDescription("With --since: fetch complete years too.")),
    paths: Args.repeated(Args.text({ name: "file or folder" })),
    json,
  },
  ({ since, station, again, paths, json: asJson }) =>
    Effect.gen(function* () {
      if (Option.isSome(since) === paths.length > 0) {
        return yield* Effect.fail(
          new UsageError("Give at least one file or folder of report texts, or --since and a year."),
        )
      }
      if (Option.isNone(since)) return yield* ingestFiles(paths, asJson)
      const [first, last] = [Number(archiveBegins.slice(0, 4)), yield* currentYear]
      if (since.value < first || since.value > last) {
        return yield* Effect.fail(
          new UsageError(`--since: expected a year from ${first} to ${last}; got ${since.value}.`),
        )
      }
      const wanted = Option.match(station, { onNone: () => stations, onSome: (id) => [byId.get(id)!] })
      yield* backfillWeather({ stations: wanted, since: since.value, again }, asJson)
    }).pipe(watched, Effect.provide(store)),
).pipe(Command.withDescription("Import daily climate reports of our stations from text products or from the archive."))

export const ingest = family("ingest", "Import upstream data into the store.", [weather, football])
