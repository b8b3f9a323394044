import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Endpoint from "../../endpoint/Endpoint.ts"
import * as Param from "../../endpoint/Param.ts"
import { rounded } from "../../endpoint/Rounding.ts"
import { type Failure, fail } from "../../Failure.ts"
import { ifDefined } from "../../ifDefined.ts"
import { toInputs } from "../../record/captures/RecordInputs.ts"
import * as Step from "../../Step.ts"
import { day, dayOf, minute } from "../../time.ts"
import { change, notFound } from "../answers.ts"
import { signalTerms } from "../fields.ts"
import {
  explainOdds,
  type FairOddsData,
  listFlags,
  makeExtras,
  scoreConfidence,
  whyUnrecorded,
} from "./fairOddsReasoning.ts"
import { FairOdds } from "./fields.ts"
import { carryEarlierSeasons, computeLeagueEra, noGames, sumLeague } from "./lines.ts"
import { formatRecord, hasBegun, pickListing, toSecondStamp } from "./listings.ts"
import { findCoefficients, trained } from "./Model.ts"
import { parameters } from "./parameters.ts"
import { type ListedGame, type ListedSide, type PitcherLines, PitchingLines, SeasonLines, Slates } from "./ports.ts"
import { homeWin } from "./series.ts"
import { makeStackReader } from "./skill/servedLineUps.ts"
import { homeWinProbability, listDrivers } from "./skill/stack.ts"
import { type Coefficients, computePythagorean, type Inputs, type Matchup, makeInputs } from "./winProbability.ts"

/** The part of a signal that is scored, as served. */
export const toOutput = (win_prob_home: number) =>
  rounded({ results: FairOdds }, { prediction: { win_prob_home } }).prediction

type RawSide = NonNullable<FairOdds["prediction"]["raw"]>["home"]

const failUnknownGame = (gamePk: number): Failure =>
  notFound(`No game has gamePk ${gamePk}.`, change("game_pk", "Use a `gamePk` as listed by /v1/mlb/games."))

const upstreamFailure = (detail: string): Failure => fail("upstream_unavailable", { detail, retryAfterMs: minute })

const earlierDay = (a: string, b: string): string => [a, b].sort()[0]!

/**
 * The most games that a team can have played before the day of the game: its record includes the game itself once that is
 * over, and may be a minute older than the lines.
 */
const toMaxGames = ({ wins, losses }: ListedSide, { phase }: ListedGame): number =>
  wins + losses + (phase === "over" ? -1 : 1)

/** Whether the lines have more games than a team's record, so that they are from a later day than requested. */
const areLinesLater = ({ game, teams }: FairOddsData): boolean =>
  game.type === "R" &&
  [game.home, game.away].some((side) => (teams.lines.get(side.teamId) ?? noGames).games > toMaxGames(side, game))

const toMatchup = ({ game, teams, last, home, away }: FairOddsData): Matchup => {
  const findTeam = ({ teamId }: ListedSide) => ({
    season: teams.lines.get(teamId) ?? noGames,
    last: last.lines.get(teamId),
  })
  const starterLine = (lines: PitcherLines | undefined) =>
    lines && { season: lines.season, carried: carryEarlierSeasons(game.season, lines.earlier, parameters) }
  return {
    home: findTeam(game.home),
    away: findTeam(game.away),
    homeStarter: starterLine(home),
    awayStarter: starterLine(away),
    neutral: game.neutral,
    leagueEra: computeLeagueEra(
      sumLeague(teams.lines.values(), parameters),
      sumLeague(last.lines.values(), parameters),
      parameters,
    ),
  }
}

/** A starter's earned runs per nine innings this season; undefined before his first inning. */
const toEra = (starter: Matchup["homeStarter"]): number | undefined =>
  starter === undefined || starter.season.innings === 0
    ? undefined
    : (9 * starter.season.earnedRuns) / starter.season.innings

const toRawSide = (team: Matchup["home"], starter: Matchup["homeStarter"]): RawSide => ({
  runs: team.season.scored,
  runs_allowed: team.season.allowed,
  ...ifDefined("last_season_pyth", team.last && computePythagorean(team.last, parameters)),
  ...ifDefined("starter_innings", starter?.season.innings),
  ...ifDefined("starter_earned_runs", starter?.season.earnedRuns),
  ...ifDefined("starter_carried_innings", starter?.carried.innings),
  ...ifDefined("starter_carried_earned_runs", starter?.carried.earnedRuns),
})

const toShownSide = (side: ListedSide): FairOdds["game"]["home"] => ({
  name: side.name,
  record: formatRecord(side),
  ...ifDefined("probable_pitcher", side.starter?.name),
})

