import * as Effect from "effect/Effect"
import * as Watch from "../../alerts/Watch.ts"
import type * as Endpoint from "../../endpoint/Endpoint.ts"
import { type Findable, type Finds, ready } from "../../find/Findable.ts"
import { ifDefined } from "../../ifDefined.ts"
import { logistic } from "../../math/logistic.ts"
import type { Recompute } from "../../record/captures/recompute.ts"
import { addDays, dayOf } from "../../time.ts"
import * as Lane from "../Lane.ts"
import { pricing } from "./contracts.ts"
import earlier from "./earlier.json" with { type: "json" }
import { endpoints } from "./endpoints.ts"
import { toOutput } from "./fairOdds.ts"
import { coefficientsFor, stackedFor } from "./Model.ts"
import type { PitchingLines, SeasonLines, Slates } from "./ports.ts"
import { homeWinProbability, listDrivers, type Stacked, sumDrivers } from "./skill/stack.ts"
import type { SkillTerms } from "./skill/states.ts"
import { teamNames } from "./teams.ts"
import type { Inputs } from "./winProbability.ts"

const zone = "America/New_York"
const slate = "games schedule slate probable starters starting pitchers scores"

const onDay = ({ day, today }: { readonly day: string | undefined; readonly today: string }) => ({
  date: day ?? today,
})

const teamOf = ([code, name]: readonly [string, string]): Findable => ({
  kind: "team",
  name,
  words: `${code} mlb baseball team`,
  ids: { team: code },
  zone,
  calls: [ready(endpoints.games, `${slate} game odds win`, onDay)],
})

const league: Findable = {
  kind: "league",
  name: "MLB",
  words: "baseball",
  ids: {},
  zone,
  calls: [ready(endpoints.games, slate, onDay)],
}

type Row = Endpoint.Results<typeof endpoints.games>["games"][number]

const gameOf = ({ gamePk, official_date, venue, home, away }: Row): Findable => ({
  kind: "game",
  name: `${away.name} at ${home.name}`,
  words: [gamePk, venue, away.probable_pitcher, home.probable_pitcher, "mlb baseball game vs"].join(" "),
  ids: { game_pk: gamePk },
  zone,
  ...ifDefined("day", official_date),
  calls: [
    ready(endpoints.fairOdds, "fair odds win wins probability chance moneyline favourite starters pitchers", () => ({
      game_pk: gamePk,
    })),
  ],
})

/** Teams, and the games of today and tomorrow. */
const finds: Finds = (ask, now) => [
  { what: "baseball teams", read: Effect.sync(() => [...Object.entries(teamNames).map(teamOf), league]) },
  ...[dayOf(now), addDays(dayOf(now), 1)].map((date) => ({
    what: `baseball games of ${date}`,
    read: Effect.map(ask(endpoints.games, { date }), ({ games }) => games.map(gameOf)),
  })),
]

interface StoredInputs {
  readonly game: { readonly season: number }
  readonly inputs: Inputs
  readonly league_era: number
  /** Absent in records of the model before the skills. */
  readonly skills?: SkillTerms
  /** The difference of the line-ups; absent before they are posted. */
  readonly line_up?: number
}

/**
 * The coefficients of models of before whose records may be stored: their line-ups had a constant of the home side, too, and
 * a share of the log-odds with skills.
 */
const coefficientsBefore: Readonly<Record<string, (typeof earlier)["line-ups-2024.1-22f05670"]>> = earlier

/** Recomputes recorded fair odds from their stored inputs and the coefficients of their season, those of their model. */
const recompute: Recompute = (_, stored, __, modelVersion) =>
  Effect.sync(() => {
    const { game, inputs, league_era, skills, line_up } = stored as StoredInputs
    const partsWith = (stacked: Stacked | undefined) =>
      listDrivers(inputs, coefficientsFor(game.season), league_era, stacked)
    const before = coefficientsBefore[modelVersion]
    if (before === undefined) return toOutput(homeWinProbability(partsWith(stackedFor(game.season, skills, line_up))))
    const logOdds = sumDrivers(partsWith(skills && { terms: skills, coefficients: before.skill }))
    if (skills === undefined || line_up === undefined) return toOutput(logistic(logOdds))
    const constant = inputs.home_edge === 0 ? 0 : before.line_up.constant
    return toOutput(logistic(constant + before.line_up.skills * logOdds + before.line_up.line_up * line_up))
  })

/** The lane's ports. */
export type BaseballPorts = PitchingLines | SeasonLines | Slates

export type Baseball = Lane.Id<"baseball">
export const Baseball = Lane.define("baseball", {
  description: "MLB games, and the model's win probabilities.",
  endpoints,
  finds,
  recomputations: { [endpoints.fairOdds.id]: recompute },
  pricing,
  watches: [
    Watch.make(endpoints.fairOdds, "move", {
      unit: "probability",
      read: ({ game: { gamePk }, prediction: { win_prob_home } }) => ({
        subject: String(gamePk),
        levels: { win_prob_home },
      }),
    }),
  ],
})
