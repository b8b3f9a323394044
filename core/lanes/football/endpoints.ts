import * as Schema from "effect/Schema"
import * as Cursor from "../../endpoint/Cursor.ts"
import * as Endpoint from "../../endpoint/Endpoint.ts"
import { cite, explain, step, when } from "../../endpoint/explain.ts"
import * as Param from "../../endpoint/Param.ts"
import { fillPath } from "../../endpoint/path.ts"
import { fail } from "../../Failure.ts"
import { Feeds } from "../../feeds/Feeds.ts"
import { ifDefined } from "../../ifDefined.ts"
import { type Pending, TrackRecord } from "../../record/captures/Outcomes.ts"
import * as Step from "../../Step.ts"
import { plural } from "../../text.ts"
import { wire } from "../../wire.ts"
import { change, notFound, suggest } from "../answers.ts"
import { recorded } from "../confidence.ts"
import { dataTerms, proofTerms } from "../fields.ts"
import {
  calledOffAfterMs,
  checkSeason,
  checkSeasonAndWeek,
  findOpeningDay,
  findRosterSeason,
  toEasternDay,
  toEasternYear,
} from "./data/calendar.ts"
import { inactiveCode } from "./data/fileRows.ts"
import { parseSeason } from "./data/Game.ts"
import { type Team, toSeasonCode } from "./data/teams.ts"
import { fairLine } from "./fairLineCall.ts"
import {
  currentSeasonWords as currentSeason,
  InjuryReport,
  Performance,
  seasonParam as seasonFrom,
  Top100List,
  teamParam as teamOf,
  weekParam as weekOf,
} from "./fields.ts"
import { readGaps, type WantedWeeks, type WeekGaps } from "./gaps.ts"
import { trained } from "./model/Model.ts"
import {
  Games,
  Injuries,
  type InjuryRow,
  type League,
  type ReserveRow,
  type Reserves,
  Top100,
  type Top100Player,
} from "./ports.ts"
import { qb } from "./quarterback.ts"
import { games } from "./schedule.ts"
import { failNotLoaded, findNewest, listSources, toProvenance } from "./summary.ts"

const firstReportSeason = 2009
const firstRosterSeason = 2002

const playerFields = ["player", "gsisId", "position"] as const
const toInjuryWire = wire<InjuryRow>()([...playerFields, "week", "reportStatus", "practiceStatus", "injury"])
const toReserveWire = wire<ReserveRow>()([...playerFields, "status", "designation"])

const countByStatus = (rows: ReadonlyArray<InjuryRow>): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const { reportStatus = "none" } of rows) counts[reportStatus] = (counts[reportStatus] ?? 0) + 1
  return counts
}

/** The last week with rows; null without one. */
const findLatestWeek = (rows: ReadonlyArray<InjuryRow>): number | null =>
  rows.length === 0 ? null : Math.max(...rows.map(({ week }) => week))

/** The inactive players of a week's roster, as rows of a report; they stand in for a late report. */
const listInactive = (reserves: Reserves | undefined, week: number | undefined): ReadonlyArray<InjuryRow> =>
  reserves === undefined || (week !== undefined && reserves.week !== week)
    ? []
    : reserves.players
        .filter(({ status }) => status === inactiveCode)
        .map(({ status: _, designation: __, ...player }) => ({ ...player, reportStatus: "Inactive" }))

/** Players who are out by the report of a week but neither inactive nor on reserve by that week's roster. */
const findDisputed = (rows: ReadonlyArray<InjuryRow>, reserves: Reserves | undefined): ReadonlyArray<string> => {
  // Before the game a roster has no inactive players.
  if (!reserves?.players.some(({ status }) => status === inactiveCode)) return []
  const playerId = ({ gsisId, player }: InjuryRow | ReserveRow): string => gsisId ?? player
  const absent = new Set(reserves.players.map(playerId))
  return rows
    .filter((row) => row.week === reserves.week && row.reportStatus === "Out" && !absent.has(playerId(row)))
    .map(({ player }) => player)
}

