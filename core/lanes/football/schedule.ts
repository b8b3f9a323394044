import * as Schema from "effect/Schema"
import * as Cursor from "../../endpoint/Cursor.ts"
import * as Endpoint from "../../endpoint/Endpoint.ts"
import { cite, explain, step } from "../../endpoint/explain.ts"
import * as Param from "../../endpoint/Param.ts"
import { fillPath, type QueryParams } from "../../endpoint/path.ts"
import { Feeds } from "../../feeds/Feeds.ts"
import { ifDefined } from "../../ifDefined.ts"
import * as Step from "../../Step.ts"
import { plural } from "../../text.ts"
import { change, suggest } from "../answers.ts"
import { recorded } from "../confidence.ts"
import { dataTerms } from "../fields.ts"
import { checkSeasonAndWeek, findGamesSeason } from "./data/calendar.ts"
import {
  currentSeasonWords,
  GameList,
  seasonParam as seasonFrom,
  teamParam as teamOf,
  weekParam as weekOf,
} from "./fields.ts"
import { readGaps } from "./gaps.ts"
import { type GameRecord, Games } from "./ports.ts"
import {
  failNotLoaded,
  listLineFlags,
  listSources,
  toPostedLines,
  toProvenance,
  toSite,
  toTeamCodes,
} from "./summary.ts"

type Row = GameList["games"][number]

export const toGamesPath = (params: QueryParams): string => fillPath("/v1/nfl/games", params)

const toRow = (record: GameRecord): Row => {
  const { game, lines } = record
  const { id, season, week, type, gameday, kickoff, home, away, score } = game
  return {
    game_id: id,
    season,
    week,
    game_type: type,
    gameday,
    ...ifDefined("kickoff_local", kickoff),
    ...toTeamCodes(record),
    home_score: score?.home ?? null,
    away_score: score?.away ?? null,
    result: score === undefined ? null : score.home - score.away,
    total: score === undefined ? null : score.home + score.away,
    ...ifDefined("market", toPostedLines(lines)),
    rest: { home: home.rest, away: away.rest },
    ...toSite(record),
    ...toProvenance(record),
    quality_flags: listLineFlags(lines),
  }
}

const toSortKey = ({ game, kickoffAt }: GameRecord): string => `${String(kickoffAt).padStart(15, "0")} ${game.id}`

const cursorKeys: Cursor.Keys<GameRecord> = { of: toSortKey, form: /^\d{15} \d{4}_\d{2}_[A-Z]{2,3}_[A-Z]{2,3}$/ }

/** Schedule, results and consensus lines. The cursor is the kickoff and id of the last game of the previous page. */
export const games = Endpoint.make("/v1/nfl/games", {
  rows: "games",
  ...dataTerms(1_000),
  summary: "Football games with results and consensus lines since 1999",
  use: "Schedule, scores, bookmakers' spread and total. Gives the `game_id` of `nfl_fair_line`.",
  example: { season: 2025, week: 11 },
  params: Schema.Struct({
    season: seasonFrom(1999, "Default current season."),
    week: weekOf,
    team: Param.optional(teamOf("Team code: its games, home and away.")),
    ...Param.paging,
  }),
  check: checkSeasonAndWeek(findGamesSeason, currentSeasonWords),
  results: GameList,
  ports: { games: Games, feeds: Feeds },
  answer: function* ({ season: wanted, week, team, cursor, limit }, { games, feeds }, give) {
    const now = yield* Step.now
    const season = wanted ?? findGamesSeason(now)
    const loaded = yield* games.season(season)
    if (loaded === undefined) return yield* failNotLoaded("The games", season)
    const instead = change("week", "Choose a week whose results are loaded.")
    const gaps = yield* readGaps(feeds, "games", { season, week, instead }, now)
    if (gaps.late !== undefined) return yield* gaps.late
    const listed = loaded.records.filter(
      ({ game }) =>
        (week === undefined || game.week === week) &&
        (team === undefined || game.home.team === team || game.away.team === team),
    )
    const rest = yield* Step.ofEither(Cursor.rest(listed, cursorKeys, cursor))
    if (listed.length === 0 && gaps.refusal !== undefined) return yield* gaps.refusal
    const { page, ...next } = Cursor.takePage(rest, cursorKeys, limit)
    const rows = page.map(toRow)
    const flagged = rows.filter(({ quality_flags }) => (quality_flags ?? []).length > 0).length
    const finals = page.filter(({ game }) => game.score !== undefined).length
    const filters = [...(week === undefined ? [] : [`week ${week}`]), ...(team === undefined ? [] : [team])]
    const locator = toGamesPath({ season, ...ifDefined("week", week), ...ifDefined("team", team) })
    return give({
      results: { count: rows.length, games: rows },
      explained: explain(
        step(
          `Read the games of season ${[season, ...filters].join(", ")} from the schedule.`,
          ...listSources(page).map((source) => cite(source, locator)),
        ),
        `${finals} of the ${plural(rows.length, "game")} on this page ${finals === 1 ? "is" : "are"} final.`,
        ...gaps.lines,
      ),
      confidence: recorded(
        flagged === 0 && gaps.lines.length === 0 ? 1 : 0.9,
        plural(rows.length, "recorded game"),
        ...gaps.lines,
        ...(flagged === 0 ? [] : [`quality flag line_sign_conflict on ${plural(flagged, "game")}`]),
      ),
      links: page.map(({ game: { id } }) => ({ id, endpoints: [`/v1/nfl/fair-line?game_id=${id}`] })),
      ...next,
      extras: {
        suggestions: [
          ...page
            .slice(-1)
            .map(({ game: { id } }) =>
              suggest("nfl_fair_line", { game_id: id }, "Model line of the last game on this page."),
            ),
          suggest("nfl_performance", {}, "Track record of the model's lines, misses included."),
        ],
      },
    })
  },
})
