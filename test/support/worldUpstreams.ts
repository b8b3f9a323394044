import * as Effect from "effect/Effect"
import * as mockBaseball from "../../adapters/lanes/baseball/mock/baseball.ts"
import { gameSeason } from "../../adapters/lanes/baseball/mock/season.ts"
import { closes } from "../../adapters/lanes/crypto/mock/tape.ts"
import { playedSeason } from "../../adapters/lanes/football/mock/season.ts"
import { type Listing, listingsOn, type Terms } from "../../adapters/lanes/markets/mock/listings.ts"
import { memoize } from "../../adapters/lanes/mock/draws.ts"
import { uniform } from "../../adapters/lanes/mock/hash.ts"
import * as mockForecasts from "../../adapters/lanes/weather/mock/forecast.ts"
import { drawIssuance } from "../../adapters/lanes/weather/mock/reports.ts"
import { months as monthNames } from "../../core/contracts/tickers.ts"
import { addLines, noInnings } from "../../core/lanes/baseball/lines.ts"
import { type ListedGame, type ListedSide, SeasonLines, Slates } from "../../core/lanes/baseball/ports.ts"
import type { Asset } from "../../core/lanes/crypto/fields.ts"
import type { Alert } from "../../core/lanes/weather/forecast/alerts.ts"
import type { Period } from "../../core/lanes/weather/forecast/periods.ts"
import { Forecasts } from "../../core/lanes/weather/ports.ts"
import { byId, stations } from "../../core/lanes/weather/stations.ts"
import { type Domain, domains } from "../../core/record/scoreboard/Settled.ts"
import { addDays, day, dayOf, hour, iso, minute } from "../../core/time.ts"
import { archiveRoutes, productRoutes } from "./climateUpstreams.ts"
import { clockAt } from "./clock.ts"
import { generatedFiles } from "./footballFiles.ts"
import { guidanceRoutes } from "./guidanceBulletins.ts"
import { events } from "./kalshi.ts"
import { csv } from "./payloadRows.ts"
import { wireBatters, wireCounts, wirePlayers } from "./pitching.ts"
import { clubId } from "./recordedLanes.ts"
import { json, type Route } from "./replay.ts"

type Now = () => number

/** What a port of generated data answers at an instant. */
const answerAt = <A>(at: number, answer: Effect.Effect<A, unknown>): A =>
  Effect.runSync(Effect.withClock(answer, clockAt(at)))

const forecasts = Effect.runSync(Effect.provide(Forecasts, mockForecasts.layerForecasts))
const [slates, lines] = Effect.runSync(Effect.provide(Effect.all([Slates, SeasonLines]), mockBaseball.layer))

const celsius = (fahrenheit: number): number => ((fahrenheit - 32) * 5) / 9

/** ISO 8601 with an offset, to the second. */
const stamp = (at: number): string => iso(at).replace(".000Z", "+00:00")

const alertOf = ({ area_desc, sender, message_type, ...alert }: Alert & { readonly sender?: string }) => ({
  properties: { ...alert, areaDesc: area_desc, senderName: sender, messageType: message_type },
})

/** A coded observation with its temperature in tenths of a degree. */
const messageOf = (station: string, at: number, tempC: number): string => {
  const [, , day, hours, minutes] = iso(at).split(/[-T:]/)
  const tenths = String(Math.round(Math.abs(tempC) * 10)).padStart(3, "0")
  return `${station} ${day}${hours}${minutes}Z AUTO 00000KT 10SM CLR RMK AO2 T${tempC < 0 ? 1 : 0}${tenths}0000`
}

const periodOf = (period: Period) => ({
  ...{ name: period.name, startTime: stamp(period.startsAt), endTime: stamp(period.endsAt), isDaytime: period.is_day },
  ...{ temperature: period.temp_f, temperatureUnit: "F", shortForecast: period.summary },
  probabilityOfPrecipitation: { unitCode: "wmoUnit:percent", value: period.precip_pct ?? null },
  ...(period.wind_mph_max !== undefined && { windSpeed: `${period.wind_mph_max} mph` }),
  ...(period.wind_dir !== undefined && { windDirection: period.wind_dir }),
})

