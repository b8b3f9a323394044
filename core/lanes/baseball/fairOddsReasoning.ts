import * as Effect from "effect/Effect"
import type { Confidence, Extras } from "../../endpoint/Answer.ts"
import { type Explained, explain, type Sentence, step, when } from "../../endpoint/explain.ts"
import { plural } from "../../text.ts"
import { day, dayOf } from "../../time.ts"
import { suggest } from "../answers.ts"
import { type Factor, scored, toFlagFactor, toRecordFactor } from "../confidence.ts"
import { toSecondStamp } from "./listings.ts"
import { trained } from "./Model.ts"
import { parameters } from "./parameters.ts"
import type { ListedGame, ListedSide, Listings, PitchedGames, PitcherLines, Sourced, TeamLines } from "./ports.ts"
import { countLackingLines } from "./skill/served.ts"
import type { ServedLineUps } from "./skill/servedLineUps.ts"
import { homeWinProbability, listDrivers, type Stacked } from "./skill/stack.ts"
import type { Coefficients, Inputs } from "./winProbability.ts"

/** The ports' answers about one game. */
export interface FairOddsData {
  readonly game: ListedGame
  /** The lines cover games before this day. */
  readonly before: string
  readonly teams: TeamLines
  readonly last: TeamLines
  readonly home: PitcherLines | undefined
  readonly away: PitcherLines | undefined
  readonly pitched: PitchedGames
  /** Undefined without skills: the probability is that from runs alone. */
  readonly stacked: Stacked | undefined
  readonly lineUps: ServedLineUps
}

/** The types of games that the model was fitted on: the regular season and its playoffs. */
const seasonTypes = /^[RFDLW]$/

/** A team's record may be ahead of its runs by this many games: those of the day, and one that is just over. */
const maxGamesAhead = 3

/** The teams whose runs cover far fewer games than their records, so that the sources contradict each other. */
const findDisagreeing = ({ game, teams }: FairOddsData): ReadonlyArray<ListedSide> =>
  game.type !== "R"
    ? []
    : [game.home, game.away].filter(
        ({ teamId, wins, losses }) => wins + losses - (teams.lines.get(teamId)?.games ?? 0) > maxGamesAhead,
      )

const lackingFlags: ReadonlyArray<string> = [
  "last_good",
  "line_up_refused",
  "line_up_unavailable",
  "no_season_line",
  "no_skills",
  "source_disagreement",
]

/** Why a signal with some flags is not recorded; undefined if it is. */
export const whyUnrecorded = (flags: ReadonlyArray<string>): string | undefined => {
  const lacking = flags.filter((flag) => lackingFlags.includes(flag))
  return lacking.length === 0 ? undefined : `The model lacks an input, or has a doubtful one: ${lacking.join(", ")}.`
}

export const listFlags = (data: FairOddsData, listings: Listings): ReadonlyArray<string> => {
  const { game, teams, last, home, away, pitched, lineUps } = data
  const hasLine = (id: number) => teams.lines.has(id) || last.lines.has(id)
  const sources: ReadonlyArray<Sourced | undefined> = [
    listings,
    teams,
    last,
    home,
    away,
    pitched,
    ...("sources" in lineUps ? lineUps.sources : []),
  ]
  return [
    ...(game.away.starter === undefined ? ["away_starter_unknown"] : []),
    ...(game.home.starter === undefined ? ["home_starter_unknown"] : []),
    ...(sources.some((sourced) => sourced?.stale) ? ["last_good"] : []),
    ...("flag" in lineUps && lineUps.flag !== undefined ? [lineUps.flag] : []),
    ...(game.neutral ? ["neutral_site"] : []),
    ...(hasLine(game.home.teamId) && hasLine(game.away.teamId) ? [] : ["no_season_line"]),
    ...(data.stacked === undefined ? ["no_skills"] : []),
    ...(findDisagreeing(data).length === 0 ? [] : ["source_disagreement"]),
    ...(seasonTypes.test(game.type) ? [] : ["not_a_season_game"]),
    ...(game.phase === "off" ? ["not_played_as_listed"] : []),
  ]
}

const describeStarter = (side: "home" | "away", name: string, era: number): string =>
  `ERA of ${name} (${side} starter), shrunk to its prior of ${parameters.starter.priorInnings} innings: ${era.toFixed(2)}.`

const whyNoSkills = (data: FairOddsData): string => {
  const { season } = trained.skill.states
  return data.game.season <= season
    ? `the model has already learned from season ${season}`
    : `${plural(countLackingLines(data), "game")} of the season lack pitching lines`
}

