import * as Schema from "effect/Schema"
import * as Endpoint from "../../endpoint/Endpoint.ts"
import { cite, explain, step, when } from "../../endpoint/explain.ts"
import { fillPath } from "../../endpoint/path.ts"
import { Feeds } from "../../feeds/Feeds.ts"
import { ifDefined } from "../../ifDefined.ts"
import * as Step from "../../Step.ts"
import { plural } from "../../text.ts"
import { wire } from "../../wire.ts"
import { change, suggest } from "../answers.ts"
import { recorded } from "../confidence.ts"
import { data } from "../fields.ts"
import { easternDay, inSeason, rosterSeason, seasonOpens } from "./data/calendar.ts"
import { inactive } from "./data/fileRows.ts"
import { codeIn, type Team } from "./data/teams.ts"
import {
  current as currentSeason,
  InjuryReport,
  season as seasonFrom,
  team as teamOf,
  week as weekOf,
} from "./fields.ts"
import { type Gaps, gapsOf, type Wanted } from "./gaps.ts"
import { Injuries, type InjuryRow, type ReserveRow, type Reserves } from "./ports.ts"
import { listSources, newestProvenance, notLoaded, toProvenance } from "./summary.ts"

/** The first season with reports in the source. */
const firstReported = 2009
/** The first season of the fetched rosters. */
const firstRostered = 2002

const ofPlayer = ["player", "gsisId", "position"] as const
const toInjuryWire = wire<InjuryRow>()([...ofPlayer, "week", "reportStatus", "practiceStatus", "injury"])
const toReserveWire = wire<ReserveRow>()([...ofPlayer, "status", "designation"])

const byStatus = (rows: ReadonlyArray<InjuryRow>): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const { reportStatus = "none" } of rows) counts[reportStatus] = (counts[reportStatus] ?? 0) + 1
  return counts
}

/** The last week with rows; null without one. */
const latest = (rows: ReadonlyArray<InjuryRow>): number | null =>
  rows.length === 0 ? null : Math.max(...rows.map(({ week }) => week))

/** The second source: the players of a week's roster who do not play, as rows of a report. */
const inactiveRows = (reserves: Reserves | undefined, week: number | undefined): ReadonlyArray<InjuryRow> =>
  reserves === undefined || (week !== undefined && reserves.week !== week)
    ? []
    : reserves.players
        .filter(({ status }) => status === inactive)
        .map(({ status: _, designation: __, ...player }) => ({ ...player, reportStatus: "Inactive" }))

/** Players whom the report of a week has as out and whom the roster of that week does not have as inactive or reserve. */
const disputedPlayers = (rows: ReadonlyArray<InjuryRow>, reserves: Reserves | undefined): ReadonlyArray<string> => {
  // Before the game a roster has no inactive.
  if (!reserves?.players.some(({ status }) => status === inactive)) return []
  const playerId = ({ gsisId, player }: InjuryRow | ReserveRow): string => gsisId ?? player
  const absent = new Set(reserves.players.map(playerId))
  return rows
    .filter((row) => row.week === reserves.week && row.reportStatus === "Out" && !absent.has(playerId(row)))
    .map(({ player }) => player)
}

/** By the number of things that an answer lacks. */
const scores = [1, 0.9, 0.8]
const leastScore = 0.5

const scoreConfidence = ({ late }: Gaps, absent: ReadonlyArray<string>, rows: number, reserves: number) =>
  recorded(
    late === undefined ? (scores[absent.length] ?? leastScore) : leastScore,
    ...(absent.length === 0 ? [`${plural(rows, "report row")}, ${plural(reserves, "reserve row")}`] : absent),
  )

const injuryFlags = (
  rows: ReadonlyArray<InjuryRow>,
  reports: Gaps,
  rosters: Gaps,
  disputed: ReadonlyArray<string>,
): ReadonlyArray<string> => [
  ...(reports.late === undefined ? [] : ["report_from_rosters"]),
  ...(disputed.length === 0 ? [] : ["source_disagreement"]),
  ...(rows.length === 0 ? ["report_absent"] : []),
  ...(reports.lines.length > 0 ? ["reports_incomplete"] : []),
  ...(rosters.lines.length > 0 ? ["rosters_incomplete"] : []),
]

const teamLinks = (team: Team) => [
  { id: team, endpoints: ["injuries", "games", "fair-line"].map((path) => `/v1/nfl/${path}?team=${team}`) },
]

/** The report of a week in words. */
const reportText = (
  code: string,
  { season, week: wanted }: Pick<Wanted, "season" | "week">,
  week: number | null,
  rows: ReadonlyArray<InjuryRow>,
): string =>
  rows.length > 0
    ? `Read the injuries of ${code}, week ${week} of ${season}: ${plural(rows.length, "player")}.`
    : wanted === undefined
      ? `${code} has no injury report in ${season}; other seasons are not used.`
      : `${code} has no injury report in week ${wanted} of ${season}; other weeks are not used.`