/** The outline of the cell around a point. */
const outlineOf = (lat: number, lon: number) => ({
  type: "Polygon",
  coordinates: [
    [
      [-1, -1],
      [-1, 1],
      [1, 1],
      [1, -1],
      [-1, -1],
    ].map(([x, y]) => [lon + x! / 100, lat + y! / 100]),
  ],
})

/** The weather service over the generated climate. */
const nws = (now: Now): ReadonlyArray<Route> => {
  const pointOf = new Map<string, readonly [lat: number, lon: number]>()
  const numbers = (text: string) => text.split(",").map(Number) as [number, number]
  const point = (lat: number, lon: number, hourly: boolean) => answerAt(now(), forecasts.point(lat, lon, hourly))
  const forecast =
    (hourly: boolean): Exclude<Route["reply"], { body: unknown }> =>
    ({ path }) => {
      const [lat, lon] = pointOf.get(path.split("/").slice(2, 4).join("/"))!
      const { updatedAt, periods } = point(lat, lon, hourly)
      return json({
        geometry: outlineOf(lat, lon),
        properties: { updateTime: stamp(updatedAt), periods: periods.map(periodOf) },
      })
    }
  return [
    ...productRoutes(now),
    {
      path: /^\/points\//,
      reply: ({ path }) => {
        const [lat, lon] = numbers(path.split("/")[2]!)
        const { grid, name, timezone } = point(lat, lon, false).location
        pointOf.set(`${grid.office}/${grid.x},${grid.y}`, [lat, lon])
        const [city, state] = name.split(", ")
        return json({
          geometry: { type: "Point", coordinates: [lon, lat] },
          properties: {
            ...{ gridId: grid.office, gridX: grid.x, gridY: grid.y, timeZone: timezone },
            relativeLocation: { properties: { city, state } },
          },
        })
      },
    },
    { path: /^\/gridpoints\/\w+\/[-\d]+,[-\d]+\/forecast$/, reply: forecast(false) },
    { path: /^\/gridpoints\/\w+\/[-\d]+,[-\d]+\/forecast\/hourly$/, reply: forecast(true) },
    {
      path: /^\/gridpoints\//,
      reply: ({ path }) => {
        const [lat, lon] = pointOf.get(path.split("/").slice(2, 4).join("/"))!
        const { updatedAt, hourly, maxima, minima } = answerAt(
          now(),
          forecasts.grid({ coordinates: { lat, lon } } as never),
        )
        const series = (
          rows: ReadonlyArray<{ readonly from: number; readonly to: number; readonly tempF: number }>,
        ) => ({
          uom: "wmoUnit:degC",
          values: rows.map(({ from, to, tempF }) => ({
            validTime: `${stamp(from)}/PT${(to - from) / hour}H`,
            value: celsius(tempF),
          })),
        })
        const [, , gridId, numbersOf = ""] = path.split("/")
        const [gridX, gridY] = numbers(numbersOf)
        return json({
          geometry: outlineOf(lat, lon),
          properties: {
            ...{ gridId, gridX, gridY },
            updateTime: stamp(updatedAt),
            temperature: series(hourly.map(({ at, tempF }) => ({ from: at, to: at + hour, tempF }))),
            ...{ maxTemperature: series(maxima), minTemperature: series(minima) },
          },
        })
      },
    },
    {
      path: "/alerts/active",
      reply: ({ query }) => {
        const [lat, lon] = numbers(query.get("point")!)
        const features = point(lat, lon, false).alerts.map(alertOf)
        const title = `Current watches, warnings, and advisories for ${lat} N, ${-lon} W`
        return json({ type: "FeatureCollection", title, features, updated: stamp(now()) })
      },
    },
    {
      path: /^\/stations\/\w+\/observations$/,
      reply: ({ path, query }) => {
        const station = byId.get(path.split("/")[2]!)!
        const read = mockForecasts.readingsBetween(station, Date.parse(query.get("start")!), now() - 4 * minute)
        return json({
          features: [...read].reverse().map(({ at, tempF }) => ({
            properties: {
              station: `https://api.weather.gov/stations/${station.id}`,
              timestamp: stamp(at),
              rawMessage: messageOf(station.id, at, celsius(tempF)),
              temperature: { value: celsius(tempF), unitCode: "wmoUnit:degC", qualityControl: "V" },
            },
          })),
        })
      },
    },
  ]
}

