import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import { formatError } from "../../../core/csv/Feed.ts"
import { fail } from "../../../core/Failure.ts"
import { FootballArchive, type Stored } from "../../../core/lanes/football/data/archive.ts"
import type { FeedName } from "../../../core/lanes/football/data/feeds.ts"
import { advance } from "../../../core/Progress.ts"
import { plural } from "../../../core/text.ts"
import { type Argument, command, type Ingest, listFiles, type Report, type Say } from "../LaneCommand.ts"
import { readCsv } from "./nflverse/releases.ts"

/** A file of the command line, with the feed of its option. */
interface Given {
  readonly feed: FeedName
  readonly path: string
}

/** The files given, and the CSV files in the given folders. */
const filesIn = Effect.fnUntraced(function* (target: string) {
  const { basename } = yield* Path.Path
  const files = yield* listFiles(target)
  return files.filter((file) => file === target || /\.csv(\.gz)?$/.test(basename(file)))
})

/** A file without rows has the season in its name. */
const seasonsInName = (name: string): ReadonlyArray<number> => {
  const year = /_(\d{4})\.csv(\.gz)?$/.exec(name)?.[1]
  return year === undefined ? [] : [Number(year)]
}

interface FileCounts extends Stored {
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
  const seasons = read.right.seasons.length === 0 ? seasonsInName(file) : read.right.seasons
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
const ingestFiles = Effect.fnUntraced(function* (files: ReadonlyArray<Given>, say: Say) {
  const [rejected, stored] = yield* Effect.partition(files, (given, index) =>
    advance(given.path, index, files.length).pipe(
      Effect.zipRight(ingestFile(given)),
      Effect.tap((counts) => say(fileLine(counts))),
    ),
  )
  const report: Report = {
    value: {
      files: files.length,
      stored,
      refused: rejected,
    },
    text: `${plural(files.length, "file")}: ${stored.length} read, ${rejected.length} rejected`,
  }
  const messages = rejected.map((one) => `${one.file}: ${formatError(one)}`)
  return messages.length === 0 ? report : { ...report, failure: messages.join("\n") }
})

const paths = (what: string) =>
  ({
    form: "text",
    count: "repeated",
    description: `${what}: a .csv or .csv.gz, or a folder of them.`,
  }) as const satisfies Argument

/** The feed of each option. */
const feedByOption = {
  games: "games",
  "team-stats": "team_weeks",
  players: "quarterbacks",
  injuries: "injuries",
  rosters: "rosters",
  top100: "top100",
} as const satisfies Record<string, FeedName>

/** Files of nflverse. */
export const ingest: Ingest<FootballArchive> = command({
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
      Effect.map(Effect.forEach(targets[option as keyof typeof feedByOption], filesIn), (lists) =>
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