export const explainOdds = (
  data: FairOddsData,
  listings: Listings,
  inputs: Inputs & { readonly league_era: number; readonly win_prob_home: number },
  isBegun: boolean,
): Explained => {
  const { game, before, teams, last, home, away, pitched, stacked, lineUps } = data
  const starter = (side: "home" | "away", lines: PitcherLines | undefined, era: number | undefined): Sentence => {
    const named = game[side].starter
    return named === undefined || lines === undefined || era === undefined
      ? `No starter announced for ${game[side].name}: league-mean ERA ${inputs.league_era.toFixed(2)} used.`
      : step(describeStarter(side, named.name, era), lines)
  }
  return explain(
    step(
      `Found ${game.away.name} at ${game.home.name}, first pitch ${toSecondStamp(game.firstPitch)}, ${game.state}.`,
      listings,
    ),
    step(
      `Used runs scored and allowed in ${game.season} before ${before} (home ${inputs.home_games}, away ${inputs.away_games} games) and in last season.`,
      teams,
      last,
    ),
    `Pythagorean expectation, shrunk to a prior of ${parameters.pythagorean.priorGames} games (half of last season's distance from .5): home ${inputs.home_pyth.toFixed(4)}, away ${inputs.away_pyth.toFixed(4)}.`,
    starter("home", home, inputs.home_starter_era),
    starter("away", away, inputs.away_starter_era),
    stacked === undefined
      ? `No skills: ${whyNoSkills(data)}. The probability is from runs and earned runs alone.`
      : step(
          `Skills of starters, bullpens and bats, per batter faced relative to the league, from the pitching in ${plural(pitched.games.length, "game")} before ${before}: strikeouts minus walks, and hits and walks by linear weights.`,
          pitched,
        ),
    "sources" in lineUps
      ? step(
          `Posted line-ups, projected from their batters' last seasons and compared with those of the team's last games: home minus away, ${(1_000 * lineUps.difference).toFixed(1)} runs per 1,000 plate appearances.`,
          ...lineUps.sources,
        )
      : `No line-ups used. ${lineUps.reason}.`,
    when(game.neutral, () => "No home edge: the game is not in the home team's park."),
    `Model ${trained.model_version} (no market input): home win probability ${inputs.win_prob_home.toFixed(4)}.`,
    ...findDisagreeing(data).map(({ name, teamId, wins, losses }) => {
      const games = plural(teams.lines.get(teamId)?.games ?? 0, "game")
      return step(
        `${name} has a record of ${wins + losses} games but runs for ${games}: not recorded.`,
        listings,
        teams,
      )
    }),
    when(isBegun, () => "Game started: inputs are as of first pitch; not recorded."),
  )
}

const { games: backtestGames, brier_model, brier_market } = trained.backtest.overall

/** The model's published record against the market's close. */
const backtestFactor = toRecordFactor(
  `backtest Brier ${brier_model.toFixed(4)}, market close ${brier_market.toFixed(4)} (${plural(backtestGames, "game")})`,
  brier_model,
  brier_market,
)

/**
 * A quality score: 0.9 if both teams have played 65 games, the weight of the prior. ×0.6 on opening day, ×0.9 for each
 * unknown starter, ×0.95 for each day until the first pitch (at least ×0.7), ×0.8 with quality flags, and lower as far as
 * the market's close was better than the model in the backtest. It is not a probability of being right.
 */
export const scoreConfidence = (
  { game, teams }: FairOddsData,
  flags: ReadonlyArray<string>,
  now: number,
): Confidence => {
  const games = Math.min(...[game.home, game.away].map(({ teamId }) => teams.lines.get(teamId)?.games ?? 0))
  const days = Math.max(0, (game.firstPitch - now) / day)
  const unknown = flags.filter((flag) => flag.endsWith("_starter_unknown")).length
  const penaltyFlags = flags.filter((flag) => flag !== "neutral_site" && !flag.endsWith("_starter_unknown"))
  const full = parameters.pythagorean.priorGames
  const factors: ReadonlyArray<Factor> = [
    [`${games} games played by the team with fewer (${full} for full weight)`, 0.6 + 0.4 * Math.min(1, games / full)],
    [`${2 - unknown} of 2 starters announced`, 0.9 ** unknown],
    days > 0
      ? [`first pitch in ${days.toFixed(1)} days`, Math.max(0.7, 0.95 ** days)]
      : ["past the scheduled first pitch"],
    ...toFlagFactor(penaltyFlags, 0.8),
    backtestFactor,
  ]
  return scored("reasoned", 0.9, factors)
}

/** The inputs without the home edge or, at a neutral site, with it. */
const moveGround = (inputs: Inputs, coefficients: Coefficients): Inputs => ({
  ...inputs,
  home_edge: inputs.home_edge === 0 ? coefficients.home_edge : 0,
})

const dropStarters = ({ home_starter_era: _home, away_starter_era: _away, ...inputs }: Inputs): Inputs => inputs

const neutralizeStarters = ({ terms: { kbb, lw }, ...rest }: Stacked): Stacked => ({
  ...rest,
  terms: { kbb: { ...kbb, starter: 0 }, lw: { ...lw, starter: 0 } },
})

export const makeExtras = (
  { game, stacked }: FairOddsData,
  inputs: Inputs,
  coefficients: Coefficients,
  leagueEra: number,
): Extras => {
  const win = (some: Inputs, skills = stacked): number =>
    homeWinProbability(listDrivers(some, coefficients, leagueEra, skills))
  return {
    alternatives: Effect.sync(() => [
      {
        id: "teams-alone",
        label: `Home win probability ${win(dropStarters(inputs), stacked && neutralizeStarters(stacked)).toFixed(4)} from the teams alone`,
        score: 0,
        why: "The same model with league-average starters on both sides.",
      },
    ]),
    counterfactual: Effect.sync(() => {
      const other = moveGround(inputs, coefficients)
      const result = win(other)
      return {
        input: "home_edge",
        from: inputs.home_edge,
        to: other.home_edge,
        result: { win_prob_home: result, win_prob_away: 1 - result },
        delta: { win_prob_home: result - win(inputs) },
      }
    }),
    suggestions: [
      suggest("mlb_games", { date: dayOf(game.firstPitch) }, "Other games of the day, with their starters."),
      suggest("mlb_performance", {}, "Backtest of the model on seasons outside its fit."),
    ],
  }
}
