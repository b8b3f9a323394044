import * as Effect from "effect/Effect"
import type * as Endpoint from "../../endpoint/Endpoint.ts"
import { type Findable, type Finds, ready } from "../../find/Findable.ts"
import { ifDefined } from "../../ifDefined.ts"
import { easternDay, gamesSeason } from "./data/calendar.ts"
import { aliases, franchise, type Team, teamNames, teams } from "./data/teams.ts"
import { endpoints } from "./endpoints.ts"

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
export const finds: Finds = (ask, now) => [
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