const makePrediction = (
  { game, before, teams, stacked, lineUps }: FairOddsData,
  { home, away, homeStarter, awayStarter, leagueEra }: Matchup,
  coefficients: Coefficients,
  inputs: Inputs,
  flags: ReadonlyArray<string>,
): FairOdds["prediction"] => {
  const drivers = listDrivers(inputs, coefficients, leagueEra, stacked)
  const winHome = homeWinProbability(drivers)
  return {
    model_version: trained.model_version,
    win_prob_home: winHome,
    win_prob_away: 1 - winHome,
    inputs: {
      ...inputs,
      ...ifDefined("home_starter_era_raw", toEra(homeStarter)),
      ...ifDefined("away_starter_era_raw", toEra(awayStarter)),
    },
    drivers: [...drivers].sort((a, b) => Math.abs(b.log_odds) - Math.abs(a.log_odds)),
    as_of: toSecondStamp(Math.min(teams.fetchedAt, game.firstPitch)),
    coefficients: {
      pythagorean: coefficients.pythagorean,
      starter_era: coefficients.starter_era,
      league_era: leagueEra,
      ...ifDefined("skill", stacked?.coefficients),
      ...ifDefined("line_up", stacked?.lineUp?.coefficients),
    },
    line_up: {
      used: stacked?.lineUp !== undefined,
      ...("reason" in lineUps ? { reason: lineUps.reason } : { difference: lineUps.difference }),
    },
    ...ifDefined("skills", stacked?.terms),
    raw: { before, home: toRawSide(home, homeStarter), away: toRawSide(away, awayStarter) },
    quality_flags: flags,
  }
}

const servedStack = Effect.zipWith(Slates, SeasonLines, makeStackReader)

const toGame = ({ gamePk, state, venue, home, away }: ListedGame): FairOdds["game"] => ({
  gamePk,
  state,
  venue,
  home: toShownSide(home),
  away: toShownSide(away),
})

const toGameLinks = ({ gamePk, firstPitch }: ListedGame) => [
  {
    id: String(gamePk),
    endpoints: [`/v1/mlb/fair-odds?game_pk=${gamePk}`, `/v1/mlb/games?date=${dayOf(firstPitch)}`],
  },
]

export const fairOdds = Endpoint.make("/v1/mlb/fair-odds", {
  ...signalTerms,
  summary: "Model win probability of a baseball game with all inputs exposed",
  use: "Who will win and how likely. Ids: `mlb_games`.",
  example: { game_pk: 777001 },
  params: Schema.Struct({ game_pk: Param.integer(1, 999_999_999, "`gamePk` as listed by `/v1/mlb/games`.") }),
  results: FairOdds,
  ports: { slates: Slates, lines: SeasonLines, pitching: PitchingLines, readStack: servedStack },
  answer: function* ({ game_pk }, { slates, lines, pitching, readStack: servedStack }, give) {
    const listings = yield* slates.of(game_pk)
    const game = pickListing(listings.games)
    if (game === undefined) {
      return yield* listings.unreadable > 0
        ? upstreamFailure(`The league's listing of game ${game_pk} could not be parsed.`)
        : failUnknownGame(game_pk)
    }
    const now = yield* Step.now
    const before = earlierDay(game.officialDate, dayOf(now + day))
    const readStarter = ({ starter: named }: ListedSide) =>
      named === undefined ? Effect.succeed(undefined) : lines.pitcher(named.id, game.season, before)
    const [teams, last, home, away, pitched] = yield* Step.all([
      lines.teams(game.season, before),
      lines.teams(game.season - 1),
      readStarter(game.home),
      readStarter(game.away),
      pitching.until(game.season, before),
    ])
    const data = { game, before, teams, last, home, away, pitched }
    const oddsData: FairOddsData = { ...data, ...(yield* servedStack(data)) }
    if (areLinesLater(oddsData)) return yield* upstreamFailure(`The source returned standings later than ${before}.`)

    const matchup = toMatchup(oddsData)
    const coefficients = findCoefficients(game.season)
    const inputs = makeInputs(matchup, coefficients, parameters)
    const isBegun = hasBegun(game, now)
    const flags = listFlags(oddsData, listings)
    const unrecorded = whyUnrecorded(flags)
    const prediction = makePrediction(oddsData, matchup, coefficients, inputs, flags)
    const { win_prob_home: winHome, raw } = prediction
    const results: FairOdds = { game: toGame(game), prediction, ledger: { snapshots_recorded: 0 } }
    return give({
      results,
      explained: explainOdds(
        oddsData,
        listings,
        { ...inputs, league_era: matchup.leagueEra, win_prob_home: winHome },
        isBegun,
      ),
      confidence: scoreConfidence(oddsData, flags, now),
      links: toGameLinks(game),
      ...ifDefined("unrecorded", unrecorded),
      ...(isBegun || game.phase === "off" || unrecorded !== undefined
        ? {}
        : {
            record: {
              subject: { _tag: "Game", id: String(game_pk) },
              modelVersion: trained.model_version,
              at: now,
              params: { game_pk },
              output: () => toOutput(winHome),
              inputs: toInputs({
                game,
                inputs,
                raw,
                league_era: matchup.leagueEra,
                ...ifDefined("skills", oddsData.stacked?.terms),
                ...ifDefined("line_up", oddsData.stacked?.lineUp?.difference),
              }),
              closeTime: game.firstPitch,
              recorded: (contracts: number) => ({ ...results, ledger: { snapshots_recorded: contracts } }),
            },
          }),
      beside: (contracts, weight) => homeWin(contracts, toOutput(winHome).win_prob_home, weight),
      extras: makeExtras(oddsData, inputs, coefficients, matchup.leagueEra),
    })
  },
})
