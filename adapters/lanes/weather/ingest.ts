import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { fail } from "../../../core/Failure.ts"
import type { ClimateArchive } from "../../../core/lanes/weather/ports.ts"
import { type BackfillOptions, type BackfillStep, backfill } from "../../../core/lanes/weather/reports/backfill.ts"
import { type Ingested, ingest as ingestText } from "../../../core/lanes/weather/reports/ingest.ts"
import { archiveStart, byId, stations } from "../../../core/lanes/weather/stations.ts"
import { plural } from "../../../core/text.ts"
import { command, type IngestCommand, listFiles, type PrintLine, type Report } from "../LaneCommand.ts"
import { type Iem, layerDays } from "./iem/api.ts"

const fileLine = (file: string, outcome: Ingested): string => {
  const label = outcome._tag.toLowerCase().padEnd(8)
  switch (outcome._tag) {
    case "Stored":
    case "Known": {
      const { station, productId, report } = outcome.issuance
      const high = report.highF === undefined ? "missing" : `${report.highF} F`
      return `${label} ${file}: ${station} ${report.day} ${report.status}, high ${high} (${productId})`
    }
    default: {
      const { line, what, reason } = outcome
      return line === undefined
        ? `${label} ${file}: ${what}: ${reason}`
        : `${label} ${file}: ${reason} (line ${line}: ${JSON.stringify(what)})`
    }
  }
}

const ingestFiles = Effect.fnUntraced(function* (paths: ReadonlyArray<string>, say: PrintLine) {
  const fs = yield* FileSystem.FileSystem
  const { basename } = yield* Path.Path
  const files = (yield* Effect.forEach(paths, listFiles)).flat()
  const counts: Record<Ingested["_tag"], number> = { Stored: 0, Known: 0, Foreign: 0, Refused: 0 }
  const rejected: Array<{ readonly file: string; readonly reason: string }> = []
  for (const path of files) {
    const file = basename(path)
    // Old products contain Latin-1 bytes, but never in the parsed parts.
    const text = new TextDecoder("latin1").decode(yield* fs.readFile(path))
    for (const outcome of yield* ingestText(text, "NWS daily climate report")) {
      counts[outcome._tag]++
      if ("reason" in outcome) rejected.push({ file, reason: outcome.reason })
      yield* say(fileLine(file, outcome))
    }
  }
  const { Stored: stored, Known: known, Foreign: foreign, Refused: refused } = counts
  const report: Report = {
    value: { files: files.length, stored, known, foreign, refused, not_stored: rejected },
    text: `${plural(files.length, "file")}: ${stored} stored, ${known} already stored, ${foreign} of other stations, ${refused} rejected`,
  }
  return report
})

const count = (outcomes: ReadonlyArray<Ingested>, tag: Ingested["_tag"]): number =>
  outcomes.filter(({ _tag }) => _tag === tag).length

const again = "Run it again to continue."

/** Fills the store from the archive of daily reports, year by year. */
const ingestArchive = Effect.fnUntraced(function* (wanted: BackfillOptions) {
  const sums = { years: 0, complete: 0, stored: 0, known: 0, refused: 0, without: 0 }
  const rejected: Array<{ readonly what: string; readonly reason: string }> = []
  const failures: Array<string> = []
  const onStep = ({ station, year, result }: BackfillStep): void => {
    sums.years++
    if (result === undefined) sums.complete++
    else if (Either.isLeft(result)) failures.push(`${station} ${year}: ${result.left.message}`)
    else {
      const { outcomes, daysWithoutReport } = result.right
      sums.stored += count(outcomes, "Stored")
      sums.known += count(outcomes, "Known")
      sums.refused += count(outcomes, "Refused")
      sums.without += daysWithoutReport.length
      for (const outcome of outcomes) {
        if (outcome._tag === "Refused") rejected.push({ what: outcome.what, reason: outcome.reason })
      }
    }
  }
  const ended = yield* Effect.either(backfill(wanted, onStep))
  const report: Report = {
    value: { ...sums, not_stored: rejected, failures },
    text: [
      ...rejected.map(({ what, reason }) => `rejected ${what}: ${reason}`),
      `${sums.years} station years, ${sums.complete} already complete: ${sums.stored} stored, ${sums.known} already stored, ${sums.refused} rejected, ${sums.without} days without a report`,
    ].join("\n"),
  }
  if (Either.isLeft(ended)) return { ...report, failure: `${ended.left.message} ${again}` }
  return failures.length === 0 ? report : { ...report, failure: [...failures, again].join("\n") }
})

/** Daily climate reports, from files or, with `since`, from the archive. */
export const ingest: IngestCommand<ClimateArchive | Iem> = command({
  description: "Import daily climate reports of our stations from text products or from the archive.",
  arguments: {
    since: {
      type: "integer",
      count: "optional",
      description: "Fetch archive years from this year on, skipping complete ones.",
    },
    station: {
      type: "text",
      count: "optional",
      choices: [...byId.keys()],
      description: "With --since: only this station.",
    },
    again: { type: "flag", description: "With --since: fetch complete years too." },
    paths: { type: "positionals", description: "file or folder" },
  },
  run: Effect.fnUntraced(function* ({ since, station, again, paths }, say) {
    if ((since === undefined) === (paths.length === 0)) {
      return yield* fail("invalid_parameter", {
        detail: "Give at least one file or folder of report texts, or --since and a year.",
      })
    }
    if (since === undefined) return yield* ingestFiles(paths, say)
    const first = Number(archiveStart.slice(0, 4))
    const last = new Date(yield* Clock.currentTimeMillis).getUTCFullYear()
    if (since < first || since > last) {
      return yield* fail("invalid_parameter", {
        detail: `--since: expected a year from ${first} to ${last}; got ${since}.`,
      })
    }
    const wanted = station === undefined ? stations : [byId.get(station)!]
    return yield* Effect.provide(ingestArchive({ stations: wanted, since, again }), layerDays)
  }),
})
