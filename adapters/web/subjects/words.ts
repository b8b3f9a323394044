import { months } from "../../../core/contracts/tickers.ts"
import type * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import { ifDefined } from "../../../core/ifDefined.ts"
import type { endpoints as markets } from "../../../core/lanes/markets/endpoints.ts"
import { cityName } from "../../../core/lanes/weather/stations.ts"
import * as Calibration from "../../../core/record/scoreboard/calibration.ts"
import { count } from "../../../core/text.ts"
import { day, hour, iso, minute } from "../../../core/time.ts"
import type { History, Strike } from "../pictures/pictures.ts"
import { gameTitle, nickname, teamName } from "../pictures/teams.ts"
import { dayText } from "../view/dates.ts"
import { percent, points } from "../view/numbers.ts"
import type { Card, Line, Says, Track, View } from "./Subject.ts"

type Row = Endpoint.Results<typeof markets.edge>["edges"][number]

const withCommas = (text: string): string => text.replace(/\d{4,}(?=(\.\d+)? USD)/g, (digits) => count(Number(digits)))

/** The days and amounts of a venue's or our title as all pages write them. */
export const titleWords = (title: string): string =>
  withCommas(title).replace(/ (?:on|at) (\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})Z)?/, (_, date: string, time?: string) =>
    time === undefined ? `, ${dayText(date)}` : `, ${dayText(date)}, ${time} UTC`,
  )

const parted = (title: string): readonly [event: string, name: string] => {
  const [event = "", name] = title.split(/: (.*)/s)
  if (name !== undefined) return [titleWords(event), withCommas(name)]
  const [, asset, strike, at] = /^(\w+) (above .+?)( at .+)$/.exec(title) ?? []
  return strike === undefined ? [titleWords(title), titleWords(title)] : [titleWords(asset! + at!), withCommas(strike)]
}

/** The ticker of an event of a day, `KXHIGHNY-26NOV26`. */
export const eventOf = (series: string, day: string): string =>
  `${series}-${day.slice(2, 4)}${months[Number(day.slice(5, 7)) - 1]}${day.slice(8)}`

/**
 * Where a value, the market's and our range are on a line that goes a little beyond them.
 *
 * @param beyond how far it goes
 */
export const trackOf = (
  ...[model, market, [low, high], beyond, show]: readonly [
    model: number,
    market: number | undefined,
    range: readonly [low: number, high: number],
    beyond: number,
    show: (value: number) => string,
  ]
): Track => {
  const [from, to] = [
    Math.floor(Math.min(low, market ?? low) - beyond),
    Math.ceil(Math.max(high, market ?? high) + beyond),
  ]
  const scale = (value: number) => (value - from) / (to - from)
  return {
    model: scale(model),
    ...(market !== undefined && { market: scale(market) }),
    range: [scale(low), scale(high)],
    ends: [show(from), show(to)],
  }
}

/** What model and market give a contract. */
export const saysOf = (model: number, market: number | undefined): Says => ({
  we: percent(model),
  ...(market !== undefined && {
    ...{ market: percent(market), chances: [model, market], track: { model, market, ends: ["0 %", "100 %"] } },
    difference: `${points(model, market)} points`,
  }),
})

/** A history that ends with the numbers that the page shows now. */
export const endingNow = (history: History, lines: ReadonlyArray<Line>, now: number): History => ({
  ...history,
  points: [
    ...history.points,
    ...lines.flatMap(({ ticker, model, market }) => {
      const last = history.points.findLast((point) => point.market === ticker)
      if (last === undefined || model === undefined) return []
      const { market_prob: _, ...rest } = last
      return [{ ...rest, captured_at: iso(now), model_prob: model, ...ifDefined("market_prob", market) }]
    }),
  ],
})

/** The part of a contract's title that is the same for all contracts of its event. */
export const eventName = (title: string, ticker: string): string => parted(gameTitle(title, ticker))[0]

/** What a contract's title says of this contract alone. */
export const contractName = (title: string, ticker: string): string => parted(gameTitle(title, ticker))[1]

/** `14 h 20 min`, `3 d 4 h`. */
export const duration = (ms: number): string => {
  const [days, hours, minutes] = [Math.floor(ms / day), Math.floor(ms / hour), Math.floor(ms / minute)]
  if (days > 0) return `${days}\u00a0d ${hours % 24}\u00a0h`
  return hours > 0 ? `${hours}\u00a0h ${minutes % 60}\u00a0min` : `${minutes}\u00a0min`
}

/** How long it is still open. */
export const closeText = (at: number, now: number): string => (at <= now ? "closed" : `closes in ${duration(at - now)}`)

/** The state of a subject that is not open any more; undefined: it is open. */
export const stateOf = (
  { state, happened, closesAt }: Pick<Card, "state" | "happened" | "closesAt">,
  now: number,
): string | undefined =>
  state ?? (happened !== undefined ? "settled" : closesAt !== undefined && closesAt <= now ? "closed" : undefined)

const threshold = (ticker: string): number => Number(/-[BT]([\d.]+)$/.exec(ticker)?.[1])

