import * as Effect from "effect/Effect"
import { anchoredLaws } from "../../contracts/anchoredLaws.ts"
import type { Distribution, ScoreOutput } from "../../contracts/finalScore.ts"
import type { Confidence, Counterfactual, Extras } from "../../endpoint/Answer.ts"
import * as Endpoint from "../../endpoint/Endpoint.ts"
import { cite, type Explained, explain, step, when } from "../../endpoint/explain.ts"
import { type Failure, fail } from "../../Failure.ts"
import { behind, type Coverage, type Due, gapLines, isBehind } from "../../feeds/Due.ts"
import { Feeds } from "../../feeds/Feeds.ts"
import { ifDefined } from "../../ifDefined.ts"
import * as Step from "../../Step.ts"
import { plural } from "../../text.ts"
import { day, hour, iso } from "../../time.ts"
import { change, notFound, suggest } from "../answers.ts"
import { type Factor, scored, toRecordFactor } from "../confidence.ts"
import { signalTerms } from "../fields.ts"
import { calledOffAfterMs, findGamesSeason } from "./data/calendar.ts"
import { listLackingBefore, nflFeeds } from "./data/coverage.ts"
import { type Game, hideResult, type MarketLines } from "./data/Game.ts"
import type { Team } from "./data/teams.ts"
import { ServedLine } from "./fields.ts"
import type { FairLine } from "./model/fairLine.ts"
import { serializeInputs } from "./model/inputs.ts"
import { findBlend, predict, trained } from "./model/Model.ts"
import { toDistributions, toDrivers, toLine, toOutput } from "./model/output.ts"
import { type RatedLine, ServedRatings } from "./model/Ratings.ts"
import type { RatingState } from "./model/State.ts"
import { checkGameChoice, GameChoice } from "./oneGame.ts"
import { type GameRecord, Games, type League } from "./ports.ts"
import { toGamesPath } from "./schedule.ts"
import { homeWin, toSpan } from "./series.ts"
import { failNotLoaded, listLineFlags, toSite, toSpreadAndTotal, toTeamCodes } from "./summary.ts"

const firstSeason = 1999

/** With an older schedule, which is fetched several times a day, lines of future games fail, as results may be missing. */
const staleAfterMs = 36 * hour
/** A bound above the longest game, milliseconds. */
const maxGameMs = 6 * hour

const plays = (team: Team, { game }: GameRecord): boolean => game.home.team === team || game.away.team === team

/** Counts the games whose final is missing. A game that was called off counts for two weeks. */
const countMissingFinals = ({ seasons }: League, now: number): number =>
  seasons
    .slice(-2)
    .flatMap(({ records }) => records)
    .filter(
      ({ game, kickoffAt }) =>
        game.score === undefined && kickoffAt < now - maxGameMs && kickoffAt > now - calledOffAfterMs,
    ).length

/** The failure for a line of a future game if the schedule is stale; undefined if it is not. */
const failStale = ({ checkedAt }: League, season: number, now: number): Failure | undefined => {
  const checked = checkedAt.get(season)!
  return now - checked > staleAfterMs
    ? fail("data_freshness_stale", {
        detail: `The ${season} schedule was last fetched at ${iso(checked)} (limit ${staleAfterMs / hour} h).`,
        retryAfterMs: 600_000,
      })
    : undefined
}

const findGame = (league: League, { game_id, team, opponent }: GameChoice, now: number): GameRecord | Failure => {
  const current = findGamesSeason(now)
  const findSeason = (wanted: number) => league.seasons.find(({ season }) => season === wanted)
  if (game_id !== undefined) {
    const wantedSeason = Number(game_id.slice(0, 4))
    const season = findSeason(wantedSeason)
    const record = season?.records.find(({ game }) => game.id === game_id)
    if (record !== undefined) return record
    if (season === undefined && wantedSeason >= firstSeason && wantedSeason <= current)
      return failNotLoaded("The games", wantedSeason)
    return notFound(`There is no game ${game_id}.`, change("game_id", "Send a game_id as /v1/nfl/games returns it."))
  }
  if (findSeason(current) === undefined) return failNotLoaded("The games", current)
  const next = league.seasons
    .slice(-2)
    .flatMap(({ records }) => records)
    .filter(
      (record) => record.kickoffAt > now && plays(team!, record) && (opponent === undefined || plays(opponent, record)),
    )
    .reduce<GameRecord | undefined>(
      (first, record) => (first === undefined || record.kickoffAt < first.kickoffAt ? record : first),
      undefined,
    )
  if (next !== undefined) return next
  const old = failStale(league, league.seasons.at(-1)!.season, now)
  if (old !== undefined) return old
  const [field, whom] = opponent === undefined ? ["team", team] : ["opponent", `${team} against ${opponent}`]
  return notFound(
    `${whom} has no scheduled game.`,
    change(field!, "Send a game_id, as returned by /v1/nfl/games, or another team."),
  )
}

