import * as FileSystem from "@effect/platform/FileSystem"
import * as HttpClient from "@effect/platform/HttpClient"
import * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { formatError } from "../../../core/csv/FileFormat.ts"
import { fail } from "../../../core/Failure.ts"
import * as Job from "../../../core/jobs/Job.ts"
import { every, hourly } from "../../../core/jobs/schedule.ts"
import { FootballArchive, type StoredChanges } from "../../../core/lanes/football/data/archive.ts"
import { nflFeeds, weeklyFeeds } from "../../../core/lanes/football/data/coverage.ts"
import type { FormatName } from "../../../core/lanes/football/data/formats.ts"
import { scoreFinals } from "../../../core/lanes/football/data/scoreFinals.ts"
import { Football } from "../../../core/lanes/football/Football.ts"
import { Games, Injuries, Quarterbacks, Top100 } from "../../../core/lanes/football/ports.ts"
import { TrackRecord } from "../../../core/record/captures/Outcomes.ts"
import { plural } from "../../../core/text.ts"
import type { RequestPolicy } from "../../runtime/upstream/upstream.ts"
import { Transactions } from "../../store/engine/Transactions.ts"
import * as outcomes from "../../store/record/Outcomes.ts"
import { type Argument, command, type IngestCommand, listFiles, type PrintLine, type Report } from "../LaneCommand.ts"
import * as Module from "../LaneModule.ts"
import * as mock from "./mock/football.ts"
import { nflverse, readCsv } from "./nflverse/releases.ts"
import { releaseParts } from "./nflverse/sync.ts"
import * as archive from "./store/Archive.ts"
import { make as coverageOver } from "./store/coverage.ts"
import * as games from "./store/Games.ts"
import * as quarterbacks from "./store/Quarterbacks.ts"
import * as reports from "./store/Reports.ts"

interface Given {
  readonly feed: FormatName
  readonly path: string
}

/** The files given, and the CSV files in the given folders. */
const findFiles = Effect.fnUntraced(function* (target: string) {
  const { basename } = yield* Path.Path
  const files = yield* listFiles(target)
  return files.filter((file) => file === target || /\.csv(\.gz)?$/.test(basename(file)))
})

/** The name of a file without rows has the season. */
const readSeasons = (name: string): ReadonlyArray<number> => {
  const year = /_(\d{4})\.csv(\.gz)?$/.exec(name)?.[1]
  return year === undefined ? [] : [Number(year)]
}

interface FileCounts extends StoredChanges {
  readonly file: string
  readonly feed: string
  readonly milliseconds: number
}

/** Stores the whole file or nothing. */
const ingestFile = Effect.fnUntraced(function* ({ feed, path }: Given) {
  const fs = yield* FileSystem.FileSystem
  const archive = yield* FootballArchive
  const file = (yield* Path.Path).basename(path)
  const fetchedAt = yield* Clock.currentTimeMillis
  const read = yield* readCsv(feed, Stream.toAsyncIterable(fs.stream(path)))
  if (Either.isLeft(read)) return yield* Effect.fail({ file, feed, ...read.left })
  const seasons = read.right.seasons.length === 0 ? readSeasons(file) : read.right.seasons
  const { rows, added, changed, withdrawn } = yield* Effect.mapError(
    archive.store({ ...read.right, feed, name: file, fetchedAt, seasons }),
    ({ message }) => ({ file, feed, reason: message }),
  )
  const milliseconds = Math.max(1, (yield* Clock.currentTimeMillis) - fetchedAt)
  const counts: FileCounts = { file, feed, rows, added, changed, withdrawn, milliseconds }
  return counts
})

const fileLine = ({ file, rows, added, changed, withdrawn, milliseconds }: FileCounts): string =>
  `${file}: ${rows} rows, ${added} added, ${changed} changed${withdrawn > 0 ? `, ${withdrawn} withdrawn` : ""} (${Math.round((1_000 * rows) / milliseconds)} rows/s)`

