import type { Contract } from "../../../../core/contracts/Contract.ts"
import { months } from "../../../../core/contracts/tickers.ts"
import { getOrMake } from "../../../../core/getOrMake.ts"
import { ifDefined } from "../../../../core/ifDefined.ts"
import { impliedHomeWin } from "../../../../core/lanes/football/data/Game.ts"
import { byId, climateDayStart, type Station, stations } from "../../../../core/lanes/weather/stations.ts"
import type { Domain } from "../../../../core/record/scoreboard/Settled.ts"
import { addDays, day, dayOf, hour, iso, minute } from "../../../../core/time.ts"
import { season as baseballSeason } from "../../baseball/mock/baseball.ts"
import type { MockGame } from "../../baseball/mock/season.ts"
import { closes } from "../../crypto/mock/tape.ts"
import type { Played } from "../../football/mock/game.ts"
import { playedSeason } from "../../football/mock/season.ts"
import { memoize } from "../../mock/draws.ts"
import { uniform } from "../../mock/hash.ts"
import { issuedAt } from "../../weather/mock/forecast.ts"
import { expectedTemperature } from "../../weather/mock/outlook.ts"
import { findSpot } from "../../weather/mock/spot.ts"

export type Terms = Pick<Contract, "ticker" | "title" | "strikeType" | "floorStrike" | "capStrike">

/**
 * Contracts that settle on one value of another mock lane: a day's high, a price on the hour, a game. Everything but the
 * strikes is that lane's own; the strikes stand around its forecast, or its price, when trading opens.
 */
export interface Listing {
  readonly domain: Domain
  readonly series: string
  readonly ticker: string
  readonly settlesOn: string
  readonly opensAt: number
  /** As announced while the contracts trade. */
  readonly closeTime: number
  /** When trading ends: earlier than announced if a game is postponed or cancelled. */
  readonly closesAt: number
  /** When the lane's final is out for good, corrections included. */
  readonly settlesAt: number
  /** Ten-thousandths; absent if the venue does not state it. */
  readonly feeRate?: number
  /** The id of a game in its lane. */
  readonly game?: string
  /** The probability of the first contract by the bookmakers of the same event, their margin removed. */
  readonly posted?: number
  /**
   * How the contracts share out the values. `ladder`: each value pays one of them, rising. `strikes`: each pays above its
   * own. `sides`: one or the other pays, home first.
   */
  readonly shape: "ladder" | "strikes" | "sides"
  /** Whether the venue's prices may be far off. */
  readonly isMispriced: boolean
  readonly contracts: ReadonlyArray<Terms>
}

type Plan = Omit<Listing, "feeRate" | "isMispriced">

/** One listing in nine, drawn among those of one day, week or hour. */
const perMispriced = 9
const usualFee = 700

/** The venue's part in listings that come together: which prices may be far off, and which fee is not stated. */
const toListings = (name: string, plans: ReadonlyArray<Plan>): ReadonlyArray<Listing> => {
  const many = Math.floor(plans.length / perMispriced + uniform(name, "mispriced"))
  const drawn = new Set(
    plans
      .map(({ ticker }) => [uniform(ticker, "lot"), ticker] as const)
      .sort(([a], [b]) => a - b)
      .slice(0, many)
      .map(([, ticker]) => ticker),
  )
  return plans.map((plan) => ({
    ...plan,
    // The venue keeps to bookmakers' prices where there are any.
    isMispriced: plan.posted === undefined && drawn.has(plan.ticker),
    ...(uniform(plan.ticker, "fee") < 0.02 ? {} : { feeRate: usualFee }),
  }))
}

/** A day as in venues' tickers: 26JUL09. */
export const stamp = (on: string): string => `${on.slice(2, 4)}${months[Number(on.slice(5, 7)) - 1]!}${on.slice(8, 10)}`

const findStationSpot = memoize((station: string) => findSpot(byId.get(station)!.coordinates))

