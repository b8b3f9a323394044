import * as Effect from "effect/Effect"
import type { Confidence, Extras } from "../../endpoint/Answer.ts"
import { type Explained, explain, type Sentence, step, when } from "../../endpoint/explain.ts"
import { plural } from "../../text.ts"
import { day, dayOf } from "../../time.ts"
import { suggest } from "../answers.ts"
import { type Factor, flagFactor, recordFactor, scored } from "../confidence.ts"
import { stamp } from "./listings.ts"
import { trained } from "./Model.ts"
import { parameters } from "./parameters.ts"
import type { ListedGame, ListedSide, Listings, PitchedGames, PitcherLines, Sourced, TeamLines } from "./ports.ts"
import { lackingLines } from "./skill/served.ts"
import type { ServedLineUps } from "./skill/servedLineUps.ts"
import { homeWinProbability, listDrivers, type Stacked } from "./skill/stack.ts"
import type { Coefficients, Inputs } from "./winProbability.ts"

/** The data of one game from the ports. */
export interface FairOddsData {
  readonly game: ListedGame
  /** Lines cover the games before this day. */
  readonly before: string
  readonly teams: TeamLines
  readonly last: TeamLines
  readonly home: PitcherLines | undefined
  readonly away: PitcherLines | undefined
  readonly pitched: PitchedGames
  /** Absent: the probability is that from runs alone. */
  readonly stacked: Stacked | undefined
  readonly lineUps: ServedLineUps
}

/** The regular season and its playoffs, the games of the model's fit. */
const counting = /^[RFDLW]$/

/** Games that a team's record may be ahead of its runs: those of the day, and one that is just over. */
const mostAhead = 3

/** The teams whose runs are of far fewer games than their records: the one source contradicts the other. */
const disagreeing = ({ game, teams }: FairOddsData): ReadonlyArray<ListedSide> =>
  game.type !== "R"
    ? []
    : [game.home, game.away].filter(
        ({ teamId, wins, losses }) => wins + losses - (teams.lines.get(teamId)?.games ?? 0) > mostAhead,
      )

/** The flags with which a signal lacks an input of its model. */
const lackingFlags: ReadonlyArray<string> = [
  ...["last_good", "line_up_refused", "line_up_unavailable", "no_season_line", "no_skills", "source_disagreement"],
]

/** Why a signal with such flags is not recorded; undefined: it is. */
export const unrecordedBy = (flags: ReadonlyArray<string>): string | undefined => {
  const lacking = flags.filter((flag) => lackingFlags.includes(flag))
  return lacking.length === 0 ? undefined : `An input of the model is not as it should be: ${lacking.join(", ")}.`
}

/** The quality flags of an answer. */
export const fairOddsFlags = (read: FairOddsData, listings: Listings): ReadonlyArray<string> => {
  const { game, teams, last, home, away, pitched, lineUps } = read
  const hasLine = (id: number) => teams.lines.has(id) || last.lines.has(id)
  const sources: ReadonlyArray<Sourced | undefined> = [
    ...[listings, teams, last, home, away, pitched],
    ...("sources" in lineUps ? lineUps.sources : []),
  ]
  return [
    ...(game.away.starter === undefined ? ["away_starter_unknown"] : []),
    ...(game.home.starter === undefined ? ["home_starter_unknown"] : []),
    ...(sources.some((sourced) => sourced?.stale) ? ["last_good"] : []),
    ...("flag" in lineUps && lineUps.flag !== undefined ? [lineUps.flag] : []),
    ...(game.neutral ? ["neutral_site"] : []),
    ...(hasLine(game.home.teamId) && hasLine(game.away.teamId) ? [] : ["no_season_line"]),
    ...(read.stacked === undefined ? ["no_skills"] : []),
    ...(disagreeing(read).length === 0 ? [] : ["source_disagreement"]),
    ...(counting.test(game.type) ? [] : ["not_a_season_game"]),
    ...(game.phase === "off" ? ["not_played_as_listed"] : []),
  ]
}

const starterLine = (side: "home" | "away", name: string, era: number): string =>
  `ERA of ${name} (${side} starter), shrunk to its prior of ${parameters.starter.priorInnings} innings: ${era.toFixed(2)}.`