/** Ingests files in order. A rejected file does not stop the others, but the command fails. */
const ingestFiles = Effect.fnUntraced(function* (files: ReadonlyArray<Given>, say: PrintLine) {
  const [rejected, stored] = yield* Effect.partition(files, (given) =>
    Effect.tap(ingestFile(given), (counts) => say(fileLine(counts))),
  )
  const report: Report = {
    value: { files: files.length, stored, refused: rejected },
    text: `${plural(files.length, "file")}: ${stored.length} read, ${rejected.length} rejected`,
  }
  const messages = rejected.map((one) => `${one.file}: ${formatError(one)}`)
  return messages.length === 0 ? report : { ...report, failure: messages.join("\n") }
})

const paths = (what: string) =>
  ({
    type: "path",
    count: "repeated",
    description: `${what}: a .csv or .csv.gz, or a folder of them.`,
  }) as const satisfies Argument

const feedByOption = {
  games: "games",
  "team-stats": "team_weeks",
  players: "quarterbacks",
  injuries: "injuries",
  rosters: "rosters",
  top100: "top100",
} as const satisfies Record<string, FormatName>

const ingest: IngestCommand<FootballArchive> = command({
  description: "Import football records from nflverse files. A file with an unreadable row is rejected.",
  arguments: {
    games: paths("Schedule, results and lines"),
    "team-stats": paths("Team weeks"),
    players: paths("Player weeks"),
    injuries: paths("Injury reports"),
    rosters: paths("Rosters, weekly or seasonal"),
    top100: paths("Top 100 lists"),
  },
  run: Effect.fnUntraced(function* (targets, say) {
    const files = yield* Effect.forEach(Object.entries(feedByOption), ([option, feed]) =>
      Effect.map(Effect.forEach(targets[option as keyof typeof feedByOption], findFiles), (lists) =>
        lists.flat().map((path): Given => ({ feed, path })),
      ),
    )
    if (files.flat().length === 0) {
      return yield* fail("invalid_parameter", {
        detail: "Give at least one file: --games FILE, --players FILE and others, see --help.",
      })
    }
    return yield* ingestFiles(files.flat(), say)
  }),
})

const ingestSchedule = every(360, 900)

/** Every six hours: loads nflverse's changed releases. Fails on a refused file or a missing due week. */
export const footballIngestJob = (
  { nflverse, userAgent }: { readonly nflverse: string; readonly userAgent: string },
  policy: RequestPolicy = {},
) =>
  Effect.flatMap(HttpClient.HttpClient, (client) =>
    Job.sync(
      {
        name: "football-ingest",
        description: "Fetch changed schedules, results, lines, statistics, injury reports and rosters.",
        schedule: ingestSchedule,
        limit: "2 hours",
      },
      releaseParts(client, nflverse, { ...policy, headers: { "user-agent": userAgent, ...policy.headers } }),
    ),
  )

/** Every hour: scores recorded lines against new finals. */
export const footballScoreJob = Job.makeJob({
  name: "football-score",
  description: "Score recorded fair lines against the finals.",
  schedule: hourly(25),
  catchUp: "latest",
  run: scoreFinals.pipe(Effect.map((scored) => `${scored} scored`)),
})

// Named, so that its type is inferred before those of the module.
const generated = Layer.merge(mock.layer, TrackRecord.layerNone)

/** The football lane: nflverse's releases in the store. */
export const football = Module.define(Football, {
  upstreams: { nflverse },
  stores: archive.layer,
  mock: generated,
  live: () =>
    Layer.mergeAll(
      games.layer,
      quarterbacks.layer,
      reports.layerInjuries,
      reports.layerTop100,
      outcomes.layerTrackRecord,
    ),
  shadowed: [Games, Quarterbacks, Injuries, Top100],
  // Only lines of real games are recorded and scored.
  jobs: ({ mode, settings }) =>
    Effect.all([
      ...(mode === "mock" ? [] : [footballIngestJob(settings)]),
      ...(mode === "live" ? [footballScoreJob] : []),
    ]),
  feeds: () =>
    Effect.map(Transactions, (transactions) => {
      const coverage = coverageOver(transactions)
      return weeklyFeeds.map((name) => ({
        feed: nflFeeds[name],
        upstreams: ["nflverse"],
        schedule: ingestSchedule,
        coverage: coverage(name),
      }))
    }),
  ingest,
})