const reserveText = (season: number, week: number, players: number): string =>
  `Read the reserve list from the roster of ${week === 0 ? `${season} before its first week` : `week ${week}`}: ${plural(players, "player")}.`

/** The official injury report and the reserve list of one team. It never fills in from another season or week. */
export const injuries = Endpoint.make("/v1/nfl/injuries", {
  ...data(2_000),
  summary: "Official injury report and reserve list of a team",
  use: "Who is hurt, doubtful or out.",
  example: { team: "KC" },
  params: Schema.Struct({
    team: teamOf("Team code."),
    season: seasonFrom(1999, "Default current season, never an earlier one."),
    week: weekOf,
  }),
  check: inSeason(rosterSeason, currentSeason),
  results: InjuryReport,
  ports: { injuries: Injuries, feeds: Feeds },
  answer: function* ({ team, season: wantedSeason, week: wantedWeek }, { injuries, feeds }, give) {
    const now = yield* Step.now
    const current = rosterSeason(now)
    const season = wantedSeason ?? current
    const instead = change("week", "Send a week that is there, or an earlier season.")
    const wanted = { season, week: wantedWeek, instead }
    const reports = yield* gapsOf(feeds, "injuries", wanted, now)
    const rosters = yield* gapsOf(feeds, "rosters", wanted, now)
    if (rosters.late !== undefined) return yield* rosters.late
    const gaps = [...reports.lines, ...rosters.lines]
    const reported = yield* injuries.reported(season, team)
    // A season has no report before its first week, loaded or not.
    const isReported = season >= firstReported && easternDay(now) >= seasonOpens(season)
    if (reported === undefined && reports.late === undefined && reports.isDue && isReported) {
      return yield* notLoaded("The injury reports", season)
    }
    if (season >= firstRostered && !(yield* injuries.rostered).includes(season)) {
      return yield* notLoaded("The rosters", season)
    }
    const reserves = yield* injuries.reserved(season, team, wantedWeek)
    const official = (reported ?? []).filter((row) => row.week === (wantedWeek ?? latest(reported!)))
    const rows = reports.late === undefined ? official : inactiveRows(reserves, wantedWeek)
    // A roster with nobody inactive may be of before the game: no second source says that nobody is out.
    if (reports.late !== undefined && rows.length === 0) return yield* reports.late
    const week = wantedWeek ?? latest(rows)
    const code = codeIn(team, season)
    const listed = (reserves?.players ?? []).filter(({ status }) => status !== inactive)
    const disputed = reports.late === undefined ? disputedPlayers(rows, reserves) : []
    const refusal = (rows.length === 0 && reports.refusal) || (listed.length === 0 && rosters.refusal)
    if (refusal) return yield* refusal
    const newest = newestProvenance([...rows, ...(reserves ? [reserves] : [])])
    const flags = injuryFlags(rows, reports, rosters, disputed)
    const absent = [
      ...flags.map((flag) => `quality flag ${flag}`),
      ...(reserves === undefined ? [`no roster loaded for ${season}`] : []),
    ]
    const locator = fillPath("/v1/nfl/injuries", { team, season, ...ifDefined("week", wantedWeek) })
    const asOf = reserves === undefined || reserves.week === 0 ? undefined : reserves.week
    return give({
      results: {
        team: code,
        season,
        week,
        current_season: current,
        is_current_season: season === current,
        report: {
          count: rows.length,
          by_status: byStatus(rows),
          players: rows.map(toInjuryWire),
          quality_flags: flags,
        },
        reserve_list: { ...ifDefined("as_of_week", asOf), count: listed.length, players: listed.map(toReserveWire) },
        ...(newest === undefined ? {} : toProvenance(newest)),
      },
      explained: explain(
        step(reportText(code, wanted, week, rows), ...listSources(rows).map((source) => cite(source, locator))),
        reserves === undefined
          ? `There is no roster of ${code} in ${season}${wantedWeek === undefined ? "" : ` up to week ${wantedWeek}`}.`
          : step(reserveText(season, reserves.week, listed.length), cite(reserves.source, locator)),
        when(reports.late, ({ detail }) => `${detail} Instead: the inactive of the newest roster.`),
        ...disputed.map((player) => `${player} is reported out and not inactive on the roster of that week.`),
        ...gaps,
      ),
      confidence: scoreConfidence(reports, absent, rows.length, listed.length),
      links: teamLinks(team),
      extras: { suggestions: [suggest("nfl_fair_line", { team }, "Model line of the team's next game.")] },
    })
  },
})
