import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import { readCsv } from "../../adapters/providers/live/nflverse/csv.ts"
import { told } from "../../adapters/providers/live/nflverse/sync.ts"
import * as footballArchive from "../../adapters/sql/FootballArchive.ts"
import { FootballArchive, type Stored } from "../../core/lanes/football/archive.ts"
import type { FeedName } from "../../core/lanes/football/feeds.ts"
import { filesOf } from "./files.ts"
import { json, print, readable, store } from "./shared.ts"

/** The season of a file without rows is that of its name. */
const seasonOf = (name: string): ReadonlyArray<number> => {
  const year = /_(\d{4})\.csv(\.gz)?$/.exec(name)?.[1]
  return year === undefined ? [] : [Number(year)]
}

interface Outcome extends Stored {
  readonly file: string
  readonly feed: FeedName
  readonly milliseconds: number
}

const ingestFile = (feed: FeedName, path: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const archive = yield* FootballArchive
    const name = (yield* Path.Path).basename(path)
    const begun = yield* Clock.currentTimeMillis
    const read = yield* readCsv(feed, Stream.toAsyncIterable(fs.stream(path)))
    if (Either.isLeft(read)) return Either.left({ file: name, feed, ...read.left })
    const { values, sha256, seasons } = read.right
    const all = seasons.length === 0 ? seasonOf(name) : seasons
    const stored = yield* archive.store({ feed, name, sha256, fetchedAt: begun, values, seasons: all })
    const milliseconds = Math.max(1, (yield* Clock.currentTimeMillis) - begun)
    return Either.right<Outcome>({ file: name, feed, ...stored, milliseconds })
  })

const lineOf = ({ file, rows, added, changed, withdrawn, milliseconds }: Outcome): string =>
  `${file}: ${rows} rows, ${added} added, ${changed} changed${withdrawn > 0 ? `, ${withdrawn} withdrawn` : ""} (${Math.round((1_000 * rows) / milliseconds)} rows/s)`

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
      Effect.map(Effect.forEach(given[option as keyof typeof options], filesOf), (files) =>
        files
          .flat()
          .filter((file) => /\.csv(\.gz)?$/.test(file))
          .map((file) => ({ feed, file })),
      ),
    )
    const files = wanted.flat()
    if (files.length === 0) {
      return yield* Effect.fail(
        new Error("Name at least one file: --games FILE, --players FILE and others, see --help."),
      )
    }
    const [refused, stored] = yield* Effect.partition(files, ({ feed, file }) =>
      Effect.gen(function* () {
        const outcome = yield* Effect.flatten(readable(ingestFile(feed, file)))
        if (!asJson) yield* Console.log(lineOf(outcome))
        return outcome
      }),
    )
    const lines = refused.map((refusal) => ("file" in refusal ? `${refusal.file}: ${told(refusal)}` : refusal.message))
    yield* print(
      asJson,
      { files: files.length, stored, refused: refused.map((one) => ("file" in one ? one : { reason: one.message })) },
      `${files.length} files: ${stored.length} read, ${refused.length} refused`,
    )
    if (refused.length > 0) return yield* Effect.fail(new Error(lines.join("\n")))
  }).pipe(Effect.provide(footballArchive.layer), Effect.provide(store)),
).pipe(
  Command.withDescription(
    "Store football records from files as nflverse writes them. A file that cannot be read is refused whole.",
  ),
)