/** Scores by the number of missing parts of an answer. */
const scoresByLack = [1, 0.9, 0.8]
const minScore = 0.5

const scoreConfidence = ({ late }: WeekGaps, absent: ReadonlyArray<string>, rows: number, reserves: number) =>
  recorded(
    late === undefined ? (scoresByLack[absent.length] ?? minScore) : minScore,
    ...(absent.length === 0 ? [`${plural(rows, "report row")}, ${plural(reserves, "reserve row")}`] : absent),
  )

const listFlags = (
  rows: ReadonlyArray<InjuryRow>,
  reports: WeekGaps,
  rosters: WeekGaps,
  disputed: ReadonlyArray<string>,
): ReadonlyArray<string> => [
  ...(reports.late === undefined ? [] : ["report_from_rosters"]),
  ...(disputed.length === 0 ? [] : ["source_disagreement"]),
  ...(rows.length === 0 ? ["report_absent"] : []),
  ...(reports.lines.length > 0 ? ["reports_incomplete"] : []),
  ...(rosters.lines.length > 0 ? ["rosters_incomplete"] : []),
]

const toTeamLinks = (team: Team) => [
  { id: team, endpoints: ["injuries", "games", "fair-line"].map((path) => `/v1/nfl/${path}?team=${team}`) },
]

const describeReport = (
  code: string,
  { season, week: wanted }: Pick<WantedWeeks, "season" | "week">,
  week: number | null,
  rows: ReadonlyArray<InjuryRow>,
): string =>
  rows.length > 0
    ? `Read the injuries of ${code}, week ${week} of ${season}: ${plural(rows.length, "player")}.`
    : wanted === undefined
      ? `${code} has no injury report in ${season}; other seasons are not used.`
      : `${code} has no injury report in week ${wanted} of ${season}; other weeks are not used.`

const describeReserves = (season: number, week: number, players: number): string =>
  `Read the reserve list from the roster of ${week === 0 ? `${season} before its first week` : `week ${week}`}: ${plural(players, "player")}.`

