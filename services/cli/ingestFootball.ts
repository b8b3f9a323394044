import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import * as footballArchive from "../../adapters/lanes/football/store/Archive.ts"
import type { Feed } from "../../core/csv/Feed.ts"
import { FootballArchive } from "../../core/lanes/football/data/archive.ts"
import { type FeedName, feeds, type ValueOf } from "../../core/lanes/football/data/feeds.ts"
import { files, ingestAll, ingestFile, named } from "./feedFiles.ts"
import { json, store } from "./shared.ts"

/** A file without rows has the season in its name. */
const seasonOf = (name: string): ReadonlyArray<number> => {
  const year = /_(\d{4})\.csv(\.gz)?$/.exec(name)?.[1]
  return year === undefined ? [] : [Number(year)]
}

const ingest = <Name extends FeedName>(name: Name, path: string) =>
  ingestFile(feeds[name] as unknown as Feed<Name, ValueOf<Name>>, path, (file) =>
    Effect.flatMap(FootballArchive, (archive) =>
      archive.store({
        ...file,
        feed: name,
        seasons: file.seasons.length === 0 ? seasonOf(file.name) : file.seasons,
      }),
    ),
  )

const paths = (name: string, what: string) => files(name, `${what}: a .csv or .csv.gz, or a folder of them.`)

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
      Effect.map(named(given[option as keyof typeof options], /\.csv(\.gz)?$/), (all) =>
        all.map((file) => ingest(feed, file)),
      ),
    )
    const all = wanted.flat()
    if (all.length === 0) {
      return yield* Effect.fail(
        new Error("Give at least one file: --games FILE, --players FILE and others, see --help."),
      )
    }
    yield* ingestAll(all, asJson)
  }).pipe(Effect.provide(footballArchive.layer), Effect.provide(store)),
).pipe(
  Command.withDescription("Import football records from nflverse files. A file with an unreadable row is rejected."),
)