/** Candles of the generated tape, without the minute that runs. */
const candlesOf = (asset: Asset, from: number, to: number, now: number) => {
  const first = Math.max(from, 0)
  const last = Math.min(to, Math.floor(now / minute))
  if (last <= first) return []
  const prices = closes(asset, first - 1, last)
  return Array.from({ length: last - first }, (_, at) => {
    const [open, close] = [prices[at]!, prices[at + 1]!]
    return { time: (first + at) * 60, open, close, low: Math.min(open, close), high: Math.max(open, close) }
  })
}

const coinbase = (now: Now): ReadonlyArray<Route> => [
  {
    path: /^\/products\/(BTC|ETH)-USD\/candles$/,
    reply: ({ path, query }) => {
      const [from, to] = (["start", "end"] as const).map((name) => Date.parse(query.get(name)!) / minute) as [
        number,
        number,
      ]
      const rows = candlesOf(path.split("/")[2]!.slice(0, 3) as Asset, from, to + 1, now())
      return json(rows.map(({ time, low, high, open, close }) => [time, low, high, open, close, 1]).reverse())
    },
  },
]

const kraken = (now: Now): ReadonlyArray<Route> => [
  {
    path: "/0/public/OHLC",
    reply: ({ query }) => {
      const pair = query.get("pair")!
      const running = Math.floor(now() / minute)
      const from = Math.max(Number(query.get("since")) / 60 + 1, running - 719)
      const rows = candlesOf(pair === "ETHUSD" ? "ETH" : "BTC", from, running + 1, now() + minute)
      const texts = rows.map(({ time, low, high, open, close }) => [
        ...[time, String(open), String(high), String(low), String(close), String(close), "1.0", 3],
      ])
      return json({ error: [], result: { [pair]: texts, last: (running - 1) * 60 } })
    },
  },
]

/** When a game's final is out at nflverse. */
const finalAt = (row: Readonly<Record<string, unknown>>): number =>
  Date.parse(`${row["gameday"]}T${row["gametime"]}:00-04:00`) + 5 * hour

/** nflverse's files around the first week of a season: results as they come, the season's own other files not yet. */
const nflverse = (now: Now, season: number): ReadonlyArray<Route> => {
  const files = generatedFiles([season - 2, season - 1, season], 1)
  const complete = csv(files.schedule)
  const text = (body: string) => ({ headers: { "content-type": "text/csv" }, body })
  const ofSeason = (kind: "teamWeeks" | "players" | "injuries" | "rosters", path: RegExp): Route => ({
    path,
    reply: ({ path: asked }) => {
      const year = Number(path.exec(asked)![1])
      const body = year < season ? files[kind].get(year) : undefined
      return body === undefined ? { status: 404, body: "Not Found" } : text(body)
    },
  })
  return [
    {
      path: "/schedules/games.csv",
      reply: () => {
        const file = csv(files.schedule)
        for (const [at, row] of complete.rows.entries()) {
          if (finalAt(row) <= now()) continue
          Object.assign(file.rows[at]!, { home_score: "", away_score: "", result: "", total: "" })
        }
        return text(file.text())
      },
    },
    ofSeason("teamWeeks", /^\/stats_team\/stats_team_week_(\d+)\.csv$/),
    ofSeason("players", /^\/stats_player\/stats_player_week_(\d+)\.csv$/),
    ofSeason("injuries", /^\/injuries\/injuries_(\d+)\.csv$/),
    ofSeason("rosters", /^\/weekly_rosters\/roster_weekly_(\d+)\.csv$/),
  ]
}

