import * as Schema from "effect/Schema"
import * as Cursor from "../../endpoint/Cursor.ts"
import * as Endpoint from "../../endpoint/Endpoint.ts"
import { cite, explain, step } from "../../endpoint/explain.ts"
import * as Param from "../../endpoint/Param.ts"
import { fail } from "../../Failure.ts"
import { type Pending, TrackRecord } from "../../record/captures/Outcomes.ts"
import * as Step from "../../Step.ts"
import { plural } from "../../text.ts"
import { change, notFound, suggest } from "../answers.ts"
import { recorded } from "../confidence.ts"
import { data, freeProof } from "../fields.ts"
import { calledOffAfter, easternYear, notAfter } from "./data/calendar.ts"
import { idSeason } from "./data/Game.ts"
import { fairLine } from "./fairLineCall.ts"
import { Performance, season as seasonFrom, Top100List } from "./fields.ts"
import { injuries } from "./injuries.ts"
import { trained } from "./model/Model.ts"
import { Games, type League, Top100, type Top100Player } from "./ports.ts"
import { qb } from "./quarterback.ts"
import { games } from "./schedule.ts"
import { toProvenance } from "./summary.ts"

const keys: Cursor.Keys<Top100Player> = { of: ({ rank }) => String(rank).padStart(3, "0"), form: /^\d{3}$/ }

/** The annual list voted by the players. The cursor is the last rank of the previous page. */
export const top100 = Endpoint.make("/v1/nfl/top100", {
  rows: "players",
  ...data(1_000),
  summary: "Annual Top 100 list as voted by the players",
  use: "Ranking of the best players of a year.",
  example: { limit: 10 },
  params: Schema.Struct({
    season: seasonFrom(2011, "Year in which the list was published. Default the latest that is loaded."),
    ...Param.paging,
  }),
  check: notAfter(easternYear, ", the current year"),
  results: Top100List,
  ports: { top100: Top100 },
  answer: function* ({ season: wanted, cursor, limit }, { top100 }, give) {
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
    const { page, ...next } = Cursor.takePage(rest, keys, limit)
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

/** Whether a predicted game can be scored: scheduled, predicted before its current kickoff, final or not yet called off. */
const isAwaited =
  ({ seasons, checkedAt }: League) =>
  ({ subject, firstAt }: Pending): boolean => {
    const season = seasons.find((one) => one.season === idSeason(subject))
    const record = season?.records.find(({ game }) => game.id === subject)
    if (season === undefined || record === undefined || firstAt >= record.kickoffAt) return false
    return record.game.score !== undefined || checkedAt.get(season.season)! < record.kickoffAt + calledOffAfter
  }

const { model_version, trained_at, backtest_holdout, against_the_spread, inputs } = trained
const held = against_the_spread[0]!

/** The public track record: the backtest from training, and the predictions scored since. */
export const performance = Endpoint.make("/v1/nfl/performance", {
  ...freeProof,
  summary: "Track record of the football fair line, misses included",
  use: "How accurate `nfl_fair_line` has been.",
  example: {},
  params: Schema.Struct({}),
  results: Performance,
  ports: { games: Games, record: TrackRecord },
  answer: function* (_, { games, record }, give) {
    const { scored, means, ...tally } = yield* record.tally("football")
    // Without predictions the league is not read: it may be missing.
    const awaited = tally.pending.length === 0 ? [] : tally.pending.filter(isAwaited(yield* games.league))
    const pending = awaited.length
    const gone = tally.pending.length - pending
    return give({
      results: {
        model_version,
        trained_at,
        backtest_holdout,
        against_the_spread,
        live: {
          predictions_scored: scored,
          games_pending: pending,
          games_void: gone,
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
        `Against the spread: a point of edge was worth ${held.worth_of_a_point.estimate.toFixed(2)} points of the result in the seasons ${held.from} to ${held.to}.`,
        step(
          `Record so far: ${plural(scored, "game")} scored, ${pending} pending, ${gone} withdrawn or called off.`,
          cite("track record", "/v1/nfl/performance"),
        ),
      ),
      confidence: recorded(1, `backtest over ${backtest_holdout.games} games`),
    })
  },
})

/** By name, so that declarations refer to it. */
export type FootballEndpoints = {
  readonly games: typeof games
  readonly qb: typeof qb
  readonly injuries: typeof injuries
  readonly top100: typeof top100
  readonly fairLine: typeof fairLine
  readonly performance: typeof performance
}
export const endpoints: FootballEndpoints = { games, qb, injuries, top100, fairLine, performance }
