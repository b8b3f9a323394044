import { startingQuarterback } from "../../adapters/lanes/football/mock/players.ts"
import type { Call, DamagedLane, Source } from "./damagedWorld.ts"
import type { Shape } from "./damages.ts"
import type { Payload } from "./faults.ts"
import { type FootballFiles, generatedFiles, recordedFiles } from "./footballFiles.ts"
import { csv, type Row } from "./payloadRows.ts"

const seasonOf = (row: Row): number => Number(row["season"])
const weekOf = (row: Row): number => 100 * seasonOf(row) + Number(row["week"])

const weekly: Pick<Shape, "format" | "seasonOf" | "periodOf" | "inNextPeriod"> = {
  format: csv,
  seasonOf,
  periodOf: weekOf,
  inNextPeriod: (row) => ({ ...row, week: Number(row["week"]) + 1 }),
}

/** Of a game that was played. */
const playedWeekOf = (row: Row): number | undefined => (row["home_score"] === "" ? undefined : weekOf(row))

const later = (row: Row, hours: number): void => {
  const [hour, minutes] = String(row["gametime"]).split(":")
  if (minutes !== undefined) row["gametime"] = `${String((Number(hour) + hours) % 24).padStart(2, "0")}:${minutes}`
}

const { inNextPeriod: _, ...withoutNext } = weekly

const shapes: Readonly<Record<string, Shape>> = {
  schedule: {
    ...{ ...withoutNext, periodOf: playedWeekOf, needed: "spread_line", move: later },
    figures: ["home_score", "gametime", "gameday", "home_rest", "spread_line", "total_line", "home_qb_id", "roof"],
  },
  teamWeeks: {
    ...{ ...weekly, needed: "rushing_epa" },
    figures: ["passing_epa", "rushing_epa", "passing_interceptions"],
  },
  players: {
    ...{ ...weekly, needed: "attempts" },
    figures: [
      ...["player_display_name", "completions", "attempts", "passing_yards", "passing_tds", "passing_epa"],
      ...["rushing_yards", "rushing_tds"],
    ],
  },
  injuries: {
    ...{ ...weekly, needed: "report_status" },
    figures: ["report_status", "full_name", "practice_status", "report_primary_injury"],
  },
  // A reserve list is often the one of the week before.
  rosters: { ...withoutNext, needed: "status", figures: ["status"] },
}

const published = (at: number): Readonly<Record<string, string>> => ({ "last-modified": new Date(at).toUTCString() })
const day = 86_400_000

/** A file without its newest week. */
const earlierFile =
  (shape: Shape, at: number) =>
  (good: Payload): Payload => {
    const file = shape.format(String(good.body))
    const newest = Math.max(...file.rows.map((row) => shape.periodOf!(row) ?? 0))
    const isOld = (row: Row) => (shape.periodOf!(row) ?? 0) < newest
    file.rows.splice(0, file.rows.length, ...file.rows.filter(isOld))
    return { headers: published(at - 3 * day), body: file.text() }
  }

/** The schedule without the newest results. */
const earlierSchedule =
  (at: number) =>
  (good: Payload): Payload => {
    const file = csv(String(good.body))
    const newest = Math.max(...file.rows.map((row) => playedWeekOf(row) ?? 0))
    for (const row of file.rows) {
      if (weekOf(row) === newest) Object.assign(row, { home_score: "", away_score: "", result: "", total: "" })
    }
    return { headers: published(at - 3 * day), body: file.text() }
  }

