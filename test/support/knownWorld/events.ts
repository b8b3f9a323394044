import { closes } from "../../../adapters/lanes/crypto/mock/tape.ts"
import { normal, uniform } from "../../../adapters/lanes/mock/hash.ts"
import { dailyNormals } from "../../../adapters/lanes/weather/mock/climate.ts"
import { months } from "../../../core/contracts/tickers.ts"
import { teams } from "../../../core/lanes/football/data/teams.ts"
import { climateDayStart, type Station, stations } from "../../../core/lanes/weather/stations.ts"
import type { Domain } from "../../../core/record/scoreboard/Settled.ts"
import { addDays, day, dayOf, hour, iso, minute } from "../../../core/time.ts"
import type { WorldContract, WorldEvent } from "./world.ts"

/** A day in venue tickers: 26JUL09. */
const stamp = (day: string): string => `${day.slice(2, 4)}${months[Number(day.slice(5, 7)) - 1]!}${day.slice(8, 10)}`

type Plan = Omit<WorldEvent, "closesAt" | "isVoid" | "settlesAt"> & { readonly settlesAfter: number }

/** Faults of an event: an early close, a void, an unknown fee. */
const withFate = ({ settlesAfter, feeRate, ...plan }: Plan): WorldEvent => {
  const fate = uniform(plan.ticker, "fate")
  const early = fate < 0.05 ? uniform(plan.ticker, "early") * 0.3 : 0
  const closesAt = Math.round(plan.scheduledClose - early * (plan.scheduledClose - plan.opensAt))
  return {
    ...plan,
    closesAt,
    settlesAt: plan.scheduledClose + settlesAfter,
    isVoid: fate > 0.985,
    ...(feeRate === undefined || (fate > 0.05 && fate < 0.07) ? {} : { feeRate }),
  }
}

/** A day's high: six strikes, one below, four of two degrees, one above, as whole degrees settle them. */
const highOf = (station: Station, on: string): WorldEvent => {
  const { highF, deviationF } = dailyNormals(station, on)
  const series = station.settles.venue_high_series ?? station.id
  const ticker = `${series}-${stamp(on)}`
  const sd = deviationF * 0.5
  const mean = highF + deviationF * normal(ticker, "mean")
  const low = Math.round(mean) - 4
  const end = climateDayStart(station, addDays(on, 1))
  const title = (words: string) => `High in ${station.city} on ${on}: ${words}`
  const between = [0, 2, 4, 6].map(
    (from): WorldContract => ({
      ticker: `${ticker}-B${low + from + 0.5}`,
      title: title(`${low + from} to ${low + from + 1} °F`),
      strikeType: "between",
      floorStrike: low + from,
      capStrike: low + from + 1,
      above: low + from - 0.5,
      upTo: low + from + 1.5,
    }),
  )
  return withFate({
    domain: "weather",
    series,
    ticker,
    instrument: station.id,
    opensAt: end - 38 * hour,
    scheduledClose: end - minute,
    settlesAfter: 9 * hour,
    feeRate: 700,
    mean,
    sd,
    sourceGap: 0.08,
    contracts: [
      {
        ticker: `${ticker}-T${low}`,
        title: title(`below ${low} °F`),
        strikeType: "less",
        capStrike: low,
        above: Number.NEGATIVE_INFINITY,
        upTo: low - 0.5,
      },
      ...between,
      {
        ticker: `${ticker}-T${low + 7}`,
        title: title(`above ${low + 7} °F`),
        strikeType: "greater",
        floorStrike: low + 7,
        above: low + 7.5,
        upTo: Number.POSITIVE_INFINITY,
      },
    ],
  })
}

const coins = [
  { asset: "BTC", series: "KXBTCD", tick: 100 },
  { asset: "ETH", series: "KXETHD", tick: 5 },
] as const

/** An asset's price on the hour: five strikes around the price at the opening. */
const priceOf = ({ asset, series, tick }: (typeof coins)[number], at: number): WorldEvent => {
  const text = iso(at)
  const ticker = `${series}-${stamp(text)}${text.slice(11, 13)}`
  const opens = (at - 2 * hour) / minute
  const mean = closes(asset, opens - 1, opens)[0]!
  const sd = mean * 0.006
  return withFate({
    domain: "crypto",
    series,
    ticker,
    instrument: asset,
    opensAt: at - 2 * hour,
    scheduledClose: at,
    settlesAfter: 5 * minute,
    feeRate: 700,
    mean,
    sd,
    sourceGap: mean * 0.0001,
    contracts: [-1, -0.5, 0, 0.5, 1].map((k): WorldContract => {
      const strike = Math.round((mean + k * sd) / tick) * tick
      return {
        ticker: `${ticker}-T${strike}`,
        title: `${asset} above ${strike} USD at ${text.slice(0, 16)}Z`,
        strikeType: "greater",
        floorStrike: strike,
        above: strike,
        upTo: Number.POSITIVE_INFINITY,
      }
    }),
  })
}

