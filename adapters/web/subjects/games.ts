import * as Effect from "effect/Effect"
import { notFound } from "../../../core/Failure.ts"
import { endpoints as baseball } from "../../../core/lanes/baseball/endpoints.ts"
import { endpoints as football } from "../../../core/lanes/football/endpoints.ts"
import { endpoints as markets } from "../../../core/lanes/markets/endpoints.ts"
import { dayOf } from "../../../core/time.ts"
import type { Demo } from "../demo.ts"
import { percent } from "../pictures/frame.ts"
import { pictureOf } from "../pictures/pictures.tsx"
import { signed } from "../view/chart.tsx"
import { pooledFact } from "./markets.ts"
import type { Item, Shown, Subject, View } from "./Subject.ts"

/** The home win of a game beside its price. */
const homeWin = (demo: Demo, domain: "nfl" | "mlb", id: string) =>
  pooledFact(
    demo,
    { domain },
    ({ subject, instrument, market }) =>
      String(subject?.["game_id"] ?? subject?.["game_pk"]) === id && market.endsWith(`-${instrument.split(" @ ")[1]}`),
  )

const readLine = Effect.fnUntraced(function* (demo: Demo, id: string) {
  const signal: Shown = { endpoint: football.fairLine, params: { game_id: id } }
  const { answer } = yield* demo.call(football.fairLine, { game_id: id })
  const { game, prediction } = answer.results
  const { fair_line: fair, market } = prediction
  const [home, away] = [String(game.home_team), String(game.away_team)]
  const view: View = {
    title: `${away} at ${home}`,
    lead: `Fair line of the game on ${game.gameday} and the parts that it is made of.`,
    pictures: [pictureOf(football.fairLine.id, { ...signal, ...answer })],
    facts: {
      "Fair line": `${home} ${signed(String(fair.spread))}, total ${fair.total}`,
      "Posted line":
        market?.spread_line === undefined
          ? "none yet"
          : `${home} ${signed(String(-market.spread_line))}${market.total_line === undefined ? "" : `, total ${market.total_line}`}`,
      "Chance to win": `${home} ${percent(fair.win_prob_home)}, ${away} ${percent(fair.win_prob_away)}`,
      ...(yield* homeWin(demo, "nfl", id)),
      Starters:
        game.qbs === undefined ? "not listed" : `${game.qbs.away ?? "unknown"} at ${game.qbs.home ?? "unknown"}`,
    },
    calls: [
      signal,
      { endpoint: football.games, params: { season: game.season, week: game.week } },
      { endpoint: football.injuries, params: { team: home } },
    ],
    scored: {
      domain: "nfl",
      isOwn: (instrument) => instrument.split(" @ ").some((team) => team === home || team === away),
      name: `${home} and ${away}`,
    },
  }
  return view
})

/** Games that are shown in the list. */
const shown = 16

/** Football's games of this week, and the fair line of each. */
export const nfl: Subject = {
  kind: "nfl",
  title: "Football",
  empty: "No games are scheduled.",
  list: (demo, now) =>
    Effect.map(demo.call(football.games, { limit: 200 }), ({ answer }): ReadonlyArray<Item> => {
      const { games } = answer.results
      const ahead = games.filter(({ gameday }) => gameday >= dayOf(now))
      return (ahead.length === 0 ? games.slice(-shown) : ahead.slice(0, shown)).map((game) => ({
        id: game.game_id,
        name: `${game.away_team} at ${game.home_team}, ${game.gameday}`,
      }))
    }),
  read: readLine,
}

const readOdds = Effect.fnUntraced(function* (demo: Demo, id: string) {
  if (!/^\d{1,9}$/.test(id)) return yield* notFound(`${id} is not the number of a game.`)
  const signal: Shown = { endpoint: baseball.fairOdds, params: { game_pk: Number(id) } }
  const { answer } = yield* demo.call(baseball.fairOdds, { game_pk: Number(id) })
  const { game, prediction } = answer.results
  const [home, away] = [game.home, game.away]
  const view: View = {
    title: `${away.name} at ${home.name}`,
    lead: `Chance to win the game: ${game.state.toLowerCase()}.`,
    pictures: [pictureOf(baseball.fairOdds.id, { ...signal, ...answer })],
    facts: {
      "Chance to win": `${home.name} ${percent(prediction.win_prob_home)}, ${away.name} ${percent(prediction.win_prob_away)}`,
      ...(yield* homeWin(demo, "mlb", id)),
      Starters: `${away.probable_pitcher ?? "not announced"} at ${home.probable_pitcher ?? "not announced"}`,
      "Line-ups":
        prediction.line_up?.used === true ? "posted by both teams, part of the chance" : prediction.line_up?.reason,
      Records: `${away.record ?? "–"} at ${home.record ?? "–"}`,
    },
    calls: [signal],
    // The venue's codes of teams are not in the answer: all games say how good the model is.
    scored: { domain: "mlb", isOwn: () => true, name: "baseball" },
  }
  return view
})

/** Baseball's games of the day, or of the last day with a settled game, and each one's chance to win. */
export const mlb: Subject = {
  kind: "mlb",
  title: "Baseball",
  empty: "No games today.",
  list: (demo, now) =>
    Effect.gen(function* () {
      const gamesOn = (date: string) =>
        Effect.map(demo.call(baseball.games, { date }), ({ answer }) => answer.results.games)
      const today = yield* gamesOn(dayOf(now))
      if (today.length > 0) return today
      const last = (yield* demo.call(markets.settled, { domain: "mlb", limit: 1 })).answer.results.rows[0]
      return last === undefined ? [] : yield* gamesOn(last.close_time.slice(0, 10))
    }).pipe(
      Effect.map((games) =>
        games.slice(0, shown).map((game) => ({
          id: String(game.gamePk),
          name: `${game.away.name} at ${game.home.name}, ${game.game_date_utc.slice(0, 10)}`,
        })),
      ),
    ),
  read: readOdds,
}