/** The afternoon's temperature as the mock office forecasts it when trading opens, degrees Fahrenheit. */
const forecastHigh = (station: Station, on: string, opensAt: number): number => {
  const spot = findStationSpot(station.id)
  return expectedTemperature(spot, issuedAt(spot.office.id, opensAt))(climateDayStart(station, on) + 15 * hour)
}

/** A day's high: six contracts, one below, four of two degrees, one above. It settles once a correction is out. */
const planHigh = (station: Station, on: string): Plan => {
  const series = station.settles.venue_high_series ?? station.id
  const ticker = `${series}-${stamp(on)}`
  const end = climateDayStart(station, addDays(on, 1))
  const opensAt = end - 38 * hour
  const low = Math.round(forecastHigh(station, on, opensAt)) - 4
  const title = (words: string) => `High in ${station.city} on ${on}: ${words}`
  return {
    domain: "weather",
    series,
    ticker,
    settlesOn: `National Weather Service daily climate report ${station.cliProduct}`,
    opensAt,
    closeTime: end - minute,
    closesAt: end - minute,
    settlesAt: end + 10 * hour,
    shape: "ladder",
    contracts: [
      { ticker: `${ticker}-T${low}`, title: title(`below ${low} °F`), strikeType: "less", capStrike: low },
      ...[0, 2, 4, 6].map((from) => ({
        ticker: `${ticker}-B${low + from + 0.5}`,
        title: title(`${low + from} to ${low + from + 1} °F`),
        strikeType: "between",
        floorStrike: low + from,
        capStrike: low + from + 1,
      })),
      {
        ticker: `${ticker}-T${low + 7}`,
        title: title(`above ${low + 7} °F`),
        strikeType: "greater",
        floorStrike: low + 7,
      },
    ],
  }
}

const coins = [
  { asset: "BTC", series: "KXBTCD", tick: 100 },
  { asset: "ETH", series: "KXETHD", tick: 5 },
] as const

/** An asset's price on the hour: five strikes around the tape's price when trading opens. */
const planPrice = ({ asset, series, tick }: (typeof coins)[number], at: number): Plan => {
  const text = iso(at)
  const ticker = `${series}-${stamp(text)}${text.slice(11, 13)}`
  const opensAt = at - 2 * hour
  const opens = opensAt / minute
  const price = closes(asset, opens - 1, opens)[0]!
  return {
    domain: "crypto",
    series,
    ticker,
    settlesOn: "mock one-minute tape",
    opensAt,
    closeTime: at,
    closesAt: at,
    settlesAt: at + 5 * minute,
    shape: "strikes",
    contracts: [-1, -0.5, 0, 0.5, 1].map((k) => {
      const strike = Math.round((price * (1 + 0.006 * k)) / tick) * tick
      return {
        ticker: `${ticker}-T${strike}`,
        title: `${asset} above ${strike} USD at ${text.slice(0, 16)}Z`,
        strikeType: "greater",
        floorStrike: strike,
      }
    }),
  }
}

const winners = (event: string, away: string, home: string): ReadonlyArray<Terms> =>
  [home, away].map((team) => ({
    ticker: `${event}-${team}`,
    title: `${away} at ${home}: ${team} wins`,
    strikeType: "structured",
  }))

const finalScore = "final score"

/** The longest that a football game lasts, its overtime included. */
const footballDurationMs = 4 * hour

const planFootball = ({ game, kickoffAt, lines }: Played, knownAt: number): Plan => {
  const [away, home] = [game.away.team, game.home.team]
  const ticker = `KXNFLGAME-${stamp(game.gameday)}${away}${home}`
  return {
    domain: "nfl",
    series: "KXNFLGAME",
    ticker,
    settlesOn: finalScore,
    opensAt: Math.max(knownAt, kickoffAt - 7.5 * day),
    closeTime: kickoffAt,
    closesAt: kickoffAt,
    settlesAt: kickoffAt + footballDurationMs,
    game: game.id,
    ...ifDefined("posted", impliedHomeWin(lines)),
    shape: "sides",
    contracts: winners(ticker, away, home),
  }
}