/** Why an answer is without skills. */
const whyNone = (read: FairOddsData): string => {
  const { season } = trained.skill.states
  return read.game.season <= season
    ? `the states have learned from ${season} already`
    : `${plural(lackingLines(read), "game")} of the season lack lines of pitching`
}

/** The steps of an answer and the sources of each. */
export const explainOdds = (
  read: FairOddsData,
  listings: Listings,
  inputs: Inputs & { readonly league_era: number; readonly win_prob_home: number },
  begun: boolean,
): Explained => {
  const { game, before, teams, last, home, away, pitched, stacked, lineUps } = read
  const starter = (side: "home" | "away", lines: PitcherLines | undefined, era: number | undefined): Sentence => {
    const named = game[side].starter
    return named === undefined || lines === undefined || era === undefined
      ? `No starter announced for ${game[side].name}: league-mean ERA ${inputs.league_era.toFixed(2)} used.`
      : step(starterLine(side, named.name, era), lines)
  }
  return explain(
    step(
      `Found ${game.away.name} at ${game.home.name}, first pitch ${stamp(game.firstPitch)}, ${game.state}.`,
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
      ? `No skills: ${whyNone(read)}. The probability is that from runs and earned runs alone.`
      : step(
          `Skills above the league per batter faced, of starters, bullpens and bats, from the pitching of ${plural(pitched.games.length, "game")} before ${before}: strikeouts less walks, and hits and walks by linear weights.`,
          pitched,
        ),
    "sources" in lineUps
      ? step(
          `Posted line-ups, projected from their batters' last seasons: home less away, each above its team's last games, ${(1_000 * lineUps.difference).toFixed(1)} runs per 1,000 plate appearances.`,
          ...lineUps.sources,
        )
      : `No line-ups used. ${lineUps.reason}.`,
    when(game.neutral, () => "No home edge: the game is not in the home team's park."),
    `Model ${trained.model_version} (no market input): home win probability ${inputs.win_prob_home.toFixed(4)}.`,
    ...disagreeing(read).map(({ name, teamId, wins, losses }) => {
      const games = plural(teams.lines.get(teamId)?.games ?? 0, "game")
      return step(
        `${name} has a record of ${wins + losses} games, and runs of ${games}: not recorded.`,
        listings,
        teams,
      )
    }),
    when(begun, () => "Game started: inputs are as of first pitch; not recorded."),
  )
}

const { games: backtestGames, brier_model, brier_market } = trained.backtest.overall

/** The model's published record against the market's close. */
const backtestFactor = recordFactor(
  `backtest Brier ${brier_model.toFixed(4)}, market close ${brier_market.toFixed(4)} (${plural(backtestGames, "game")})`,
  brier_model,
  brier_market,
)

/**
 * A quality score: 0.9 when both teams have played 65 games, the weight of the prior. ×0.6 on opening day, ×0.9 for each
 * unknown starter, ×0.95 for each day until the first pitch (at least ×0.7), ×0.8 with quality flags, and less as far as
 * the market's close was ahead of the model in the backtest. Not a probability of being right.
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
    ...flagFactor(penaltyFlags, 0.8),
    backtestFactor,
  ]
  return scored("reasoned", 0.9, factors)
}

/** The same game without the home edge or, at a neutral site, with it. */
const elsewhere = (inputs: Inputs, coefficients: Coefficients): Inputs => ({
  ...inputs,
  home_edge: inputs.home_edge === 0 ? coefficients.home_edge : 0,
})

/** The same game with unknown starters. */
const withoutStarters = ({ home_starter_era: _home, away_starter_era: _away, ...inputs }: Inputs): Inputs => inputs

const usualStarters = ({ terms: { kbb, lw }, ...rest }: Stacked): Stacked => ({
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
        label: `Home win probability ${win(withoutStarters(inputs), stacked && usualStarters(stacked)).toFixed(4)} from the teams alone`,
        score: 0,
        why: "The same model with starters of the league's mean on both sides.",
      },
    ]),
    counterfactual: Effect.sync(() => {
      const other = elsewhere(inputs, coefficients)
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
