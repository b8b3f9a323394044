import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import { notFound } from "../../../core/Failure.ts"
import { getOrMake } from "../../../core/getOrMake.ts"
import { endpoints as baseball } from "../../../core/lanes/baseball/endpoints.ts"
import { endpoints as football } from "../../../core/lanes/football/endpoints.ts"
import { endpoints as markets } from "../../../core/lanes/markets/endpoints.ts"
import { dayOf } from "../../../core/time.ts"
import type { Demo } from "../demo.ts"
import { pictureOf } from "../pictures/pictures.ts"
import { lineWords, nickname, teamName } from "../pictures/teams.ts"
import { dayText } from "../view/dates.ts"
import * as Live from "./live.ts"
import { readHistory, readSettled, type Settled } from "./markets.ts"
import { addressOf, type Card, type Item, type Public, type Shown, type Subject, type View } from "./Subject.ts"
import { endingNow, eventOf, lineOf, saysOf, scoredOf } from "./words.ts"

type Row = Endpoint.Results<typeof markets.edge>["edges"][number]

/** The winners of games among the open contracts, by the id of the game. */
const findWinners = (demo: Demo, domain: "nfl" | "mlb") =>
  Effect.map(demo.call(markets.edge, { min_edge: 0, domain }), ({ answer }) => {
    const games = new Map<string, Array<Row>>()
    for (const row of answer.results.edges) {
      const id = String(row.subject?.["game_id"] ?? row.subject?.["game_pk"])
      if (row.title.endsWith(" wins")) getOrMake(games, id, () => []).push(row)
    }
    return games
  })

type Winners = Effect.Effect.Success<ReturnType<typeof findWinners>>

/** The contracts of a game's two sides, the away team's first, with their probabilities. */
const readSides = (winners: Winners, id: string, names: readonly [away: string, home: string], homeWins: number) => {
  const rows = winners.get(id) ?? []
  const ofSide = (at: 0 | 1) =>
    rows.find(({ instrument, market }) => market.endsWith(`-${instrument.split(" @ ")[at]}`))
  const pair = [ofSide(0), ofSide(1)] as const
  return {
    closesAt: rows[0] && Date.parse(rows[0].close_time),
    lines: pair.flatMap((row) => (row === undefined ? [] : [lineOf(row)])),
    says: names.map((name, at) => ({
      of: nickname(name),
      ...saysOf(at === 0 ? 1 - homeWins : homeWins, pair[at]?.market_prob),
    })),
  }
}

/** The contracts of a game that has begun, the last forecasts of its sides with the last prices, and their time. */
const readPlayed = (demo: Demo, event: string, teams: ReadonlyArray<string>) =>
  Effect.map(Effect.option(readSettled(demo, event)), (settled) => {
    const { lines = [], ...written } = Option.getOrElse(settled, () => ({}) as Partial<Settled>)
    const says = teams.flatMap((code) =>
      lines.flatMap(({ ticker, model, market }) =>
        ticker.endsWith(`-${code}`) && model !== undefined
          ? [{ of: nickname(teamName("nfl", code)), ...saysOf(model, market) }]
          : [],
      ),
    )
    return { ...written, lines, ...(says.length === teams.length && { says }) }
  })

/** A game's page: how model and market moved, where its winner has a contract, above the drivers. */
const withHistory = (demo: Demo, view: View, now: number) => {
  const home = view.card.lines.at(-1)
  if (home === undefined) return Effect.succeed(view)
  const params = { market: home.ticker }
  return Effect.map(Effect.option(readHistory(demo, params)), (history): View => {
    if (Option.isNone(history)) return view
    const results = endingNow(history.value.results, (view.card.closesAt ?? 0) > now ? [home] : [], now)
    const picture = pictureOf(markets.history.id, { params, results })
    if (picture === undefined) return view
    const { card } = view
    return {
      ...view,
      card: { ...card, picture: { ...picture, title: `${home.name}: model and market over time` } },
      picture: card.picture,
    }
  })
}