/** The official injury report and the reserve list of one team. Other seasons or weeks never stand in. */
const injuries = Endpoint.make("/v1/nfl/injuries", {
  ...dataTerms(2_000),
  summary: "Official injury report and reserve list of a team",
  use: "Who is hurt, doubtful or out.",
  example: { team: "KC" },
  params: Schema.Struct({
    team: teamOf("Team code."),
    season: seasonFrom(1999, "Default current season, never an earlier one."),
    week: weekOf,
  }),
  check: checkSeasonAndWeek(findRosterSeason, currentSeason),
  results: InjuryReport,
  ports: { injuries: Injuries, feeds: Feeds },
  answer: function* ({ team, season: wantedSeason, week: wantedWeek }, { injuries, feeds }, give) {
    const now = yield* Step.now
    const current = findRosterSeason(now)
    const season = wantedSeason ?? current
    const instead = change("week", "Choose a week that is loaded, or an earlier season.")
    const wanted = { season, week: wantedWeek, instead }
    const reports = yield* readGaps(feeds, "injuries", wanted, now)
    const rosters = yield* readGaps(feeds, "rosters", wanted, now)
    if (rosters.late !== undefined) return yield* rosters.late
    const gaps = [...reports.lines, ...rosters.lines]
    const reported = yield* injuries.reported(season, team)
    // A season has no report before its first week, loaded or not.
    const isReported = season >= firstReportSeason && toEasternDay(now) >= findOpeningDay(season)
    if (reported === undefined && reports.late === undefined && reports.isDue && isReported) {
      return yield* failNotLoaded("The injury reports", season)
    }
    if (season >= firstRosterSeason && !(yield* injuries.rostered).includes(season)) {
      return yield* failNotLoaded("The rosters", season)
    }
    const reserves = yield* injuries.reserved(season, team, wantedWeek)
    const official = (reported ?? []).filter((row) => row.week === (wantedWeek ?? findLatestWeek(reported!)))
    const rows = reports.late === undefined ? official : listInactive(reserves, wantedWeek)
    // A roster without inactive players may be from before the game, so it does not show that nobody is out.
    if (reports.late !== undefined && rows.length === 0) return yield* reports.late
    const week = wantedWeek ?? findLatestWeek(rows)
    const code = toSeasonCode(team, season)
    const listed = (reserves?.players ?? []).filter(({ status }) => status !== inactiveCode)
    const disputed = reports.late === undefined ? findDisputed(rows, reserves) : []
    const refusal = (rows.length === 0 && reports.refusal) || (listed.length === 0 && rosters.refusal)
    if (refusal) return yield* refusal
    const newest = findNewest([...rows, ...(reserves ? [reserves] : [])])
    const flags = listFlags(rows, reports, rosters, disputed)
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
          by_status: countByStatus(rows),
          players: rows.map(toInjuryWire),
          quality_flags: flags,
        },
        reserve_list: { ...ifDefined("as_of_week", asOf), count: listed.length, players: listed.map(toReserveWire) },
        ...(newest === undefined ? {} : toProvenance(newest)),
      },
      explained: explain(
        step(describeReport(code, wanted, week, rows), ...listSources(rows).map((source) => cite(source, locator))),
        reserves === undefined
          ? `There is no roster of ${code} in ${season}${wantedWeek === undefined ? "" : ` up to week ${wantedWeek}`}.`
          : step(describeReserves(season, reserves.week, listed.length), cite(reserves.source, locator)),
        when(reports.late, ({ detail }) => `${detail} Used the inactive players of the newest roster instead.`),
        ...disputed.map((player) => `${player} is reported out but not inactive on the roster of that week.`),
        ...gaps,
      ),
      confidence: scoreConfidence(reports, absent, rows.length, listed.length),
      links: toTeamLinks(team),
      extras: { suggestions: [suggest("nfl_fair_line", { team }, "Model line of the team's next game.")] },
    })
  },
})

const cursorKeys: Cursor.Keys<Top100Player> = { of: ({ rank }) => String(rank).padStart(3, "0"), form: /^\d{3}$/ }

/** The annual list voted by the players. The cursor is the last rank of the previous page. */
export const top100 = Endpoint.make("/v1/nfl/top100", {
  rows: "players",
  ...dataTerms(1_000),
  summary: "Annual Top 100 list as voted by the players",
  use: "Ranking of the best players of a year.",
  example: { limit: 10 },
  params: Schema.Struct({
    season: seasonFrom(2011, "Year in which the list was published. Default the latest that is loaded."),
    ...Param.paging,
  }),
  check: checkSeason(toEasternYear, ", the current year"),
  results: Top100List,
  ports: { top100: Top100 },
  answer: function* ({ season: wanted, cursor, limit }, { top100 }, give) {
    const loaded = yield* top100.seasons
    if (loaded.length === 0) {
      // No feed brings the lists, so waiting does not help.
      return yield* fail("data_provider_unavailable", {
        detail: "This server has no Top 100 list: no feed provides them, and its operator has loaded none.",
        hints: [
          {
            field: "season",
            action: "contact",
            suggestion: "Ask the operator to load a list: market-signals ingest football --top100 lists.csv",
          },
        ],
      })
    }
    const season = wanted ?? loaded.at(-1)!
    const list = yield* top100.list(season)
    if (list === undefined) {
      return yield* notFound(
        `There is no Top 100 list for ${season}.`,
        change("season", `Send one of ${loaded.join(", ")}.`),
      )
    }
    const rest = yield* Step.ofEither(Cursor.rest(list.players, cursorKeys, cursor))
    const { page, ...next } = Cursor.takePage(rest, cursorKeys, limit)
    return give({
      results: {
        season,
        count: page.length,
        players: page.map(({ rank, player, code, position }) => ({ rank, player_name: player, team: code, position })),
        ...toProvenance(list),
      },
      explained: explain(
        step(
          `List published in ${season} on season ${season - 1}: ${page.length} of ${plural(list.players.length, "row")} on this page.`,
          cite(list.source, `/v1/nfl/top100?season=${season}`),
        ),
      ),
      confidence: recorded(1, plural(list.players.length, "recorded row")),
      links: [{ id: `top100/${season}`, endpoints: [`/v1/nfl/top100?season=${season}`] }],
      ...next,
      extras: {
        suggestions: page
          .filter(({ position }) => position === "QB")
          .slice(0, 2)
          .map(({ player }) => suggest("nfl_qb", { player }, `Stat lines of ${player}.`)),
      },
    })
  },
})

