import type * as HttpClient from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type FileError, type FileFormat, formatError } from "../../../../core/csv/FileFormat.ts"
import { findGamesSeason, findRosterSeason } from "../../../../core/lanes/football/data/calendar.ts"
import { firstSeasons, type WeeklyFeed } from "../../../../core/lanes/football/data/coverage.ts"
import { type FormatName, formats, type ValueOf } from "../../../../core/lanes/football/data/formats.ts"
import { makeIdentityCheck, sharedValue } from "../../../../core/sources/identity.ts"
import * as csv from "../../../runtime/upstream/csv.ts"
import * as Upstream from "../../../runtime/upstream/Definition.ts"
import type { RequestPolicy, UpstreamError, Validators } from "../../../runtime/upstream/upstream.ts"

/** A file released by nflverse, and its season; the schedule covers all seasons. */
export interface Release {
  readonly feed: WeeklyFeed
  readonly path: string
  readonly season?: number
  /** Path of the roster before the season's first week. */
  readonly instead?: string
}

const ofSeasons = (
  feed: WeeklyFeed,
  to: number,
  pathOf: (season: number) => Pick<Release, "path" | "instead">,
): ReadonlyArray<Release> =>
  Array.from({ length: Math.max(0, to - firstSeasons[feed] + 1) }, (_, at) => ({
    ...{ feed, season: to - at },
    ...pathOf(to - at),
  }))

const schedule = "/schedules/games.csv"

/** All files released by `now`, the newest season of each feed first. */
export const releases = (now: number): ReadonlyArray<Release> => {
  const [played, rostered] = [findGamesSeason(now), findRosterSeason(now)]
  return [
    { feed: "games", path: schedule },
    ...ofSeasons("team_weeks", played, (season) => ({ path: `/stats_team/stats_team_week_${season}.csv` })),
    ...ofSeasons("quarterbacks", played, (season) => ({ path: `/stats_player/stats_player_week_${season}.csv` })),
    ...ofSeasons("injuries", rostered, (season) => ({ path: `/injuries/injuries_${season}.csv` })),
    ...ofSeasons("rosters", rostered, (season) => ({
      path: `/weekly_rosters/roster_weekly_${season}.csv`,
      instead: `/rosters/roster_${season}.csv`,
    })),
  ]
}

export const readCsv = <Name extends FormatName>(
  feed: Name,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Effect.Effect<Either.Either<csv.CsvFile<ValueOf<Name>>, FileError>> =>
  csv.readCsv(formats[feed] as unknown as FileFormat<Name, ValueOf<Name>>, chunks)

type Fetched<Name extends FormatName> =
  | { readonly _tag: "Unchanged" | "Absent" }
  | { readonly _tag: "Read"; readonly file: csv.CsvFile<ValueOf<Name>> & Validators }

interface Asked extends Validators {
  readonly feed: FormatName
  readonly path: string
  /** Absent for a file of all seasons. */
  readonly season?: number | undefined
}

const checkIdentity = makeIdentityCheck({
  name: ({ path }: Asked) => path,
  says: {
    season: (fetched: Fetched<FormatName>, { season }) =>
      season === undefined || fetched._tag !== "Read"
        ? [0, 0]
        : [sharedValue(fetched.file.seasons) ?? `${season}`, `${season}`],
  },
})

/** A file identified by its columns' names and, if it has one season, by that. */
const release = Upstream.question(
  Upstream.readFile((download, { feed }: Asked): Effect.Effect<Either.Either<Fetched<FormatName>, FileError>> => {
    if (download === undefined) return Effect.succeed(Either.right({ _tag: "Unchanged" }))
    const { chunks, status: _, ...validators } = download
    return Effect.map(
      readCsv(feed, chunks),
      Either.map((file): Fetched<FormatName> => ({ _tag: "Read", file: { ...file, ...validators } })),
    )
  }),
  {
    path: ({ path }: Asked) => path,
    identity: (read, asked: Asked, now) =>
      Either.flatMap(Either.mapLeft(read, formatError), (fetched) => checkIdentity(fetched, asked, now)),
  },
)

/** nflverse's releases, `GET {baseUrl}/{tag}/{file}`. A whole season of weekly rosters is about 15 MB. */
export const nflverse = Upstream.define({
  ...{ name: "nflverse", title: "nflverse", url: "https://github.com/nflverse/nflverse-data/releases/download" },
  ...{ redirects: "githubusercontent.com", timeoutMs: 120_000, maxBytes: 96 * 1_048_576, pauseMs: 1_000 },
  questions: { release },
  probe: ({ ask }) => ask(release, { feed: "games", path: schedule }),
})

export const make = (client: HttpClient.HttpClient, baseUrl: string, policy: RequestPolicy = {}) => {
  const { ask } = Upstream.openAt(nflverse, client, baseUrl, policy)
  return {
    download: <Name extends FormatName>(
      feed: Name,
      path: string,
      season: number | undefined,
      known?: Validators,
    ): Effect.Effect<Fetched<Name>, UpstreamError> =>
      Effect.catchIf(
        ask(release, { feed, path, season, ...known }) as Effect.Effect<Fetched<Name>, UpstreamError>,
        (error) => error.reason === "status" && error.status === 404,
        () => Effect.succeed<Fetched<Name>>({ _tag: "Absent" }),
      ),
  }
}
