import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { PlatformCrypto } from "../../account/PlatformCrypto.ts"
import * as Cursor from "../../endpoint/Cursor.ts"
import type * as Endpoint from "../../endpoint/Endpoint.ts"
import * as Lane from "../../endpoint/Lane.ts"
import { pathOf } from "../../endpoint/path.ts"
import * as Rounding from "../../endpoint/Rounding.ts"
import { fail } from "../../Failure.ts"
import { Feeds } from "../../feeds/Feeds.ts"
import { ifDefined } from "../../ifDefined.ts"
import { type Pending, TrackRecord } from "../../record/captures/Outcomes.ts"
import * as Step from "../../Step.ts"
import { plural } from "../../text.ts"
import { change, notFound, suggest } from "../answers.ts"
import { recorded } from "../confidence.ts"
import { warmUp } from "../WarmUp.ts"
import { calledOffAfter, easternDay, rosterSeason, seasonOpens } from "./data/calendar.ts"
import { seasonOf } from "./data/Game.ts"
import { inactive } from "./data/reports.ts"
import { codeIn, type Team } from "./data/teams.ts"
import { endpoints, type FootballMethods } from "./endpoints.ts"
import { fairLineOver } from "./fairLineCall.ts"
import { type Gaps, gapsOf, type Wanted } from "./gaps.ts"
import { trained } from "./model/Model.ts"
import * as Ratings from "./model/Ratings.ts"
import {
  Games,
  Injuries,
  type InjuryRow,
  type League,
  Quarterbacks,
  RatingStates,
  type ReserveRow,
  type Reserves,
  Top100,
  type Top100Player,
} from "./ports.ts"
import { quarterbackOver } from "./quarterback.ts"
import { gamesOver } from "./schedule.ts"
import { newestOf, notLoaded, provenanceOf, sourcesOf } from "./summary.ts"

const keys: Cursor.Keys<Top100Player> = { of: ({ rank }) => String(rank).padStart(3, "0"), form: /^\d{3}$/ }