const attribution = "Data: nflverse (github.com/nflverse), CC BY 4.0; schedules and lines: Lee Sharpe, nfldata."

const describeStatus = (scored: number, pending: number): string =>
  scored > 0 ? "scoring" : pending > 0 ? "awaiting_results" : "no_predictions"

/** Whether a predicted game is to be scored: scheduled, predicted before kickoff, and final or not called off. */
const isAwaited =
  ({ seasons, checkedAt }: League) =>
  ({ subject, firstAt }: Pending): boolean => {
    const season = seasons.find((one) => one.season === parseSeason(subject))
    const record = season?.records.find(({ game }) => game.id === subject)
    if (season === undefined || record === undefined || firstAt >= record.kickoffAt) return false
    return record.game.score !== undefined || checkedAt.get(season.season)! < record.kickoffAt + calledOffAfterMs
  }

const { model_version, trained_at, backtest_holdout, against_the_spread, inputs } = trained
const newestRecord = against_the_spread[0]!

export const performance = Endpoint.make("/v1/nfl/performance", {
  ...proofTerms,
  summary: "Track record of the football fair line, misses included",
  use: "How accurate `nfl_fair_line` has been.",
  example: {},
  params: Schema.Struct({}),
  results: Performance,
  ports: { games: Games, record: TrackRecord },
  answer: function* (_, { games, record }, give) {
    const { scored, means, ...tally } = yield* record.tally("football")
    // Without predictions the league is not read, since it may not be loaded.
    const awaited = tally.pending.length === 0 ? [] : tally.pending.filter(isAwaited(yield* games.league))
    const pending = awaited.length
    const voidCount = tally.pending.length - pending
    return give({
      results: {
        model_version,
        trained_at,
        backtest_holdout,
        against_the_spread,
        live: {
          predictions_scored: scored,
          games_pending: pending,
          games_void: voidCount,
          status: describeStatus(scored, pending),
          scores: means,
        },
        inputs,
        attribution,
      },
      explained: explain(
        step(
          `Backtest of model ${model_version} on ${backtest_holdout.games} games on which no constant was chosen.`,
          ...inputs.map(({ name, sha256 }) => cite(name, `sha256:${sha256}`)),
        ),
        `Against the spread: a point of edge was worth ${newestRecord.worth_of_a_point.estimate.toFixed(2)} points of the result in the seasons ${newestRecord.from} to ${newestRecord.to}.`,
        step(
          `Record so far: ${plural(scored, "game")} scored, ${pending} pending, ${voidCount} withdrawn or called off.`,
          cite("track record", "/v1/nfl/performance"),
        ),
      ),
      confidence: recorded(1, `backtest over ${backtest_holdout.games} games`),
    })
  },
})

/** A named type, which keeps the generated .d.ts short. */
export type FootballEndpoints = {
  readonly games: typeof games
  readonly qb: typeof qb
  readonly injuries: typeof injuries
  readonly top100: typeof top100
  readonly fairLine: typeof fairLine
  readonly performance: typeof performance
}
export const endpoints: FootballEndpoints = { games, qb, injuries, top100, fairLine, performance }
