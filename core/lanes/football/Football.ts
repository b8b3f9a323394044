import * as Effect from "effect/Effect"
import * as Watch from "../../alerts/Watch.ts"
import type * as Endpoint from "../../endpoint/Endpoint.ts"
import { type Findable, type Finds, makeReadyCall } from "../../find/Findable.ts"
import { ifDefined } from "../../ifDefined.ts"
import type { TrackRecord } from "../../record/captures/Outcomes.ts"
import type { Recompute } from "../../record/captures/recompute.ts"
import { yieldToEventLoop } from "../../yieldToEventLoop.ts"
import * as Lane from "../Lane.ts"
import { pricing } from "./contracts.ts"
import { findGamesSeason, toEasternDay } from "./data/calendar.ts"
import { indexTeamWeeks } from "./data/Game.ts"
import { aliases, findFranchise, type Team, teamNames, teams } from "./data/teams.ts"
import { endpoints } from "./endpoints.ts"
import { readInputs } from "./model/inputs.ts"
import { initialState, learn, predict } from "./model/Model.ts"
import { toOutput } from "./model/output.ts"
import { ServedRatings } from "./model/Ratings.ts"
import type { Games, Injuries, Quarterbacks, Top100 } from "./ports.ts"

const zone = "America/New_York"
const lineWords =
  "fair line spread total points margin win wins favoured favorite probability moneyline odds against model"

const listCodes = (team: Team): string =>
  [team, ...Object.entries(aliases).flatMap(([alias, of]) => (of === team ? [alias] : []))].join(" ")

const toTeamFindable = (team: Team): Findable => ({
  kind: "team",
  name: teamNames[team],
  words: `${listCodes(team)} nfl football team`,
  ids: { team },
  zone,
  calls: [
    makeReadyCall(endpoints.fairLine, `${lineWords} next game`, () => ({ team })),
    makeReadyCall(endpoints.games, "schedule games results scores lines bookmakers", ({ week }) => ({
      team,
      ...ifDefined("week", week),
    })),
    makeReadyCall(
      endpoints.injuries,
      "injuries injury report injured hurt out doubtful questionable reserve",
      ({ week }) => ({
        team,
        ...ifDefined("week", week),
      }),
    ),
  ],
})

type Row = Pick<
  Endpoint.Results<typeof endpoints.games>["games"][number],
  "away_team" | "game_id" | "gameday" | "home_team" | "season" | "week"
>

const getName = (code: string): string => teamNames[findFranchise(code)!]

const toGameFindable = ({ game_id, gameday, week, season, home_team, away_team }: Row): Findable => ({
  kind: "game",
  name: `${getName(away_team)} at ${getName(home_team)}`,
  words: `${game_id} ${listCodes(findFranchise(away_team)!)} ${listCodes(findFranchise(home_team)!)} nfl football game vs`,
  ids: { game_id },
  zone,
  day: gameday,
  calls: [
    makeReadyCall(endpoints.fairLine, lineWords, () => ({ game_id })),
    makeReadyCall(endpoints.games, "score result kickoff lines bookmakers", () => ({ season, week })),
  ],
})

const league: Findable = {
  kind: "league",
  name: "NFL",
  words: "football",
  ids: {},
  zone,
  calls: [
    makeReadyCall(endpoints.games, "games schedule slate scores results week season lines bookmakers", ({ week }) =>
      week === undefined ? undefined : { week },
    ),
  ],
}

/** The teams, and the season's games: those to come in order, then those that are over, newest first. */
const finds: Finds = (ask, now) => [
  { what: "football teams", read: Effect.sync(() => [...teams.map(toTeamFindable), league]) },
  {
    what: "football games",
    read: Effect.map(ask(endpoints.games, { season: findGamesSeason(now) }), ({ games }) => {
      const today = toEasternDay(now)
      const isOver = ({ gameday }: Row): boolean => gameday < today
      return [...games.filter((game) => !isOver(game)), ...games.filter(isOver).reverse()].map(toGameFindable)
    }),
  },
]

/** Gamedays that are processed between two yields to other fibers. */
const daysBetweenYields = 8

/** Recomputes a recorded line from its stored gamedays. */
const recompute: Recompute = (_, kept) =>
  Effect.gen(function* () {
    const { game, days } = yield* readInputs(kept)
    let state = initialState
    for (const [at, { games, weeks }] of days.entries()) {
      state = learn(state, games, indexTeamWeeks(weeks))
      if (at % daysBetweenYields === daysBetweenYields - 1) yield* yieldToEventLoop
    }
    return toOutput(predict(state, game), game.season)
  })

export type FootballPorts = Games | Injuries | Quarterbacks | Top100 | TrackRecord

export type Football = Lane.Id<"football">
export const Football = Lane.define("football", {
  description: "Games, stat lines, injuries and the model's fair line.",
  endpoints,
  finds,
  inside: ServedRatings.layer,
  recomputations: { [endpoints.fairLine.id]: recompute },
  pricing,
  watches: [
    Watch.make(endpoints.fairLine, "move", {
      unit: "points of the fair margin or total",
      read: ({ game, prediction, retrospective }) =>
        retrospective
          ? undefined
          : {
              subject: game.game_id,
              levels: { home_margin: prediction.fair_line.home_margin, total: prediction.fair_line.total },
            },
    }),
  ],
})