/** The Top 100 endpoint. Its cursor is the last rank of the previous page. */
export const top100Over = (top100: Top100["Type"]): FootballMethods["top100"] =>
  Step.method(function* ({ season: wanted, cursor, limit }) {
    const loaded = yield* top100.seasons
    if (loaded.length === 0) {
      // No feed brings the lists, so that waiting does not help.
      return yield* fail("data_provider_unavailable", {
        detail: "This server has no Top 100 list: no feed brings them, and its operator has loaded none.",
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
    const rest = yield* Step.ofEither(Cursor.rest(list.players, keys, cursor))
    const { page, ...next } = Cursor.pageOf(rest, keys, limit)
    return {
      results: {
        season,
        count: page.length,
        players: page.map(({ rank, player, code, position }) => ({ rank, player_name: player, team: code, position })),
        ...provenanceOf(list),
      },
      reasoning: [
        `List published in ${season} on season ${season - 1}: ${page.length} of ${plural(list.players.length, "row")} on this page.`,
      ],
      citations: [{ step: 1, source: list.source, locator: `/v1/nfl/top100?season=${season}` }],
      confidence: recorded(1, plural(list.players.length, "recorded row")),
      links: [{ id: `top100/${season}`, endpoints: [`/v1/nfl/top100?season=${season}`] }],
      freshness: top100.freshness,
      ...next,
      extras: {
        suggestions: page
          .filter(({ position }) => position === "QB")
          .slice(0, 2)
          .map(({ player }) => suggest("nfl_qb", { player }, `Stat lines of ${player}.`)),
      },
    }
  })

const attribution = "Data: nflverse (github.com/nflverse), CC BY 4.0; schedules and lines: Lee Sharpe, nfldata."

const statusOf = (scored: number, pending: number): string =>
  scored > 0 ? "scoring" : pending > 0 ? "awaiting_results" : "no_predictions"

/** Whether a predicted game can be scored: scheduled, predicted before its current kickoff, final or not yet called off. */
const isAwaited =
  ({ seasons, checkedAt }: League) =>
  ({ subject, firstAt }: Pending): boolean => {
    const season = seasons.find((one) => one.season === seasonOf(subject))
    const record = season?.records.find(({ game }) => game.id === subject)
    if (season === undefined || record === undefined || firstAt >= record.kickoffAt) return false
    return record.game.score !== undefined || checkedAt.get(season.season)! < record.kickoffAt + calledOffAfter
  }

/** The performance endpoint: the backtest from training, and the predictions scored since. */
const performanceOver = (games: Games["Type"], record: TrackRecord["Type"]): FootballMethods["performance"] => {
  const { model_version, trained_at, backtest_holdout, inputs } = trained
  return Step.method(function* () {
    const { scored, means, ...tally } = yield* record.tally("football")
    // Without predictions the league is not read: it may be missing.
    const awaited = tally.pending.length === 0 ? [] : tally.pending.filter(isAwaited(yield* games.league))
    const pending = awaited.length
    const gone = tally.pending.length - pending
    return {
      results: {
        model_version,
        trained_at,
        backtest_holdout,
        live: {
          predictions_scored: scored,
          games_pending: pending,
          games_void: gone,
          status: statusOf(scored, pending),
          scores: means,
        },
        inputs,
        attribution,
      },
      reasoning: [
        `Backtest of model ${model_version} on ${backtest_holdout.games} games on which no constant was chosen.`,
        `Record so far: ${plural(scored, "game")} scored, ${pending} pending, ${gone} withdrawn or called off.`,
      ],
      citations: [
        ...inputs.map(({ name, sha256 }) => ({ step: 1, source: name, locator: `sha256:${sha256}` })),
        { step: 2, source: "track record", locator: endpoints.performance.path },
      ],
      confidence: recorded(1, `backtest over ${backtest_holdout.games} games`),
      links: [],
      freshness: games.freshness,
    }
  })
}

type Results = Endpoint.Results<typeof endpoints.injuries>

/** The first season with reports in the source. */
const firstReported = 2009
/** The first season of the fetched rosters. */
const firstRostered = 2002

const playerOf = ({ player, gsisId, position }: InjuryRow | ReserveRow) => ({
  player,
  ...ifDefined("gsis_id", gsisId),
  ...ifDefined("position", position),
})

const injuredOf = (row: InjuryRow): Results["report"]["players"][number] => ({
  ...playerOf(row),
  week: row.week,
  ...ifDefined("report_status", row.reportStatus),
  ...ifDefined("practice_status", row.practiceStatus),
  ...ifDefined("injury", row.injury),
})

const reserveOf = (row: ReserveRow): Results["reserve_list"]["players"][number] => ({
  ...playerOf(row),
  status: row.status,
  ...ifDefined("designation", row.designation),
})

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
  const idOf = ({ gsisId, player }: InjuryRow | ReserveRow): string => gsisId ?? player
  const absent = new Set(reserves.players.map(idOf))
  return rows
    .filter((row) => row.week === reserves.week && row.reportStatus === "Out" && !absent.has(idOf(row)))
    .map(({ player }) => player)
}

/** By the number of things that an answer lacks. */
const scores = [1, 0.9, 0.8]
const leastScore = 0.5

const flagsOf = (
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

const linksOf = (team: Team) => [
  {
    id: team,
    endpoints: ["injuries", "games", "fair-line"].map((path) => `/v1/nfl/${path}?team=${team}`),
  },
]

/** The steps of an answer. */
const explain = (
  code: string,
  { season, week: wantedWeek }: Pick<Wanted, "season" | "week">,
  week: number | null,
  rows: ReadonlyArray<InjuryRow>,
  reserves: Reserves | undefined,
  listed: number,
) => [
  rows.length > 0
    ? `Read the injuries of ${code}, week ${week} of ${season}: ${plural(rows.length, "player")}.`
    : wantedWeek === undefined
      ? `${code} has no injury report in ${season}; other seasons are not used.`
      : `${code} has no injury report in week ${wantedWeek} of ${season}; other weeks are not used.`,
  reserves === undefined
    ? `There is no roster of ${code} in ${season}${wantedWeek === undefined ? "" : ` up to week ${wantedWeek}`}.`
    : `Read the reserve list from the roster of ${reserves.week === 0 ? `${season} before its first week` : `week ${reserves.week}`}: ${plural(listed, "player")}.`,
]

/** The injuries endpoint. It never fills in from another season or week. */
const injuriesOver = (injuries: Injuries["Type"], feeds: Feeds["Type"]): FootballMethods["injuries"] =>
  Step.method(function* ({ team, season: wantedSeason, week: wantedWeek }) {
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
    const newest = newestOf([...rows, ...(reserves ? [reserves] : [])])
    const flags = flagsOf(rows, reports, rosters, disputed)
    const absent = [
      ...flags.map((flag) => `quality flag ${flag}`),
      ...(reserves === undefined ? [`no roster loaded for ${season}`] : []),
    ]
    const locator = pathOf("/v1/nfl/injuries", { team, season, ...ifDefined("week", wantedWeek) })
    const asOf = reserves === undefined || reserves.week === 0 ? undefined : reserves.week
    return {
      results: {
        team: code,
        season,
        week,
        current_season: current,
        is_current_season: season === current,
        report: {
          count: rows.length,
          by_status: byStatus(rows),
          players: rows.map(injuredOf),
          quality_flags: flags,
        },
        reserve_list: { ...ifDefined("as_of_week", asOf), count: listed.length, players: listed.map(reserveOf) },
        ...(newest === undefined ? {} : provenanceOf(newest)),
      },
      reasoning: [
        ...explain(code, wanted, week, rows, reserves, listed.length),
        ...(reports.late === undefined ? [] : [`${reports.late.detail} Instead: the inactive of the newest roster.`]),
        ...disputed.map((player) => `${player} is reported out and not inactive on the roster of that week.`),
        ...gaps,
      ],
      citations: [
        ...sourcesOf(rows).map((source) => ({ step: 1, source, locator })),
        ...(reserves === undefined ? [] : [{ step: 2, source: reserves.source, locator }]),
      ],
      confidence: recorded(
        reports.late === undefined ? (scores[absent.length] ?? leastScore) : leastScore,
        ...(absent.length === 0
          ? [`${plural(rows.length, "report row")}, ${plural(listed.length, "reserve row")}`]
          : []),
        ...absent,
      ),
      links: linksOf(team),
      freshness: injuries.freshness,
      extras: { suggestions: [suggest("nfl_fair_line", { team }, "Model line of the team's next game.")] },
    }
  })

/** The lane's ports. */
export type FootballPorts = Games | Injuries | Quarterbacks | Top100 | TrackRecord

export class Football extends Context.Tag("market-signals/core/lanes/Football")<Football, FootballMethods>() {
  static readonly lane: Lane.Lane<"football", typeof endpoints, Football> = Lane.make(
    "football",
    endpoints,
    Football,
    "Games, stat lines, injuries and the model's line.",
  )

  /** Answers from the served model. */
  static readonly layer: Layer.Layer<Football, never, Feeds | FootballPorts | PlatformCrypto | RatingStates> =
    Layer.suspend(() => layer)
}

const layer = Layer.scoped(
  Football,
  Effect.gen(function* () {
    const games = yield* Games
    const feeds = yield* Feeds
    const secrets = yield* PlatformCrypto
    const ratings = Ratings.over(games, secrets, yield* RatingStates)
    // After a failure the first call reads the league again and reports the error.
    yield* warmUp(Effect.ignore(Effect.flatMap(games.league, ratings.catchUp)))
    return Football.of(
      Rounding.methods(endpoints, {
        games: gamesOver(games, feeds),
        qb: quarterbackOver(yield* Quarterbacks, feeds),
        injuries: injuriesOver(yield* Injuries, feeds),
        top100: top100Over(yield* Top100),
        fairLine: fairLineOver(games, ratings, feeds),
        performance: performanceOver(games, yield* TrackRecord),
      }),
    )
  }),
)
