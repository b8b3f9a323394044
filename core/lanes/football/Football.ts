import * as Effect from "effect/Effect"
import * as Watch from "../../alerts/Watch.ts"
import type * as Endpoint from "../../endpoint/Endpoint.ts"
import { type Findable, type Finds, ready } from "../../find/Findable.ts"
import { ifDefined } from "../../ifDefined.ts"
import type { TrackRecord } from "../../record/captures/Outcomes.ts"
import type { Recompute } from "../../record/captures/recompute.ts"
import { yieldToEventLoop } from "../../yieldToEventLoop.ts"
import * as Lane from "../Lane.ts"
import { pricing } from "./contracts.ts"
import { easternDay, gamesSeason } from "./data/calendar.ts"
import { teamWeeks } from "./data/Game.ts"
import { aliases, franchise, type Team, teamNames, teams } from "./data/teams.ts"
import { endpoints } from "./endpoints.ts"
import { read } from "./model/inputs.ts"
import { learn, predict, start } from "./model/Model.ts"
import { toOutput } from "./model/output.ts"
import { ServedRatings } from "./model/Ratings.ts"
import type { Games, Injuries, Quarterbacks, Top100 } from "./ports.ts"

const zone = "America/New_York"
const line = "fair line spread total points margin win wins favoured favorite probability moneyline odds against model"

const codes = (team: Team): string =>
  [team, ...Object.entries(aliases).flatMap(([alias, of]) => (of === team ? [alias] : []))].join(" ")

const teamOf = (team: Team): Findable => ({
  kind: "team",
  name: teamNames[team],
  words: `${codes(team)} nfl football team`,
  ids: { team },
  zone,
  calls: [
    ready(endpoints.fairLine, `${line} next game`, () => ({ team })),
    ready(endpoints.games, "schedule games results scores lines bookmakers", ({ week }) => ({
      team,
      ...ifDefined("week", week),
    })),
    ready(endpoints.injuries, "injuries injury report injured hurt out doubtful questionable reserve", ({ week }) => ({
      team,
      ...ifDefined("week", week),
    })),
  ],
})

type Row = Pick<
  Endpoint.Results<typeof endpoints.games>["games"][number],
  "away_team" | "game_id" | "gameday" | "home_team" | "season" | "week"
>

const nameOf = (code: string): string => teamNames[franchise(code)!]

const gameOf = ({ game_id, gameday, week, season, home_team, away_team }: Row): Findable => ({
  kind: "game",
  name: `${nameOf(away_team)} at ${nameOf(home_team)}`,
  words: `${game_id} ${codes(franchise(away_team)!)} ${codes(franchise(home_team)!)} nfl football game vs`,
  ids: { game_id },
  zone,
  day: gameday,
  calls: [
    ready(endpoints.fairLine, line, () => ({ game_id })),
    ready(endpoints.games, "score result kickoff lines bookmakers", () => ({ season, week })),
  ],
})

const league: Findable = {
  kind: "league",
  name: "NFL",
  words: "football",
  ids: {},
  zone,
  calls: [
    ready(endpoints.games, "games schedule slate scores results week season lines bookmakers", ({ week }) =>
      week === undefined ? undefined : { week },
    ),
  ],
}

/** Teams, and the season's games: those to come first, the next of them before all. */
const finds: Finds = (ask, now) => [
  { what: "football teams", read: Effect.sync(() => [...teams.map(teamOf), league]) },
  {
    what: "football games",
    read: Effect.map(ask(endpoints.games, { season: gamesSeason(now) }), ({ games }) => {
      const today = easternDay(now)
      const isOver = ({ gameday }: Row): boolean => gameday < today
      return [...games.filter((game) => !isOver(game)), ...games.filter(isOver).reverse()].map(gameOf)
    }),
  },
]

/** Gamedays between two yields to other fibers. */
const stretch = 8

/** Recomputes a recorded line from its stored gamedays, from the first on. */
const recompute: Recompute = (_, kept) =>
  Effect.gen(function* () {
    const { game, days } = yield* read(kept)
    let state = start
    for (const [at, { games, weeks }] of days.entries()) {
      state = learn(state, games, teamWeeks(weeks))
      if (at % stretch === stretch - 1) yield* yieldToEventLoop
    }
    return toOutput(predict(state, game), game.season)
  })

/** The lane's ports. */
export type FootballPorts = Games | Injuries | Quarterbacks | Top100 | TrackRecord

export type Football = Lane.Id<"football">
export const Football = Lane.define("football", {
  description: "Games, stat lines, injuries and the model's line.",
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