/** The contracts of a real game, as everybody may see them. */
const liveGame = (domain: "nfl" | "mlb", title: string, callOf: (id: string) => Shown) =>
  Effect.fnUntraced(function* (reading: Public, _: Demo, id: string, now: number) {
    const call = callOf(id)
    const path = addressOf(domain, id)
    const teams = id.split("_").slice(2).join(" @ ")
    const open = (yield* reading.open(now)).filter((each) => each.domain === domain && each.subject === id)
    const sealed = Live.openCard(open, { path, call, figures: Live.bySide })
    const instrument = open[0]?.instrument ?? teams
    const { rows } = yield* reading.settled(domain)
    const own = rows.filter((each) => each.instrument === instrument)
    const last = Live.lastCard(own, { path, call })
    const card = sealed ?? last
    if (card === undefined) return yield* Live.nothingYet
    const event = open[0]?.event ?? own[0]?.event
    const view: View = {
      card,
      ...(sealed !== undefined && { last }),
      lead: `${card.title}: the market's price, and our forecast once it is open to everybody.`,
      facts: {},
      calls: [call],
      ...(event !== undefined && { entries: yield* reading.entries({ event }, now) }),
      scored: { domain, isOwn: () => true, name: title.toLowerCase() },
    }
    return view
  })

const fairLine = (id: string): Shown => ({ endpoint: football.fairLine, params: { game_id: id } })

type Game = Endpoint.Results<typeof football.games>["games"][number]

/** @param listed the game's row of the schedule, in a list; absent: it is read, and the prices of a game that has begun */
const readLine = Effect.fnUntraced(function* (demo: Demo, id: string, listed: Game | undefined) {
  const signal = fairLine(id)
  const { answer } = yield* demo.call(football.fairLine, { game_id: id })
  const { prediction, retrospective } = answer.results
  const { fair_line: fair, market } = prediction
  const { gameday, season, week, qbs, home_team: home, away_team: away } = answer.results.game
  const names = [teamName("nfl", away), teamName("nfl", home)] as const
  const [guest, host] = [nickname(names[0]), nickname(names[1])]
  const open = readSides(yield* findWinners(demo, "nfl"), id, names, fair.win_prob_home)
  const played =
    retrospective && listed === undefined
      ? yield* readPlayed(demo, `${eventOf("KXNFLGAME", gameday)}${away}${home}`, [away, home])
      : {}
  const sides = { ...open, ...played }
  const game =
    listed ??
    (yield* demo.call(football.games, { season, week, limit: 200 })).answer.results.games.find(
      (each) => each.game_id === id,
    )
  const posted = market?.spread_line
  const [ourLine, postedLine] = [fair.home_margin, posted].map((margin) =>
    margin === undefined ? undefined : lineWords(margin, host, guest),
  )
  const score = [game?.away_score, game?.home_score] as const
  const isFinal = typeof score[0] === "number"
  const card: Card = {
    title: `${names.join(" at ")}, ${dayText(gameday)}`,
    path: addressOf("nfl", id),
    ...sides,
    ...(postedLine !== undefined &&
      sides.says.every((each) => each.market === undefined) && {
        line: {
          ...{ of: "Line", we: ourLine!, market: postedLine, marketName: "Posted line" },
          difference: lineWords(Math.round(10 * fair.home_margin) / 10 - posted!, host, guest),
        },
      }),
    ...(retrospective && { state: isFinal ? "final" : "started" }),
    ...(isFinal && { happened: `${guest} ${score[0]}, ${host} ${score[1]}` }),
    picture: pictureOf(football.fairLine.id, { ...signal, ...answer }),
    settles: "final score",
    // A game that has begun does not change any more.
    ...(!retrospective && { alert: { call: `${football.fairLine.path}?game_id=${id}`, threshold: 1 } }),
    call: signal,
    isSample: true,
  }
  const view: View = {
    card,
    lead: `Fair line for ${dayText(gameday)}, and what drives it.`,
    facts: {
      "Fair line": `${ourLine}, total ${fair.total.toFixed(1)}`,
      "Posted line":
        postedLine === undefined
          ? "none yet"
          : `${postedLine}${market?.total_line === undefined ? "" : `, total ${market.total_line.toFixed(1)}`}`,
      Starters: qbs === undefined ? "not listed" : `${qbs.away ?? "unknown"} at ${qbs.home ?? "unknown"}`,
    },
    calls: [
      signal,
      { endpoint: football.games, params: { season, week } },
      { endpoint: football.injuries, params: { team: home } },
    ],
    scored: scoredOf("KXNFLGAME", `${away} @ ${home}`),
  }
  return view
})

