import type { Citation, Confidence } from "../../endpoint/Answer.ts"
import { day } from "../../time.ts"
import type { FairOddsData } from "./fairOddsData.ts"
import { stamp } from "./listings.ts"
import { trained } from "./Model.ts"
import { parameters } from "./parameters.ts"
import type { Listings, PitcherLines, Sourced } from "./ports.ts"
import type { Inputs } from "./winProbability.ts"

/** The regular season and its playoffs: what the model was fitted on. */
const counting = /^[RFDLW]$/

/** What is doubtful about an answer. */
export const flagsOf = ({ game, teams, last, home, away }: FairOddsData, listings: Listings): ReadonlyArray<string> => {
  const hasLine = (id: number) => teams.lines.has(id) || last.lines.has(id)
  const sources: ReadonlyArray<Sourced | undefined> = [listings, teams, last, home, away]
  return [
    ...(game.away.starter === undefined ? ["away_starter_unknown"] : []),
    ...(game.home.starter === undefined ? ["home_starter_unknown"] : []),
    ...(sources.some((sourced) => sourced?.held) ? ["last_good"] : []),
    ...(game.neutral ? ["neutral_site"] : []),
    ...(hasLine(game.home.teamId) && hasLine(game.away.teamId) ? [] : ["no_season_line"]),
    ...(counting.test(game.type) ? [] : ["not_a_season_game"]),
    ...(game.phase === "off" ? ["not_played_as_listed"] : []),
  ]
}

const starterLine = (side: "home" | "away", name: string, era: number): string =>
  `Drew the earned run average of ${name}, the ${side} starter, to ${era.toFixed(2)}.`

/** The steps of an answer and what each is read from. */
export const reasoningOf = (
  { game, before, teams, last, home, away }: FairOddsData,
  listings: Listings,
  inputs: Inputs,
  begun: boolean,
): { readonly reasoning: ReadonlyArray<string>; readonly citations: ReadonlyArray<Citation> } => {
  const reasoning: Array<string> = []
  const citations: Array<Citation> = []
  const step = (sentence: string, ...sources: ReadonlyArray<Sourced>): void => {
    reasoning.push(sentence)
    for (const { source, locator } of sources) citations.push({ step: reasoning.length, source, locator })
  }
  const starter = (side: "home" | "away", lines: PitcherLines | undefined, era: number | undefined): void => {
    const named = game[side].starter
    if (named === undefined || lines === undefined || era === undefined) {
      step(`No starter is known for ${game[side].name}: the league's mean stands for his earned run average.`)
    } else step(starterLine(side, named.name, era), lines)
  }

  step(`Found ${game.away.name} at ${game.home.name}, first pitch ${stamp(game.firstPitch)}, ${game.state}.`, listings)
  step(
    `Took runs scored and allowed in the games of ${game.season} before ${before}, and those of last season.`,
    teams,
    last,
  )
  step(
    `Drew the Pythagorean expectations towards half of last season's distance from .5, worth ${parameters.pythagorean.priorGames} games: ${inputs.home_pyth.toFixed(4)} and ${inputs.away_pyth.toFixed(4)}.`,
  )
  starter("home", home, inputs.home_starter_era)
  starter("away", away, inputs.away_starter_era)
  if (game.neutral) step("Left out the home edge: the game is not in the home team's park.")
  step(`Added the log-odds of both with model ${trained.model_version}, which reads no market.`)
  if (begun) step("The game has begun: the inputs are those of before its first pitch, and nothing is recorded.")
  return { reasoning, citations }
}

/**
 * How much an answer leans on: 0.9 when both teams have as many games behind them as the start of a season counts for;
 * down to 0.6 of it on opening day, 0.9 of it for each starter who is not known, 0.95 of it for each day until the first
 * pitch (0.7 at least), and 0.8 of it for data in doubt or a game that does not count. Not a probability of being right.
 */
export const confidenceOf = ({ game, teams }: FairOddsData, flags: ReadonlyArray<string>, now: number): Confidence => {
  const games = Math.min(...[game.home, game.away].map(({ teamId }) => teams.lines.get(teamId)?.games ?? 0))
  const days = Math.max(0, (game.firstPitch - now) / day)
  const unknown = flags.filter((flag) => flag.endsWith("_starter_unknown")).length
  const doubts = flags.filter((flag) => flag !== "neutral_site" && !flag.endsWith("_starter_unknown"))
  const score =
    0.9 *
    (0.6 + 0.4 * Math.min(1, games / parameters.pythagorean.priorGames)) *
    0.9 ** unknown *
    Math.max(0.7, 0.95 ** days) *
    (doubts.length > 0 ? 0.8 : 1)
  return {
    score: Math.round(score * 100) / 100,
    label: "reasoned",
    factors: [
      `${games} games of the season behind the team with fewer`,
      `${2 - unknown} of 2 starters known`,
      days > 0 ? `${days.toFixed(1)} days to the first pitch` : "begun",
      ...doubts.map((flag) => `quality flag ${flag}`),
    ],
  }
}