const sourcesOf = (files: FootballFiles, begin: number): ReadonlyArray<Source> => {
  const file = (body: string | undefined) =>
    body === undefined ? undefined : { headers: published(begin - day), body }
  const ofSeason = (
    name: Exclude<keyof FootballFiles, "schedule">,
    title: string,
    feed: string,
    path: RegExp,
  ): Source => ({
    ...{ title, path, upstream: "nflverse", feeds: [feed], shape: shapes[name]! },
    // Equal rows about a player in a week are one report.
    harmless: name === "injuries" ? ["periodTwice"] : [],
    others: {
      season: (text) => {
        const read = csv(text)
        for (const row of read.rows) row["season"] = seasonOf(row) - 1
        return read.text()
      },
    },
    earlier: earlierFile(shapes[name]!, begin),
    reply: ({ path: asked }) => file(files[name].get(Number(path.exec(asked)![1]))),
  })
  return [
    {
      ...{ title: "schedule", path: "/schedules/games.csv", upstream: "nflverse", feeds: ["nfl_games"] },
      ...{ shape: shapes["schedule"]!, earlier: earlierSchedule(begin), reply: () => file(files.schedule) },
    },
    ofSeason("teamWeeks", "team stats", "nfl_team_weeks", /^\/stats_team\/stats_team_week_(\d+)\.csv$/),
    ofSeason("players", "player stats", "nfl_quarterbacks", /^\/stats_player\/stats_player_week_(\d+)\.csv$/),
    ofSeason("injuries", "injury reports", "nfl_injuries", /^\/injuries\/injuries_(\d+)\.csv$/),
    ofSeason("rosters", "rosters", "nfl_rosters", /^\/weekly_rosters\/roster_weekly_(\d+)\.csv$/),
  ]
}

const line: Pick<Call, "figures"> = { figures: ({ recorded_to_track_record: _, ...figures }) => figures }
const reports: Pick<Call, "isNone"> = {
  isNone: ({ report, reserve_list }) => report.count === 0 || reserve_list.count === 0,
}
const games: Pick<Call, "isNone"> = { isNone: ({ count }) => count === 0 }

/** What depends on the files, of a season whose last week was played, and of the one before. */
const callsOf = (season: number, week: number, team: string, player: string): ReadonlyArray<Call> => [
  { path: `/v1/nfl/games?season=${season}&week=${week}`, ...games },
  { path: `/v1/nfl/games?week=${week + 1}`, ...games },
  { path: `/v1/nfl/games?team=${team}`, ...games },
  { path: `/v1/nfl/games?season=${season - 1}&team=${team}`, ...games },
  { path: `/v1/nfl/qb?player=${encodeURIComponent(player)}` },
  { path: `/v1/nfl/qb?player=${encodeURIComponent(player)}&season=${season - 1}&last=20` },
  { path: `/v1/nfl/injuries?team=${team}`, ...reports },
  { path: `/v1/nfl/injuries?team=${team}&week=${week - 1}`, ...reports },
  { path: `/v1/nfl/injuries?team=${team}&season=${season - 1}`, ...reports },
  { path: `/v1/nfl/fair-line?team=${team}`, ...line },
]

/** The lane over its files, at a moment after the last played week is due. */
export const damagedFootball = (
  files: FootballFiles,
  at: {
    readonly begin: number
    readonly season: number
    readonly week: number
    readonly team: string
    readonly player: string
  },
): DamagedLane => ({
  name: "football",
  settings: { football: "live" },
  sources: sourcesOf(files, at.begin),
  jobs: ["football-ingest"],
  calls: callsOf(at.season, at.week, at.team, at.player),
  begin: at.begin,
  period: 6 * 3_600_000,
  // A download is given up after two minutes.
  times: 60,
})

const team = "BUF"

/** Over generated files of 2024, the Thursday after its tenth week. */
export const damagedSample = (): DamagedLane =>
  damagedFootball(generatedFiles([2023, 2024], 10), {
    ...{ begin: Date.UTC(2024, 10, 14, 6, 15), season: 2024, week: 10, team },
    player: startingQuarterback(team, 2024, 10).id,
  })

/** Over recorded files of 2023, the Thursday after its tenth week. */
export const damagedRecorded = (root: string): DamagedLane => ({
  ...damagedFootball(recordedFiles(root, [2022, 2023], 10), {
    ...{ begin: Date.UTC(2023, 10, 16, 6, 15), season: 2023, week: 10, team, player: "Josh Allen" },
  }),
  name: "recorded",
})