/** The games of a season by their week; a round of the playoffs is known when the one before it is over. */
const footballSeason = memoize((season: number): ReadonlyMap<string, ReadonlyArray<Listing>> => {
  const byWeek = new Map<number, Array<Played>>()
  for (const played of playedSeason(season)) getOrMake(byWeek, played.game.week, () => []).push(played)
  const byKey = new Map<string, Array<Listing>>()
  let lastKickoff = Number.NEGATIVE_INFINITY
  for (const [week, games] of [...byWeek].sort(([a], [b]) => a - b)) {
    const toKnownTime = (game: Played) =>
      game.game.type === "REG" ? Number.NEGATIVE_INFINITY : lastKickoff + footballDurationMs
    const plans = games.map((game) => planFootball(game, toKnownTime(game)))
    for (const [at, listing] of toListings(`nfl/${season}/${week}`, plans).entries()) {
      getOrMake(byKey, games[at]!.game.gameday, () => []).push(listing)
    }
    lastKickoff = Math.max(lastKickoff, ...games.map(({ kickoffAt }) => kickoffAt))
  }
  return byKey
})

/** Football is played from September to February. */
const footballOn = (on: string): ReadonlyArray<Listing> => {
  const season = Number(on.slice(0, 4)) - (on.slice(5, 7) < "07" ? 1 : 0)
  return footballSeason(season).get(on) ?? []
}

/** The final is out with the last out; the venue settles later. */
const afterGame = hour

/**
 * The listings of a game, usually one. A change of plans ends the trading under the first date; the game counts on the
 * day of play. Under its new date, or as the second game of its day, it is listed again with the number that it has
 * there.
 */
const planBaseball = (game: MockGame): ReadonlyArray<Plan> => {
  const { gamePk, fate, doubleHeader, gameNumber, listedOn, playedOn, firstListed, firstPitch, endsAt } = game
  const [away, home] = [game.away.team.code, game.home.team.code]
  const isChanged = fate === "postponed" || fate === "cancelled" || doubleHeader !== "N"
  const listing = (on: number, number: string, from: number, announced: number, until: number): Plan => {
    const ticker = `KXMLBGAME-${stamp(dayOf(on))}${away}${home}${number}`
    const closesAt = Math.min(announced, until)
    return {
      domain: "mlb",
      series: "KXMLBGAME",
      ticker,
      settlesOn: finalScore,
      opensAt: from,
      closeTime: announced,
      closesAt,
      settlesAt: (Number.isFinite(endsAt) ? endsAt : announced) + afterGame,
      game: String(gamePk),
      shape: "sides",
      contracts: winners(ticker, away, home),
    }
  }
  const opensAt = firstListed - 1.5 * day
  const planned = listing(listedOn, "", opensAt, firstListed, isChanged ? game.announcedAt : firstListed)
  const again =
    isChanged && fate !== "cancelled"
      ? [listing(playedOn, `G${gameNumber}`, Math.max(opensAt, game.announcedAt), firstPitch, firstPitch)]
      : []
  return [planned, ...again].filter((one) => one.opensAt < one.closesAt)
}

const eventsOn: Readonly<Record<Domain, (on: string) => ReadonlyArray<Listing>>> = {
  weather: (on) =>
    toListings(
      `weather/${on}`,
      stations.map((station) => planHigh(station, on)),
    ),
  crypto: (on) =>
    toListings(
      `crypto/${on}`,
      Array.from({ length: 24 }, (_, at) => coins.map((coin) => planPrice(coin, Date.parse(on) + at * hour))).flat(),
    ),
  nfl: footballOn,
  mlb: (on) => {
    const { games } = baseballSeason(Number(on.slice(0, 4)))
    const midnight = Date.parse(on)
    return toListings(`mlb/${on}`, games.filter(({ listedOn }) => listedOn === midnight).flatMap(planBaseball))
  },
}

const mostKept = 2_000

/** The listings of a domain by climate day, UTC day of the hour, or first scheduled day of the game. */
export const listingsOn = memoize((domain: Domain, on: string) => eventsOn[domain](on), mostKept)
