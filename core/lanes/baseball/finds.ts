import * as Effect from "effect/Effect"
import type * as Endpoint from "../../endpoint/Endpoint.ts"
import { type Findable, type Finds, ready } from "../../find/Findable.ts"
import { addDays, dayOf } from "../../time.ts"
import { endpoints } from "./endpoints.ts"
import { teamNames } from "./teams.ts"

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
  ...(official_date === undefined ? {} : { day: official_date }),
  calls: [
    ready(endpoints.fairOdds, "fair odds win wins probability chance moneyline favourite starters pitchers", () => ({
      game_pk: gamePk,
    })),
  ],
})

/** Teams, and the games of today and tomorrow. */
export const finds: Finds = (ask, now) => [
  { what: "baseball teams", read: Effect.sync(() => [...Object.entries(teamNames).map(teamOf), league]) },
  ...[dayOf(now), addDays(dayOf(now), 1)].map((date) => ({
    what: `baseball games of ${date}`,
    read: Effect.map(ask(endpoints.games, { date }), ({ games }) => games.map(gameOf)),
  })),
]
