import * as Effect from "effect/Effect"
import * as Watch from "../../alerts/Watch.ts"
import type * as Endpoint from "../../endpoint/Endpoint.ts"
import { type Findable, type Finds, makeReadyCall } from "../../find/Findable.ts"
import { ifDefined } from "../../ifDefined.ts"
import type { Recompute } from "../../record/captures/recompute.ts"
import { addDays, dayOf } from "../../time.ts"
import * as Lane from "../Lane.ts"
import { pricing } from "./contracts.ts"
import { endpoints } from "./endpoints.ts"
import { toOutput } from "./fairOdds.ts"
import { findCoefficients, makeStacked } from "./Model.ts"
import type { PitchingLines, SeasonLines, Slates } from "./ports.ts"
import { homeWinProbability, listDrivers } from "./skill/stack.ts"
import type { SkillTerms } from "./skill/states.ts"
import { teamNames } from "./teams.ts"
import type { Inputs } from "./winProbability.ts"

const zone = "America/New_York"
const slateWords = "games schedule slate probable starters starting pitchers scores"

const toDateParam = ({ day, today }: { readonly day: string | undefined; readonly today: string }) => ({
  date: day ?? today,
})

const toTeamFindable = ([code, name]: readonly [string, string]): Findable => ({
  kind: "team",
  name,
  words: `${code} mlb baseball team`,
  ids: { team: code },
  zone,
  calls: [makeReadyCall(endpoints.games, `${slateWords} game odds win`, toDateParam)],
})

const league: Findable = {
  kind: "league",
  name: "MLB",
  words: "baseball",
  ids: {},
  zone,
  calls: [makeReadyCall(endpoints.games, slateWords, toDateParam)],
}

type Row = Endpoint.Results<typeof endpoints.games>["games"][number]

const toGameFindable = ({ gamePk, official_date, venue, home, away }: Row): Findable => ({
  kind: "game",
  name: `${away.name} at ${home.name}`,
  words: [gamePk, venue, away.probable_pitcher, home.probable_pitcher, "mlb baseball game vs"].join(" "),
  ids: { game_pk: gamePk },
  zone,
  ...ifDefined("day", official_date),
  calls: [
    makeReadyCall(
      endpoints.fairOdds,
      "fair odds win wins probability chance moneyline favourite starters pitchers",
      () => ({
        game_pk: gamePk,
      }),
    ),
  ],
})

/** The teams, and the games of today and tomorrow. */
const finds: Finds = (ask, now) => [
  { what: "baseball teams", read: Effect.sync(() => [...Object.entries(teamNames).map(toTeamFindable), league]) },
  ...[dayOf(now), addDays(dayOf(now), 1)].map((date) => ({
    what: `baseball games of ${date}`,
    read: Effect.map(ask(endpoints.games, { date }), ({ games }) => games.map(toGameFindable)),
  })),
]

interface StoredInputs {
  readonly game: { readonly season: number }
  readonly inputs: Inputs
  readonly league_era: number
  readonly skills?: SkillTerms
  /** The difference of the line-ups; absent if they were not posted. */
  readonly line_up?: number
}

const recompute: Recompute = (_, stored) =>
  Effect.sync(() => {
    const { game, inputs, league_era, skills, line_up } = stored as StoredInputs
    const stacked = makeStacked(game.season, skills, line_up)
    return toOutput(homeWinProbability(listDrivers(inputs, findCoefficients(game.season), league_era, stacked)))
  })

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