export const toEdge = (
  { homeMargin, total }: Pick<FairLine, "homeMargin" | "total">,
  lines: MarketLines,
): ServedLine["prediction"]["edge"] => {
  const spread = lines.spread === undefined ? undefined : homeMargin - lines.spread
  const over = lines.total === undefined ? undefined : total - lines.total
  if (spread === undefined && over === undefined) return undefined
  return {
    ...ifDefined("spread_points", spread),
    ...(spread === undefined || spread === 0 ? {} : { side: spread > 0 ? "home" : "away" }),
    ...ifDefined("total_points", over),
    ...(over === undefined || over === 0 ? {} : { ou: over > 0 ? "over" : "under" }),
  }
}

/** The probabilities of more, of less and of exactly a posted number. */
const splitAt = ({ from, pmf }: Distribution, posted: number) => {
  const sum = (is: (value: number) => boolean) => pmf.reduce((all, p, at) => (is(from + at) ? all + p : all), 0)
  return {
    above: sum((value) => value > posted),
    below: sum((value) => value < posted),
    push: sum((value) => value === posted),
  }
}

export const toPostedProbabilities = (
  { margin_distribution, total_distribution }: Pick<ScoreOutput, "margin_distribution" | "total_distribution">,
  { spread, total }: MarketLines,
): ServedLine["prediction"]["at_posted"] => {
  const margin = spread === undefined ? undefined : splitAt(margin_distribution, spread)
  const points = total === undefined ? undefined : splitAt(total_distribution, total)
  if (margin === undefined && points === undefined) return undefined
  return {
    ...(margin && { home_cover_prob: margin.above, away_cover_prob: margin.below, spread_push_prob: margin.push }),
    ...(points && { over_prob: points.above, under_prob: points.below, total_push_prob: points.push }),
  }
}

const { games: holdoutGames, spread: holdout } = trained.backtest_holdout

/** The model's published record against the closing line. */
const holdoutFactor = toRecordFactor(
  `holdout spread MAE ${holdout.mae_model.toFixed(2)}, closing line ${holdout.mae_market.toFixed(2)} (${plural(holdoutGames, "game")})`,
  holdout.mae_model,
  holdout.mae_market,
)

interface LackingInput {
  readonly flag: string
  readonly text: string
}

const lackingFactor = 0.7

/**
 * Finds the inputs of a game's line that lack periods before the game.
 *
 * @param upcoming the time of the call, for a game to come: it fails if due results are missing
 */
const findLackingInputs = Step.fn(function* (
  { coverage }: Feeds["Type"],
  { season, week }: Game,
  upcoming: number | undefined,
) {
  const results = yield* coverage(nflFeeds.games)
  if (upcoming !== undefined && results !== undefined && isBehind(results)) {
    return yield* behind(nflFeeds.games, results, upcoming)
  }
  const stats = yield* coverage(nflFeeds.team_weeks)
  const lines = (feed: Due, covered: Coverage | undefined, flag: string): ReadonlyArray<LackingInput> =>
    gapLines(feed, listLackingBefore(covered, season, week)).map((text) => ({ flag, text }))
  return [
    ...lines(nflFeeds.games, results, "results_incomplete"),
    ...lines(nflFeeds.team_weeks, stats, "team_stats_incomplete"),
  ]
})

/**
 * A quality score: 0.85 if both teams have played eight games of this season. It falls with fewer games (×0.6 at none), with
 * the days until kickoff (×0.7 half a year ahead), with each starter that is not announced (×0.95), if results of the last 14
 * days are missing (×0.9), with each input that lacks periods before the game (×0.7), and as far as the closing line was
 * better than the model in the holdout. It is not a win probability.
 */
