import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import { readCsv } from "../../adapters/lanes/football/nflverse/csv.ts"
import * as footballArchive from "../../adapters/lanes/football/store/Archive.ts"
import { formatError } from "../../core/csv/Feed.ts"
import { FootballArchive, type Stored } from "../../core/lanes/football/data/archive.ts"
import type { FeedName } from "../../core/lanes/football/data/feeds.ts"
import { advance } from "../../core/Progress.ts"
import { UsageError } from "../exit.ts"
import { watched } from "../progress.ts"
import { listFiles } from "./files.ts"
import { json, print, readable, store } from "./shared.ts"

/** The files given, and the CSV files in the given folders. */
const filesAt = (targets: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { basename } = yield* Path.Path
    const all = yield* Effect.forEach(targets, (target) =>
      Effect.map(listFiles(target), (found) =>
        found.filter((file) => file === target || /\.csv(\.gz)?$/.test(basename(file))),
      ),
    )
    return all.flat()
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
const ingest = (feed: FeedName, path: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const archive = yield* FootballArchive
    const file = (yield* Path.Path).basename(path)
    const fetchedAt = yield* Clock.currentTimeMillis
    const read = yield* readCsv(feed, Stream.toAsyncIterable(fs.stream(path)))
    if (Either.isLeft(read)) return Either.left({ file, feed, ...read.left })
    const seasons = read.right.seasons.length === 0 ? seasonsInName(file) : read.right.seasons
    const { rows, added, changed, withdrawn } = yield* Effect.mapError(
      readable(archive.store({ ...read.right, feed, name: file, fetchedAt, seasons })),
      ({ message }) => new Error(`${file}: ${message}`),
    )
    const milliseconds = Math.max(1, (yield* Clock.currentTimeMillis) - fetchedAt)
    return Either.right<FileCounts>({ file, feed, rows, added, changed, withdrawn, milliseconds })
  })

const lineOf = ({ file, rows, added, changed, withdrawn, milliseconds }: FileCounts): string =>
  `${file}: ${rows} rows, ${added} added, ${changed} changed${withdrawn > 0 ? `, ${withdrawn} withdrawn` : ""} (${Math.round((1_000 * rows) / milliseconds)} rows/s)`

/** Ingests files in order. A rejected file does not stop the others, but the command fails. */
const ingestAll = (all: ReadonlyArray<readonly [name: string, one: ReturnType<typeof ingest>]>, asJson: boolean) =>
  Effect.gen(function* () {
    const [refused, stored] = yield* Effect.partition(all, ([name, one], at) =>
      Effect.gen(function* () {
        yield* advance(name, at, all.length)
        const outcome = yield* Effect.flatten(one)
        if (!asJson) yield* Console.log(lineOf(outcome))
        return outcome
      }),
    )
    const lines = refused.map((refusal) =>
      "file" in refusal ? `${refusal.file}: ${formatError(refusal)}` : refusal.message,
    )
    yield* print(
      asJson,
      { files: all.length, stored, refused: refused.map((one) => ("file" in one ? one : { reason: one.message })) },
      `${all.length} files: ${stored.length} read, ${refused.length} rejected`,
    )
    if (refused.length > 0) return yield* Effect.fail(new Error(lines.join("\n")))
  })

const paths = (name: string, what: string) =>
  Options.text(name).pipe(Options.repeated, Options.withDescription(`${what}: a .csv or .csv.gz, or a folder of them.`))

const options = {
  games: paths("games", "Schedule, results and lines"),
  teamStats: paths("team-stats", "Team weeks"),
  players: paths("players", "Player weeks"),
  injuries: paths("injuries", "Injury reports"),
  rosters: paths("rosters", "Rosters, weekly or seasonal"),
  top100: paths("top100", "Top 100 lists"),
}

const feedOf = {
  games: "games",
  teamStats: "team_weeks",
  players: "quarterbacks",
  injuries: "injuries",
  rosters: "rosters",
  top100: "top100",
} as const satisfies Record<keyof typeof options, FeedName>

export const football = Command.make("football", { ...options, json }, ({ json: asJson, ...given }) =>
  Effect.gen(function* () {
    const wanted = yield* Effect.forEach(Object.entries(feedOf), ([option, feed]) =>
      Effect.map(filesAt(given[option as keyof typeof options]), (all) =>
        all.map((file) => [file, ingest(feed, file)] as const),
      ),
    )
    const all = wanted.flat()
    if (all.length === 0) {
      return yield* Effect.fail(
        new UsageError("Give at least one file: --games FILE, --players FILE and others, see --help."),
      )
    }
    yield* ingestAll(all, asJson)
  }).pipe(watched, Effect.provide(footballArchive.layer), Effect.provide(store)),
).pipe(
  Command.withDescription("Import football records from nflverse files. A file with an unreadable row is rejected."),
)