const sideOf = ({ teamId, name, wins, losses, starter }: ListedSide, score: number | undefined) => ({
  team: { id: clubId(teamId), name, venue: { id: teamId } },
  leagueRecord: { wins, losses },
  ...(score !== undefined && { score }),
  ...(starter !== undefined && { probablePitcher: { id: starter.id, fullName: starter.name } }),
})

const abstractStates = { scheduled: "Preview", live: "Live", over: "Final", off: "Final" } as const

const gameOf = (game: ListedGame) => ({
  ...{ gamePk: game.gamePk, gameType: game.type, season: String(game.season) },
  ...{ gameDate: `${iso(game.firstPitch).slice(0, 19)}Z`, officialDate: game.officialDate },
  status: { abstractGameState: abstractStates[game.phase], detailedState: game.state },
  teams: { home: sideOf(game.home, game.score?.home), away: sideOf(game.away, game.score?.away) },
  venue: { ...(!game.neutral && { id: game.home.teamId }), name: game.venue },
  ...{ doubleHeader: game.doubleHeader, gameNumber: game.gameNumber },
})

/** Innings as the league writes them: `6.1` is six and one out. */
const inningsText = (innings: number): string => {
  const outs = Math.round(innings * 3)
  return `${Math.floor(outs / 3)}.${outs % 3}`
}

/** Wins by team up to a day. */
const winsBy = memoize((season: number, until: number): ReadonlyMap<number, number> => {
  const wins = new Map<number, number>()
  for (const { game } of mockBaseball.season(season).finished) {
    const { team } = game.home.runs > game.away.runs ? game.home : game.away
    if (game.playedOn <= until) wins.set(team.id, (wins.get(team.id) ?? 0) + 1)
  }
  return wins
}, 16)