export const scoreConfidence = (
  { formGamesUsed, starters }: Pick<FairLine, "formGamesUsed" | "starters">,
  daysAhead: number,
  missing: number,
  lacking: ReadonlyArray<LackingInput> = [],
): Confidence => {
  const form = Math.min(formGamesUsed.home, formGamesUsed.away)
  const assumed = [starters.home, starters.away].filter((starter) => starter.assumed).length
  const { home, away } = formGamesUsed
  const factors: ReadonlyArray<Factor> = [
    [`games this season: home ${home}, away ${away} (8 for full weight)`, 0.6 + 0.4 * Math.min(1, form / 8)],
    daysAhead > 0
      ? [`kickoff in ${plural(Math.ceil(daysAhead), "day")}`, 1 - 0.3 * Math.min(1, daysAhead / 180)]
      : ["kicked off: state before kickoff"],
    ...(assumed > 0
      ? [[`${plural(assumed, "starting quarterback")} not announced, last starter assumed`, 0.95 ** assumed] as const]
      : []),
    ...(missing > 0 ? [[`${plural(missing, "result")} of the last 14 days missing`, 0.9] as const] : []),
    ...lacking.map(({ text }): Factor => [text, lackingFactor]),
    holdoutFactor,
  ]
  return scored("reasoned", 0.85, factors)
}

const summarizeGame = (record: GameRecord): ServedLine["game"] => {
  const { id, season, week, gameday } = record.game
  return { game_id: id, season, week, gameday, ...toTeamCodes(record), ...toSite(record) }
}

/** The margins of the two members of the blend, as alternatives. */
const listMembers = ({ members: { kalman, elo } }: RatedLine["line"], season: number) => {
  const link = findBlend(season)
  const all = link.kalman + link.elo
  return [
    { id: "kalman", margin: kalman, weight: link.kalman / all, label: "The points filter alone" },
    { id: "elo", margin: elo, weight: link.elo / all, label: "Elo alone" },
  ].map(({ id, margin, weight, label }) => ({
    id,
    label: `${label}: home margin ${margin.toFixed(1)}`,
    score: weight,
    why: "A member of the blend; the score is its share of the weights.",
  }))
}

/** The market-anchored distributions of a line, each by the venue's contracts on it. */
const anchorLaws = (line: RatedLine["line"], season: number) => {
  const { margin_distribution, total_distribution } = toDistributions(line, season)
  return anchoredLaws(
    [["margin", margin_distribution] as const, ["total", total_distribution] as const].map(([of, { from, pmf }]) => ({
      of,
      law: { first: from, pmf: Float64Array.from(pmf) },
      span: (contract) => toSpan(contract, of),
    })),
  )
}

const explainLine = (
  { game_id, team, opponent }: GameChoice,
  { game: { id, home, away }, lines, source }: GameRecord,
  { line, through }: RatedLine,
  { market, edge }: ServedLine["prediction"],
  retrospective: boolean,
  listed: string | undefined,
  unrecorded: string,
): Explained =>
  explain(
    step(
      game_id === undefined
        ? `Next game of ${team}${opponent === undefined ? "" : ` against ${opponent}`} not yet kicked off: ${id}.`
        : `Read game ${id} from the schedule.`,
      cite(source, id),
    ),
    through === ""
      ? "No earlier games: all teams have equal ratings."
      : step(
          `Rated both teams on all results through ${through}${retrospective ? ", the last gameday before this game" : ""}.`,
          cite(source, toGamesPath({ season: findGamesSeason(Date.parse(through) + day / 2) })),
        ),
    `Model ${trained.model_version}: expected margin ${home.code} − ${away.code} is ${line.homeMargin.toFixed(1)} points, sigma ${line.sigmaMargin.toFixed(1)}.`,
    market === undefined
      ? "No posted line: edge omitted."
      : step(
          `Posted: spread_line ${lines.spread ?? "none"}, total ${lines.total ?? "none"}${edge?.spread_points === undefined ? "" : `; edge ${edge.spread_points.toFixed(1)} points`}.`,
          cite(source, listed ?? id),
        ),
    when(unrecorded !== "", () => `${unrecorded} The line is computed without them and not recorded.`),
  )

/** The line if the game were at a neutral site or, if it is, if it were not. */
const makeCounterfactual = (game: Game, line: RatedLine["line"], state: RatingState): Counterfactual => {
  const moved = predict(state, { ...hideResult(game), neutral: !game.neutral })
  return {
    input: "neutral_site",
    from: Number(game.neutral),
    to: Number(!game.neutral),
    result: toLine(moved),
    delta: { home_margin: moved.homeMargin - line.homeMargin, win_prob_home: moved.winProbHome - line.winProbHome },
  }
}