/** Games that are shown in the list, and of those that were played where some are ahead. */
const [shown, shownPlayed] = [16, 8]

/** Football's games of this week, and the fair line of each. */
export const nfl: Subject = {
  kind: "nfl",
  title: "Football",
  empty: "No games are scheduled.",
  list: (demo, now) =>
    Effect.gen(function* () {
      const { games } = (yield* demo.call(football.games, { limit: 200 })).answer.results
      const isPlayed = (game: Game) => typeof game.home_score === "number" || game.gameday < dayOf(now)
      const ahead = games.filter((game) => !isPlayed(game)).slice(0, shown)
      const played = games.filter(isPlayed).slice(ahead.length === 0 ? -shown : -shownPlayed)
      return yield* Effect.forEach([...ahead, ...played.toReversed()], (game) =>
        Effect.map(readLine(demo, game.game_id, game), ({ card }): Item => card),
      )
    }),
  read: (demo, id, now) => Effect.flatMap(readLine(demo, id, undefined), (view) => withHistory(demo, view, now)),
  live: liveGame("nfl", "Football", fairLine),
}

const fairOdds = (id: string): Shown => ({ endpoint: baseball.fairOdds, params: { game_pk: Number(id) } })

const readOdds = Effect.fnUntraced(function* (demo: Demo, id: string) {
  if (!/^\d{1,9}$/.test(id)) return yield* notFound(`${id} is not the number of a game.`)
  const signal = fairOdds(id)
  const { answer } = yield* demo.call(baseball.fairOdds, { game_pk: Number(id) })
  const { game, prediction } = answer.results
  const [home, away] = [game.home, game.away]
  // The answer's steps have the time of the first pitch.
  const start = /first pitch (\S+Z)/.exec(answer.reasoning.join(" "))?.[1]
  const isAhead = /^(scheduled|pre-game|warmup)/i.test(game.state)
  const card: Card = {
    title: `${away.name} at ${home.name}${start === undefined ? "" : `, ${dayText(start.slice(0, 10))}`}`,
    path: addressOf("mlb", id),
    ...readSides(yield* findWinners(demo, "mlb"), id, [String(away.name), String(home.name)], prediction.win_prob_home),
    picture: pictureOf(baseball.fairOdds.id, { ...signal, ...answer }),
    settles: "final score",
    ...(isAhead
      ? { alert: { call: `${baseball.fairOdds.path}?game_pk=${id}`, threshold: 0.02 } }
      : { state: game.state.toLowerCase() }),
    call: signal,
    isSample: true,
  }
  const view: View = {
    card,
    lead: `${game.state}. Win probability before the game, and what drives it.`,
    facts: {
      Starters: `${away.probable_pitcher ?? "not announced"} at ${home.probable_pitcher ?? "not announced"}`,
      "Line-ups": prediction.line_up?.used === true ? "posted, included" : prediction.line_up?.reason,
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
      Effect.flatMap((games) =>
        Effect.forEach(games.slice(0, shown), ({ gamePk }) =>
          Effect.map(readOdds(demo, String(gamePk)), ({ card }): Item => card),
        ),
      ),
    ),
  read: (demo, id, now) => Effect.flatMap(readOdds(demo, id), (view) => withHistory(demo, view, now)),
  live: liveGame("mlb", "Baseball", fairOdds),
}