const mlb = (now: Now): ReadonlyArray<Route> => [
  {
    path: "/api/v1/schedule",
    reply: ({ query }) => {
      const pk = query.get("gamePks")
      const [from, to] = [query.get("startDate") ?? "", query.get("endDate") ?? ""]
      const dates =
        pk === null
          ? Array.from({ length: (Date.parse(to) - Date.parse(from)) / day + 1 }, (_, at) => addDays(from, at))
          : []
      const all =
        pk === null
          ? dates.flatMap((date) => answerAt(now(), slates.around(date)).games)
          : answerAt(now(), slates.of(Number(pk))).games
      const games = new Map(all.map((game) => [`${game.gamePk}/${game.officialDate}/${game.firstPitch}`, game]))
      const byDate = new Map<string, Array<unknown>>()
      for (const game of games.values()) {
        if (pk === null && !dates.includes(game.officialDate)) continue
        byDate.set(game.officialDate, [...(byDate.get(game.officialDate) ?? []), gameOf(game)])
      }
      const listed = [...byDate].map(([date, all]) => ({ date, games: all }))
      return json({ totalGames: listed.flatMap(({ games: all }) => all).length, dates: listed })
    },
  },
  {
    path: "/api/v1/standings",
    reply: ({ query }) => {
      const season = Number(query.get("season"))
      const date = query.get("date")
      const { lines: teams } = answerAt(now(), lines.teams(season, date === null ? undefined : addDays(date, 1)))
      const wins = winsBy(season, date === null ? Number.POSITIVE_INFINITY : Date.parse(date))
      const teamRecords = [...teams].map(([id, { games, scored, allowed }]) => ({
        ...{ team: { id: clubId(id) }, season: String(season), gamesPlayed: games },
        ...{ runsScored: scored, runsAllowed: allowed, leagueRecord: { wins: wins.get(id) ?? 0 } },
      }))
      return json({ records: [{ teamRecords }] })
    },
  },
  {
    path: /^\/api\/v1\/game\/\d+\/boxscore$/,
    reply: ({ path }) => {
      const gamePk = Number(path.split("/")[4])
      const { home, away } = mockBaseball.season(gameSeason(gamePk)).games.find((game) => game.gamePk === gamePk)!
      const posted = answerAt(now(), slates.lineUps(gamePk))
      const side = ({ team, starter }: typeof home) => ({
        ...{ team: { id: clubId(team.id) }, teamStats: { pitching: wireCounts }, pitchers: [starter.id] },
        players: wirePlayers(team === home.team ? posted.home : posted.away),
      })
      return json({ teams: { home: side(home), away: side(away) } })
    },
  },
  { path: "/api/v1/people", reply: ({ query }) => json(wireBatters(query.get("personIds")!.split(","))) },
  {
    path: /^\/api\/v1\/people\/(\d+)\/stats$/,
    reply: ({ path }) => {
      const id = Number(path.split("/")[4])
      const year = new Date(now()).getUTCFullYear()
      const { earlier } = answerAt(now(), lines.pitcher(id, year, dayOf(now() + day)))
      const starts = (mockBaseball.season(year).starts.get(id) ?? []).filter(({ endsAt }) => endsAt <= now())
      const stat = ({ innings, earnedRuns }: { readonly innings: number; readonly earnedRuns: number }) => ({
        stat: { inningsPitched: inningsText(innings), earnedRuns, ...wireCounts, battersFaced: 400 },
      })
      const group = { displayName: "pitching" }
      const player = { id }
      const log = starts.map(({ playedOn, line }) => ({
        season: String(year),
        player,
        date: dayOf(playedOn),
        ...stat(line),
      }))
      const total = starts.reduce((sum, { line }) => addLines(sum, line), noInnings)
      const years = [...earlier, [year, total] as const].map(([season, line]) => ({
        ...{ season: String(season), player, team: { id: 1 } },
        ...stat(line),
      }))
      return json({
        stats: [
          { type: { displayName: "gameLog" }, group, splits: log },
          { type: { displayName: "yearByYear" }, group, splits: years },
        ],
      })
    },
  },
]

/** The value that a listing settles on. */
const valueOf = ({ domain, ticker, closeTime, game, series }: Listing): number => {
  switch (domain) {
    case "weather": {
      const station = stations.find(({ settles }) => settles.venue_high_series === series)!
      const [, year, month, on] = /-(\d\d)([A-Z]{3})(\d\d)$/.exec(ticker)!
      const at = `20${year}-${String(monthNames.indexOf(month!) + 1).padStart(2, "0")}-${on}`
      return drawIssuance(station, at, "final").report.highF!
    }
    case "crypto": {
      const at = closeTime / minute
      return closes(series === "KXETHD" ? "ETH" : "BTC", at - 1, at)[0]!
    }
    case "nfl": {
      const { score } = playedSeason(Number(game!.slice(0, 4))).find(({ game: { id } }) => id === game)!.game
      return score!.home - score!.away
    }
    case "mlb": {
      const played = mockBaseball.season(new Date(closeTime).getUTCFullYear()).games
      const { home, away } = played.find(({ gamePk }) => String(gamePk) === game)!
      return home.runs - away.runs
    }
  }
}

const pays = ({ shape, contracts }: Listing, { ticker, floorStrike, capStrike }: Terms, value: number): boolean =>
  shape === "sides"
    ? contracts[0]!.ticker === ticker
      ? value > 0
      : value < 0
    : (floorStrike === undefined || value > floorStrike - (capStrike === undefined ? 0 : 1)) &&
      (capStrike === undefined || value < capStrike + (floorStrike === undefined ? 0 : 1))

/** The contracts that the venue lists: those of games of baseball under the real clubs' codes are left out. */
const listed: ReadonlyArray<Exclude<Domain, "mlb">> = domains.filter((domain) => domain !== "mlb")

const rulesOf = ({ domain, settlesOn }: Listing): string =>
  domain === "weather"
    ? "If the highest temperature is as given according to the National Weather Service, then yes."
    : settlesOn