const makeExtras = (game: Game, line: RatedLine["line"], state: Effect.Effect<RatingState>): Extras => ({
  anchored: (contracts, weight) => anchorLaws(line, game.season)(contracts, weight),
  alternatives: Effect.sync(() => listMembers(line, game.season)),
  counterfactual: Effect.map(state, (before) => makeCounterfactual(game, line, before)),
  suggestions: [
    suggest("nfl_injuries", { team: game.home.team }, `Injury report of ${game.home.code}.`),
    suggest("nfl_injuries", { team: game.away.team }, `Injury report of ${game.away.code}.`),
    suggest("nfl_performance", {}, "Track record of these lines, misses included."),
  ],
})

/** The model's line beside the market's. Lines of future games can be recorded. */
export const fairLine = Endpoint.make("/v1/nfl/fair-line", {
  ...signalTerms,
  summary: "Model spread, total and win probability of a game, compared with the posted line",
  use: "Who is favoured, by how many points, against the bookmaker. Ids: `nfl_games`; a team alone is enough.",
  example: { team: "KC" },
  params: GameChoice,
  check: checkGameChoice,
  results: ServedLine,
  ports: { games: Games, ratings: ServedRatings, feeds: Feeds },
  answer: function* (params, { games, ratings, feeds }, give) {
    const now = yield* Step.now
    const league = yield* games.league
    const record = findGame(league, params, now)
    if ("code" in record) return yield* record
    const { game, lines, kickoffAt } = record
    const retrospective = now >= kickoffAt
    const staleFailure = retrospective ? undefined : failStale(league, game.season, now)
    if (staleFailure !== undefined) return yield* staleFailure
    const lacking = yield* findLackingInputs(feeds, game, retrospective ? undefined : now)
    const rated = yield* ratings.line(league, record)
    const { line, inputs, inputsHash } = rated
    const fairLineNumbers = toLine(line)
    const laws = toDistributions(line, game.season)
    const market = toSpreadAndTotal(lines)
    const edge = toEdge({ homeMargin: fairLineNumbers.home_margin, total: fairLineNumbers.total }, lines)
    const flags = [...listLineFlags(lines), ...lacking.map(({ flag }) => flag)]
    const { season, week, home } = game
    // /v1/nfl/games does not accept a season that has not begun.
    const listed = season > findGamesSeason(now) ? undefined : toGamesPath({ season, week, team: home.team })
    const missing = retrospective ? 0 : countMissingFinals(league, now)
    const answer: ServedLine = {
      game: summarizeGame(record),
      prediction: {
        model_version: trained.model_version,
        fair_line: fairLineNumbers,
        ...laws,
        ...ifDefined("market", market),
        ...ifDefined("edge", edge),
        ...ifDefined("at_posted", toPostedProbabilities(laws, lines)),
        drivers: toDrivers(line),
        as_of: iso(Math.min(now, kickoffAt)),
        inputs_hash: inputsHash,
        quality_flags: flags,
      },
      form_games_used: line.formGamesUsed,
      retrospective,
      recorded_to_track_record: false,
    }
    const unrecorded = lacking.map(({ text }) => text).join(" ")
    return give({
      results: answer,
      explained: explainLine(params, record, rated, answer.prediction, retrospective, listed, unrecorded),
      confidence: scoreConfidence(line, (kickoffAt - now) / day, missing, lacking),
      links: [
        { id: game.id, endpoints: [`/v1/nfl/fair-line?game_id=${game.id}`, ...(listed === undefined ? [] : [listed])] },
      ],
      ...(retrospective || unrecorded !== ""
        ? ifDefined("unrecorded", unrecorded === "" ? undefined : unrecorded)
        : {
            record: {
              subject: { _tag: "Game", id: game.id },
              modelVersion: trained.model_version,
              at: now,
              params,
              output: () => toOutput(line, game.season),
              market: lines as Readonly<Record<string, unknown>>,
              inputs: serializeInputs(inputs),
              closeTime: kickoffAt,
              once: true,
              recorded: () => ({ ...answer, recorded_to_track_record: true }),
            },
          }),
      beside: (contracts, weight) => homeWin(contracts, toOutput(line, game.season).win_prob_home, weight),
      extras: makeExtras(game, line, ratings.stateBefore(league, record)),
    })
  },
})
