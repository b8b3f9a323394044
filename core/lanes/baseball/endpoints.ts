import * as Schema from "effect/Schema"
import * as Cursor from "../../endpoint/Cursor.ts"
import * as Endpoint from "../../endpoint/Endpoint.ts"
import { cite, explain, step, when } from "../../endpoint/explain.ts"
import * as Param from "../../endpoint/Param.ts"
import { change } from "../../Failure.ts"
import { ifDefined } from "../../ifDefined.ts"
import * as Step from "../../Step.ts"
import { capitalize, plural } from "../../text.ts"
import { dayOf } from "../../time.ts"
import { suggest } from "../answers.ts"
import { recorded } from "../confidence.ts"
import { dataTerms, proofTerms } from "../fields.ts"
import { fairOdds } from "./fairOdds.ts"
import { Games, Performance } from "./fields.ts"
import { formatRecord, listGamesOnDay, toListingKey, toSecondStamp } from "./listings.ts"
import { trained } from "./Model.ts"
import { type ListedGame, type ListedSide, type Listings, Slates } from "./ports.ts"

type Row = Games["games"][number]

const toSide = (side: ListedSide): Row["home"] => ({
  team_id: side.teamId,
  name: side.name,
  record: formatRecord(side),
  ...ifDefined("probable_pitcher", side.starter?.name),
  ...ifDefined("probable_pitcher_id", side.starter?.id),
})

const toRow =
  ({ source, fetchedAt }: Listings) =>
  (game: ListedGame): Row => ({
    gamePk: game.gamePk,
    state: game.state,
    venue: game.venue,
    game_date_utc: toSecondStamp(game.firstPitch),
    double_header: game.doubleHeader,
    game_number: game.gameNumber,
    home: toSide(game.home),
    away: toSide(game.away),
    official_date: game.officialDate,
    source,
    fetched_at: toSecondStamp(fetchedAt),
  })

const cursorKeys: Cursor.Keys<ListedGame> = { of: toListingKey, form: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z\/\d{9,}$/ }

/** The day of the National League's first game. */
const firstDay = "1876-04-22"

/** The slate of one UTC day. Its cursor is the first pitch and id of the last game of the previous page. */
export const games = Endpoint.make("/v1/mlb/games", {
  rows: "games",
  ...dataTerms(1_000),
  summary: "MLB games of a UTC day, with probable starters",
  use: "Schedule, scores, starting pitchers. Gives the `game_pk` of `mlb_fair_odds`.",
  example: { date: "2026-07-04" },
  params: Schema.Struct({
    date: Param.optional(Param.day("UTC day of the first pitch, from 1876 to the end of next year; default today.")),
    ...Param.paging,
  }),
  check: ({ date }, _, now) => {
    const last = `${Number(dayOf(now).slice(0, 4)) + 1}-12-31`
    return date === undefined || (date >= firstDay && date <= last)
      ? []
      : [
          change(
            "date",
            `date must be from ${firstDay}, the league's first game, to ${last}: there is no later schedule.`,
          ),
        ]
  },
  results: Games,
  ports: { slates: Slates },
  answer: function* ({ date, cursor, limit }, { slates }, give) {
    const day = date ?? dayOf(yield* Step.now)
    const listings = yield* slates.around(day)
    const slate = listGamesOnDay(listings.games, day)
    const rest = yield* Step.ofEither(Cursor.rest(slate, cursorKeys, cursor))
    const page = limit === undefined ? rest : rest.slice(0, limit)
    const unnamed = page.filter(({ home, away }) => home.starter === undefined || away.starter === undefined).length
    const doubts = [
      ...(listings.unreadable > 0 ? [`${plural(listings.unreadable, "listing")} not parsed`] : []),
      ...(listings.stale ? [`schedule fetched at ${toSecondStamp(listings.fetchedAt)}; a newer fetch failed`] : []),
    ]
    return give({
      results: { date: day, count: page.length, games: page.map(toRow(listings)) },
      explained: explain(
        step(`Games with first pitch on ${day} UTC.`, listings),
        slate.length === 0
          ? "No games listed."
          : `${page.length} of ${plural(slate.length, "game")} on this page, in order of first pitch.`,
        when(unnamed > 0, () => `Starters not announced yet in ${plural(unnamed, "game")}.`),
        ...doubts.map((doubt) => `${capitalize(doubt)}.`),
      ),
      confidence: recorded(
        doubts.length > 0 ? 0.9 : 1,
        ...(doubts.length > 0 ? doubts : [`${plural(listings.games.length, "listing")} parsed`]),
      ),
      links: page.map(({ gamePk }) => ({ id: String(gamePk), endpoints: [`/v1/mlb/fair-odds?game_pk=${gamePk}`] })),
      ...ifDefined("next", page.length < rest.length ? toListingKey(page.at(-1)!) : undefined),
      extras: {
        suggestions: page
          .slice(0, 1)
          .map(({ gamePk, away, home }) =>
            suggest("mlb_fair_odds", { game_pk: gamePk }, `Model win probabilities of ${away.name} at ${home.name}.`),
          ),
      },
    })
  },
})

/** Retrosheet's wording, which its terms require, the licence of the team lines, and the source of the schedule. */
const attribution =
  "The information used here was obtained free of charge from and is copyrighted by Retrosheet. Interested parties may contact Retrosheet at 20 Sunset Rd., Newark, DE 19711. Pitching of teams and pitchers: github.com/chadwickbureau/retrosplits, ODbL 1.0. Schedules, standings and pitching lines of live answers: Copyright MLB Advanced Media, L.P., used under the terms at http://gdx.mlb.com/components/copyright.txt."

const { home_edge, pythagorean, starter_era } = trained.coefficients.at(-1)!

const calibration = trained.backtest.periods.map(({ seasons, calibration: { model } }) => ({
  ...seasons,
  calibration_error: model.ece,
  bins: model.bins.map(({ count, meanProbability, frequency }) => ({
    count,
    mean_probability: meanProbability,
    frequency,
  })),
}))

export const performance = Endpoint.make("/v1/mlb/performance", {
  ...proofTerms,
  summary: "Track record of the baseball fair odds, misses included",
  use: "How accurate `mlb_fair_odds` has been.",
  example: {},
  params: Schema.Struct({}),
  results: Performance,
  ports: { slates: Slates },
  // biome-ignore lint/correctness/useYield: nothing is read
  answer: function* (_, __, give) {
    return give({
      results: {
        model_version: trained.model_version,
        backtest: { overall: trained.backtest.overall },
        calibration,
        trained_at: trained.trained_at,
        coefficients: { home_edge, pythagorean, starter_era },
        attribution,
        inputs: trained.inputs,
      },
      explained: explain(
        step(
          `Backtest figures from the training of model ${trained.model_version}.`,
          cite("training", "/v1/mlb/performance"),
        ),
      ),
      confidence: recorded(1, `backtest over ${trained.backtest.overall.games} games`),
    })
  },
})

/** A named type, which keeps the generated .d.ts short. */
export type BaseballEndpoints = {
  readonly games: typeof games
  readonly fairOdds: typeof fairOdds
  readonly performance: typeof performance
}
export const endpoints: BaseballEndpoints = { games, fairOdds, performance }