const rowOf = (listing: Listing, terms: Terms, now: number) => {
  const cents = 2 + Math.floor(95 * uniform(`${terms.ticker}/${Math.floor(now / hour)}`, "book"))
  const dollars = (price: number) => (price / 100).toFixed(4)
  const isSettled = listing.settlesAt <= now
  return {
    ...{ ticker: terms.ticker, event_ticker: listing.ticker, market_type: "binary", title: terms.title },
    status: isSettled ? "finalized" : now < listing.closesAt ? "active" : "closed",
    ...{ strike_type: terms.strikeType, floor_strike: terms.floorStrike, cap_strike: terms.capStrike },
    ...{ close_time: iso(listing.closeTime), rules_primary: rulesOf(listing) },
    ...{ yes_bid_dollars: dollars(cents), yes_ask_dollars: dollars(cents + 1), no_ask_dollars: dollars(100 - cents) },
    ...{ yes_ask_size_fp: "120.00", yes_bid_size_fp: `${cents}.50`, volume_fp: "4310.25", open_interest_fp: "977.00" },
    result: isSettled ? (pays(listing, terms, valueOf(listing)) ? "yes" : "no") : "",
    ...(isSettled && { settlement_ts: iso(listing.settlesAt) }),
  }
}

/** A listing of an hour, whose ticker the venue writes in New York's time; of an hour in summer. */
const inNewYork = (listing: Listing): Listing => {
  if (listing.domain !== "crypto") return listing
  const closes = iso(listing.closeTime - 4 * hour)
  const stamp = `${closes.slice(2, 4)}${monthNames[Number(closes.slice(5, 7)) - 1]}${closes.slice(8, 10)}${closes.slice(11, 13)}`
  const ticker = `${listing.series}-${stamp}`
  return {
    ...listing,
    ticker,
    contracts: listing.contracts.map((terms) => ({ ...terms, ticker: terms.ticker.replace(listing.ticker, ticker) })),
  }
}

/** The listings around a day, each with its contracts. */
const listingsAround = (now: number): ReadonlyArray<Listing> =>
  listed.flatMap((domain) =>
    Array.from({ length: 12 }, (_, ahead) => listingsOn(domain, addDays(dayOf(now), ahead - 3)).map(inNewYork)).flat(),
  )

const kalshi = (now: Now): ReadonlyArray<Route> => {
  const rows = (wanted: (listing: Listing, terms: Terms) => boolean) =>
    listingsAround(now())
      .filter(({ opensAt }) => opensAt <= now())
      .flatMap((listing) =>
        listing.contracts.filter((terms) => wanted(listing, terms)).map((terms) => rowOf(listing, terms, now())),
      )
  return [
    {
      path: "/markets",
      reply: ({ query }) => {
        const [series, tickers] = [query.get("series_ticker"), query.get("tickers")?.split(",")]
        const markets = rows(({ series: name, closesAt }, { ticker }) =>
          tickers === undefined ? name === series && now() < closesAt : tickers.includes(ticker),
        )
        return json({ markets, cursor: "" })
      },
    },
    { path: "/historical/markets", reply: json({ markets: [], cursor: "" }) },
    { path: "/events", reply: ({ query }) => events(rows(({ series }) => series === query.get("series_ticker"))) },
    {
      path: /^\/series\//,
      reply: ({ path }) =>
        json({
          series: {
            ticker: path.split("/")[2],
            fee_type: "quadratic",
            fee_multiplier: 1,
            settlement_sources: [{ name: "CF Benchmarks" }],
          },
        }),
    },
  ]
}

/** The result of a contract of the first venue; undefined: it is not settled yet. */
export const resultIn = (ticker: string, now: number): "yes" | "no" | undefined => {
  const listing = listingsAround(now).find(({ contracts }) => contracts.some((terms) => terms.ticker === ticker))
  if (listing === undefined || listing.settlesAt > now) return undefined
  return pays(listing, listing.contracts.find((terms) => terms.ticker === ticker)!, valueOf(listing)) ? "yes" : "no"
}