/** The clubs of the demonstration's league. */
const clubs = [
  ...["ALB", "AMA", "ASH", "AUG", "BAN", "BIL", "BOI", "CAS", "DAY", "DES", "DUL", "ELP", "ERI", "FAR", "FRE"],
  ...["GAL", "HEL", "LAR", "LIN", "LUB", "MOB", "NOR", "PRO", "RIC", "SAV", "SPO", "TAC", "TOP", "TRE", "TUL"],
]

/** Everybody once, in an order that depends on the round: neighbours play each other. */
const paired = (
  players: ReadonlyArray<string>,
  round: string,
): ReadonlyArray<readonly [away: string, home: string]> => {
  const order = players
    .map((player) => [uniform(round, player), player] as const)
    .sort(([a], [b]) => a - b)
    .map(([, player]) => player)
  return Array.from({ length: order.length / 2 }, (_, at) => [order[2 * at]!, order[2 * at + 1]!] as const)
}

interface Sport {
  readonly domain: Domain
  readonly series: string
  /** Home advantage and standard deviation of the margin; the deviation of what is expected of a game. */
  readonly home: number
  readonly sd: number
  readonly strength: number
  /** The margin of the two handicap contracts. */
  readonly handicap: number
  readonly opens: number
  readonly lasts: number
}

const football: Sport = {
  ...{ domain: "nfl", series: "KXNFLGAME", home: 1.8, sd: 13, strength: 5.5, handicap: 3.5 },
  ...{ opens: 7.5 * day, lasts: 3.5 * hour },
}
const baseball: Sport = {
  ...{ domain: "mlb", series: "KXMLBGAME", home: 0.2, sd: 4.4, strength: 0.9, handicap: 1.5 },
  ...{ opens: 1.5 * day, lasts: 3 * hour },
}

/** A game: who wins, one contract a side, and whether either side wins by more than a handicap. */
const gameOf = (sport: Sport, [away, home]: readonly [string, string], begins: number): WorldEvent => {
  const { domain, series, handicap } = sport
  const ticker = `${series}-${stamp(iso(begins))}${away}${home}`
  const [none, all] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  const bet = (team: string, by: number, above: number, upTo: number): WorldContract =>
    by === 0
      ? {
          ticker: `${ticker}-${team}`,
          title: `${away} at ${home}: ${team} wins`,
          strikeType: "structured",
          above,
          upTo,
        }
      : {
          ticker: `${ticker}-${team}${by}`,
          title: `${away} at ${home}: ${team} by more than ${by}`,
          strikeType: "greater",
          floorStrike: by,
          above,
          upTo,
        }
  return withFate({
    domain,
    series,
    ticker,
    instrument: `${away} @ ${home}`,
    opensAt: begins - sport.opens,
    scheduledClose: begins + sport.lasts,
    settlesAfter: hour / 2,
    feeRate: 700,
    mean: sport.home + sport.strength * normal(ticker, "mean"),
    sd: sport.sd,
    sourceGap: 0,
    contracts: [
      bet(home, 0, 0, all),
      bet(away, 0, none, 0),
      bet(home, handicap, handicap, all),
      bet(away, handicap, none, -handicap),
    ],
  })
}

/** Two kick-offs on Sundays. The league of the demonstration plays all year. */
const sunday = (at: number): ReadonlyArray<WorldEvent> =>
  paired(teams, `football/${at}`).map((pair, game) => gameOf(football, pair, at + (game < 10 ? 17 : 20.5) * hour))

const ballgames = (at: number): ReadonlyArray<WorldEvent> =>
  paired(clubs, `baseball/${at}`).map((pair, game) => gameOf(baseball, pair, at + (game < 5 ? 17.5 : 23) * hour))

const eventsOn: Readonly<Record<Domain, (at: number) => ReadonlyArray<WorldEvent>>> = {
  weather: (at) => stations.map((station) => highOf(station, dayOf(at))),
  crypto: (at) => Array.from({ length: 24 }, (_, on) => coins.map((coin) => priceOf(coin, at + on * hour))).flat(),
  // 1970-01-04 was a Sunday.
  nfl: (at) => ((at / day) % 7 === 3 ? sunday(at) : []),
  mlb: ballgames,
}

const made = new Map<string, ReadonlyArray<WorldEvent>>()

/** Each day is made once. */
const madeOn = (domain: Domain, at: number): ReadonlyArray<WorldEvent> => {
  const name = `${domain} ${at}`
  const events = made.get(name) ?? eventsOn[domain](at)
  made.set(name, events)
  return events
}

/**
 * The events of a domain that belong to the UTC days from `first` up to, not including, `end` (both epoch milliseconds at
 * midnight): the same on every run. A day's events close from that midnight on, within 42 hours; they settle within 51.
 */
export const eventsOf = (domain: Domain, first: number, end: number): ReadonlyArray<WorldEvent> =>
  Array.from({ length: Math.max(0, (end - first) / day) }, (_, at) => madeOn(domain, first + at * day)).flat()