/** Whether a subject has its outcome. */
export const isOver = (card: Parameters<typeof stateOf>[0], now: number): boolean =>
  ["final", "settled"].includes(stateOf(card, now) ?? "")

/** The order of a generated event's contracts by their tickers, `T82` and `B79.5`, lowest first; others stay where they are. */
export const byThreshold = (a: string, b: string): number => threshold(a) - threshold(b) || 0

/** The order of an event's contracts by their lower strikes, lowest first. */
export const byStrike = (a: number | undefined, b: number | undefined): number =>
  (a ?? Number.NEGATIVE_INFINITY) - (b ?? Number.NEGATIVE_INFINITY) || 0

/** The value at which a share of a distribution over values is reached. */
export const quantile = (
  law: ReadonlyArray<readonly [value: number, p: number]>,
  share: number,
): number | undefined => {
  let sum = 0
  return law.find(([, p]) => {
    sum += p
    return sum >= share - 1e-9
  })?.[0]
}

/** The median that an event's contract prices imply; undefined where they do not cover it. */
export const middleOf = (
  strikes: ReadonlyArray<Pick<Strike, "low" | "high"> & { readonly market?: number | undefined }>,
): number | undefined => {
  const law = strikes.flatMap(({ low, high, market }): ReadonlyArray<readonly [number, number]> => {
    if (market === undefined) return []
    if (!Number.isFinite(low)) return [[high, market]]
    return Number.isFinite(high) ? [low, high].map((value) => [value, market / 2] as const) : [[low, market] as const]
  })
  const all = law.reduce((sum, [, p]) => sum + p, 0)
  return all < 0.5
    ? undefined
    : quantile(
        law.toSorted(([a], [b]) => a - b),
        all / 2,
      )
}

/** A price in cents, as venues show it. */
export const cents = (dollars: number): string => `${Number((100 * dollars).toFixed(1))} ¢`

export const lineOf = (row: Row): Line => ({
  name: contractName(row.title, row.market),
  ticker: row.market,
  model: row.model_prob,
  market: row.market_prob,
  pool: row.pooled_prob,
  ...(row.side === "no"
    ? row.no_ask !== undefined && { ask: { side: "no", price: cents(row.no_ask) } }
    : row.yes_ask !== undefined && { ask: { side: "yes", price: cents(row.yes_ask) } }),
  gain: row.expected_gain,
})

/** The page of a contract at its venue, with its rules. */
export const venueOf = (venue: string, ticker: string) =>
  venue === "kalshi"
    ? { name: "Kalshi", href: `https://kalshi.com/markets/${ticker.split("-")[0]!.toLowerCase()}` }
    : undefined

/** Whose settled markets say how good we are on an instrument: its station's, either of its teams', its asset's, all of baseball. */
export const scoredOf = (ticker: string, instrument: string): NonNullable<View["scored"]> => {
  const teams = instrument.split(" @ ")
  if (ticker.startsWith("KXMLB")) return { domain: "mlb", isOwn: () => true, name: "baseball" }
  if (teams.length === 2) {
    const isOwn = (other: string) => other.split(" @ ").some((team) => teams.includes(team))
    return { domain: "nfl", isOwn, name: teams.map((team) => nickname(teamName("nfl", team))).join(" and ") }
  }
  const domain = /^KX(HIGH|LOW)/.test(ticker) ? "weather" : "crypto"
  return { domain, isOwn: (other) => other === instrument, name: cityName(instrument) }
}

interface Bin {
  readonly count: number
  readonly mean?: number | undefined
  readonly frequency?: number | undefined
}

/** Fewer forecasts than these say nothing. */
const least = 20

/** With a space at which no line ends. */
const whole = (p: number): string => `${Math.round(100 * p)}\u00a0%`

/** For a lay reader: of the forecasts near 70 %, how many came true. */
export const saidAndHappened = (bins: ReadonlyArray<Bin>): { said: string; happened: string } | undefined => {
  const near = bins
    .flatMap(({ count: n, mean, frequency }) =>
      n < least || mean === undefined || frequency === undefined || mean < 0.5 || mean > 0.95
        ? []
        : [{ mean, frequency }],
    )
    .toSorted((a, b) => Math.abs(a.mean - 0.7) - Math.abs(b.mean - 0.7))[0]
  return near && { said: whole(near.mean), happened: whole(near.frequency) }
}

type Said = Readonly<Record<"model_prob" | "market_prob", number>> & { readonly result: string }

/** The outcomes of settled rows by the probability that model or market gave. */
export const addReliability = (
  rows: ReadonlyArray<Said>,
  who: "model_prob" | "market_prob",
): Calibration.ReliabilitySums => {
  const sums = Calibration.empty()
  for (const row of rows) {
    Calibration.add(
      sums,
      Calibration.forecast(Math.round(row[who] * Calibration.probabilityScale), row.result === "yes"),
    )
  }
  return sums
}

export const binsOf = (sums: Calibration.ReliabilitySums): ReadonlyArray<Bin> =>
  Calibration.reliabilityBins(sums).map(({ count, meanProbability: mean, frequency }) => ({ count, mean, frequency }))