/** Noon in New York, by which its contracts close. */
const polymarket = (now: Now): ReadonlyArray<Route> => {
  const coins = [
    { name: "Bitcoin", asset: "BTC", series: "btc-multi-strikes-weekly", tick: 1_000, id: "1" },
    { name: "Ethereum", asset: "ETH", series: "ethereum-multi-strikes-weekly", tick: 100, id: "2" },
  ] as const
  const eventOf = ({ name, asset, series, tick }: (typeof coins)[number], on: string) => {
    const closesAt = Date.parse(`${on}T16:00:00Z`)
    const opens = (closesAt - 2 * day) / minute
    const middle = Math.round(closes(asset, opens - 1, opens)[0]! / tick) * tick
    const date = new Date(closesAt).toLocaleDateString("en-US", { month: "long", day: "numeric", timeZone: "UTC" })
    const isClosed = closesAt <= now()
    const close = isClosed ? closes(asset, closesAt / minute - 1, closesAt / minute)[0]! : undefined
    return {
      closesAt,
      slug: `${name.toLowerCase()}-above-on-${date.toLowerCase().replace(" ", "-")}`,
      seriesSlug: series,
      markets: [-2, -1, 0, 1, 2].map((steps) => {
        const strike = middle + steps * tick
        return {
          slug: `${name.toLowerCase()}-above-${strike}-on-${date.toLowerCase().replace(" ", "-")}`,
          question: `Will the price of ${name} be above $${strike.toLocaleString("en-US")} on ${date}?`,
          outcomes: '["Yes", "No"]',
          outcomePrices: close === undefined ? '["0.5", "0.5"]' : close > strike ? '["1", "0"]' : '["0", "1"]',
          ...{
            endDate: iso(closesAt).replace(".000Z", "Z"),
            active: true,
            closed: isClosed,
            acceptingOrders: !isClosed,
          },
          ...{ groupItemTitle: strike.toLocaleString("en-US"), bestBid: 0.49, bestAsk: 0.51, negRisk: false },
          description: `The resolution source for this market is Binance, specifically the ${asset}/USDT "Close" prices.`,
          ...(isClosed && { umaResolutionStatus: "resolved", closedTime: iso(closesAt + hour) }),
          feesEnabled: false,
        }
      }),
    }
  }
  const events = (coin: (typeof coins)[number]) =>
    Array.from({ length: 4 }, (_, ahead) => eventOf(coin, addDays(dayOf(now()), ahead - 2)))
  return [
    {
      path: "/series",
      reply: ({ query }) =>
        json(
          coins.filter(({ series }) => series === query.get("slug")).map(({ id, series }) => ({ id, slug: series })),
        ),
    },
    {
      path: "/events/keyset",
      reply: ({ query }) => {
        const coin = coins.find(({ id }) => id === query.get("series_id"))!
        return json({ events: events(coin).filter(({ closesAt }) => closesAt > now()) })
      },
    },
    {
      path: "/markets/keyset",
      reply: ({ query }) => {
        const markets = coins.flatMap(events).flatMap((event) => event.markets)
        return json({ markets: markets.filter(({ slug, closed }) => closed && query.getAll("slug").includes(slug)) })
      },
    },
  ]
}

/**
 * The generated world as its sources would serve it at any time, in their own shapes, by the name of the upstream.
 *
 * @param season of football, in its first week
 */
export const worldUpstreams = (now: Now, season: number): Readonly<Record<string, ReadonlyArray<Route>>> => ({
  ...{ nws: nws(now), iem: archiveRoutes(now), coinbase: coinbase(now), kraken: kraken(now), mlb: mlb(now) },
  ...{ nbm: guidanceRoutes("nbm", now), mdl: guidanceRoutes("gfs_mos", now) },
  ...{ nflverse: nflverse(now, season), kalshi: kalshi(now), polymarket: polymarket(now) },
})
