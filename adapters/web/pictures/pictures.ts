import type * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import type { Served } from "../../../core/gateway/Served.ts"
import { ifDefined } from "../../../core/ifDefined.ts"
import { endpoints as baseball } from "../../../core/lanes/baseball/endpoints.ts"
import { endpoints as crypto } from "../../../core/lanes/crypto/endpoints.ts"
import { endpoints as football } from "../../../core/lanes/football/endpoints.ts"
import { endpoints as markets } from "../../../core/lanes/markets/endpoints.ts"
import { endpoints as weather } from "../../../core/lanes/weather/endpoints.ts"
import { cityName } from "../../../core/lanes/weather/stations.ts"
import { day as dayMs } from "../../../core/time.ts"
import { dayText, timeText } from "../view/dates.ts"
import { percent, plus, points } from "../view/numbers.ts"
import { numeric, wide } from "../view/parts.tsx"
import type { Mark, Picture } from "../view/plot.tsx"
import { featureName, lineWords, nickname, teamName } from "./teams.ts"

/** A contract that pays for values from `low` to `high`, both included; an open end is infinite. */
export interface Strike {
  readonly title: string
  readonly low: number
  readonly high: number
  /** The model's probability of yes. */
  readonly model: number
  /** The market's; absent: one side of the book is empty. */
  readonly market?: number
}

/** An answer to draw: its parameters, its results, and its steps. */
export interface Answered<Results = unknown> {
  readonly params: Readonly<Record<string, unknown>>
  readonly results: Results
  readonly reasoning?: ReadonlyArray<string>
  /** The contracts on the same axis. */
  readonly strikes?: ReadonlyArray<Strike>
}

export type History = Endpoint.Results<typeof markets.history>

const wholePercent = (p: number): string => `${Math.round(p * 100)} %`

const usd = (value: number): string => value.toLocaleString("en-US", { maximumFractionDigits: 2 })

/** The values for which a contract pays, as whole degrees; undefined for other contracts. */
const rangeOf = (contract: History["contracts"][number]): Pick<Strike, "low" | "high"> | undefined => {
  const { strike_type: type, floor_strike: floor, cap_strike: cap } = contract
  if (type === "greater" && floor !== undefined) return { low: floor + 1, high: Number.POSITIVE_INFINITY }
  if (type === "less" && cap !== undefined) return { low: Number.NEGATIVE_INFINITY, high: cap - 1 }
  return type === "between" && floor !== undefined && cap !== undefined ? { low: floor, high: cap } : undefined
}

/** The contracts of an event, each with its last capture, lowest first. */
export const strikesOf = ({ contracts, points }: History): ReadonlyArray<Strike> => {
  const last = new Map(points.map((point) => [point.market, point]))
  return contracts
    .flatMap((contract): ReadonlyArray<Strike> => {
      const [range, point] = [rangeOf(contract), last.get(contract.market)]
      if (range === undefined || point === undefined) return []
      const market = point.market_prob === undefined ? {} : { market: point.market_prob }
      return [{ title: contract.title, ...range, model: point.model_prob, ...market }]
    })
    .sort((a, b) => a.low - b.low || a.high - b.high)
}

/** The values that matter: all with at least this probability, and those between them. */
const least = 0.002

/** `48 to 49 °F`, `50 °F or more`. */
const rangeWords = ({ low, high }: Strike): string =>
  high === Number.POSITIVE_INFINITY
    ? `${low} °F or more`
    : low === Number.NEGATIVE_INFINITY
      ? `${high} °F or less`
      : `${low} to ${high} °F`

const strikeCells = (strike: Strike): ReadonlyArray<string> => [
  rangeWords(strike),
  percent(strike.model),
  ...(strike.market === undefined ? ["–", "–"] : [percent(strike.market), points(strike.model, strike.market)]),
]

/** The rows of a mark over the degrees for which a contract pays. */
const edges = ({ low, high }: Pick<Strike, "low" | "high">, ...values: [from: number, to?: number]): Mark["rows"] => [
  [low - 0.46, ...values],
  [high + 0.46, ...values],
]

/** The contract on which model and market differ most: its box with an edge, and above it our probability. */
const outlined = (
  strike: Strike,
  [left, right]: readonly [low: number, high: number],
  top: number,
): ReadonlyArray<Mark> => {
  const middle = (Math.max(strike.low, left) + Math.min(strike.high, right)) / 2
  const from = Math.max(strike.model, strike.market ?? 0)
  return [
    { kind: "area", as: "focus", rows: edges(strike, 0, strike.model) },
    {
      ...{ kind: "rule", as: "focus", text: `${rangeWords(strike)}: ${percent(strike.model)}` },
      rows: [[middle, from, top]],
    },
  ]
}

/** Each degree's probability as a bar, and each contract as a box over its degrees with a line at the market's price. */
const temperature = ({
  params,
  results,
  reasoning = [],
  strikes = [],
}: Answered<Endpoint.Results<typeof weather.signal>>): Picture => {
  const { target_day: day, probabilities } = results
  const all = Object.entries(probabilities.pmf).map(([value, p]) => ({ value: Number(value), p: Number(p) }))
  all.sort((a, b) => a.value - b.value)
  const [from, to] = [all.findIndex(({ p }) => p >= least), all.findLastIndex(({ p }) => p >= least)]
  const ends = strikes.flatMap(({ low, high }) => [low, high]).filter(Number.isFinite)
  const bars = all.filter(
    ({ value }, at) => (at >= from && at <= to) || (value >= Math.min(...ends) && value <= Math.max(...ends)),
  )
  // The running high is in the sentence of the step that uses it.
  const running = Number(/running high (-?\d+) °F/.exec(reasoning.join(" "))?.[1])
  const [low, high] = [bars[0]!.value - 0.5, bars.at(-1)!.value + 0.5]
  const boxes = strikes.map(
    (strike, n): Mark => ({
      ...{ kind: "area", as: "model", rows: edges(strike, 0, strike.model) },
      ...(n === 0 && { name: "Ours, each contract" }),
    }),
  )
  const priced = strikes.flatMap(({ market, ...strike }) => (market === undefined ? [] : [{ ...strike, market }]))
  const top = Math.max(...bars.map(({ p }) => p), ...strikes.flatMap(({ model, market = 0 }) => [model, market]))
  const prices = priced.map((strike, n): Mark => {
    const [left, right] = edges(strike, strike.market) as [Mark["rows"][number], Mark["rows"][number]]
    // Small ticks end the level.
    const rows = [left, right].map(([place]) =>
      [-0.025, 0.025].map((share) => [place, strike.market + share * top] as const),
    )
    return {
      ...{ kind: "line", as: "market price", rows: [...rows[0]!, left, right, ...rows[1]!] },
      ...(n === 0 && { name: "Market, each contract" }),
    }
  })
  const widest = priced.toSorted((a, b) => Math.abs(b.model - b.market) - Math.abs(a.model - a.market))[0]
  return {
    title: `Probability of each high in ${cityName(String(params["station"]))} on ${dayText(day)}`,
    height: 230,
    x: { show: (degrees) => `${degrees} °F`, domain: [low, high] },
    y: { show: percent },
    marks: [
      ...boxes,
      {
        kind: "bar",
        as: "model",
        name: "Ours, each degree",
        width: 0.6,
        rows: bars.map(({ value, p }) => [value, 0, p]),
      },
      ...prices,
      ...(widest === undefined ? [] : outlined(widest, [low, high], 1.2 * top)),
      ...(Number.isNaN(running)
        ? []
        : [{ kind: "rule", as: "official", name: `${running} °F so far`, rows: [[running]] } as const]),
    ],
    columns: [
      "High",
      numeric("Model"),
      ...(strikes.length === 0
        ? []
        : [
            { name: "Contract", isWide: true },
            wide("Ours, each contract"),
            numeric("Market, each contract"),
            wide("Difference, points"),
          ]),
    ],
    rows: bars.map(({ value, p }) => {
      const strike = strikes.find(({ low, high }) => value >= low && value <= high)
      return { at: value, cells: [`${value} °F`, percent(p), ...(strike === undefined ? [] : strikeCells(strike))] }
    }),
  }
}

const mostParts = 7

/** A part of a sum, and its value in words where they are not its figure. */
interface Part {
  readonly name: string
  readonly value: number
  readonly words?: string
}

/** Parts that are not named, small ones, and all after the first of them are one part, so that all of them add up. */
const withRest = (all: ReadonlyArray<Part>, sum: number, digits: number): ReadonlyArray<Part> => {
  const parts = all.filter(({ value }) => Math.abs(value) >= 0.5 * 10 ** -digits).slice(0, mostParts)
  const rest = sum - parts.reduce((total, { value }) => total + value, 0)
  return Math.abs(rest) < 0.5 * 10 ** -digits ? parts : [...parts, { name: "all others", value: rest }]
}

/** How parts add up to a sum, each from the end of the one before it, and the value compared with the sum. */
const waterfall = (
  given: ReadonlyArray<Part>,
  sum: Part,
  against: Part | undefined,
  digits: number,
  [home, away]: readonly [home: string, away: string],
) => {
  const parts = [{ name: "even game", value: 0, words: "50 %" }, ...given]
  const ends = [0]
  for (const { value } of parts) ends.push(ends.at(-1)! + value)
  const bars = [...parts, sum].map(({ value }, at) => [at, at < parts.length ? ends[at]! : 0, value] as const)
  const all = [...parts, sum, ...(against === undefined ? [] : [against])]
  const bar = (as: string, team: string, some: typeof bars): Mark => ({
    ...{ kind: "bar", as, name: `towards ${team}` },
    rows: some.map(([at, from, value]) => [at, from, from + value]),
  })
  return {
    isAcross: true,
    marks: [
      { kind: "rule", as: "thin", rows: [[parts.length - 0.5]] },
      bar(
        "model",
        home,
        bars.filter(([, , value]) => value >= 0),
      ),
      bar(
        "less",
        away,
        bars.filter(([, , value]) => value < 0),
      ),
      ...(against === undefined
        ? []
        : [{ kind: "dot", as: "market hollow", name: "Market", rows: [[all.length - 1, against.value]] } as const]),
    ],
    rows: all.map(({ name, value, words = plus(value, digits) }, at) => ({ at, cells: [name, words] })),
  } as const
}

const line = ({ results: { game, prediction } }: Answered<Endpoint.Results<typeof football.fairLine>>): Picture => {
  const { fair_line: fair, market, drivers } = prediction
  const [home, away] = [game.home_team, game.away_team].map((code) => nickname(teamName("nfl", String(code)))) as [
    string,
    string,
  ]
  const p = fair.win_prob_home
  const total = (name: string, value: number, more = ""): Part => {
    const [, favourite, by = "even"] = /^(.+) (by .+)$/.exec(lineWords(value, home, away)) ?? []
    return { name: favourite === undefined ? name : `${name}, ${favourite}${more}`, value, words: by }
  }
  const posted = market?.spread_line
  const parts = drivers.map(({ feature, points }) => ({ name: featureName(feature, home, away), value: points }))
  return {
    title: "How our line adds up, in points",
    columns: ["Part", numeric(`Points for ${home}`)],
    ...waterfall(
      withRest(parts, fair.home_margin, 1),
      total("Our line", fair.home_margin, ` ${percent(fair.home_margin > 0 ? p : 1 - p)}`),
      posted === undefined ? undefined : total("Posted line", posted),
      1,
      [home, away],
    ),
  }
}

const odds = ({ results: { game, prediction } }: Answered<Endpoint.Results<typeof baseball.fairOdds>>): Picture => {
  const [home, away] = [nickname(String(game.home.name)), nickname(String(game.away.name))]
  const p = prediction.win_prob_home
  const sum = { name: `${home}, ${percent(p)}`, value: Math.log(p / (1 - p)) }
  const parts = (prediction.drivers ?? []).map(({ feature, log_odds }) => ({ name: feature, value: log_odds }))
  return {
    title: "What moves our probability, in log-odds",
    columns: ["Part", numeric(`Log-odds for ${home}`)],
    ...waterfall(withRest(parts, sum.value, 2), sum, undefined, 2, [home, away]),
  }
}

const above = ({ results }: Answered<Endpoint.Results<typeof crypto.signal>>): Picture => {
  const { asset, spot, horizon_minutes: minutes, p_above: points } = results
  return {
    title: `${asset} in ${minutes} minutes: probability of being above a price`,
    x: { name: "USD", show: usd },
    y: { domain: [0, 1], show: wholePercent },
    marks: [
      { kind: "line", as: "model", rows: points.map(({ strike, p_above }) => [strike, p_above]) },
      { kind: "rule", as: "official", text: `now ${usd(spot)}`, rows: [[spot]] },
    ],
    columns: ["Price, USD", numeric("Chance to be above")],
    rows: points.map(({ strike, p_above }) => ({ at: strike, cells: [usd(strike), percent(p_above)] })),
  }
}

/** The tenths of probability around some, three at least. */
const around = (all: ReadonlyArray<number>): readonly [number, number] => {
  const [low, high] = [Math.min(...all), Math.max(...all)]
  const from = Math.max(0, Math.min(Math.floor(low * 10 - 0.5) / 10, 0.7))
  return [from, Math.min(1, Math.max(Math.ceil(high * 10 + 0.5) / 10, from + 0.3))]
}

/** Changes of a forecast that have a dot each: more would hide their line. */
const maxDots = 24

/** Steps of a market's line: of more prices each is a mean, so that noise does not look like news. */
const maxSteps = 36

const overTime = ({ results: { contracts, points } }: Answered<History>): Picture | undefined => {
  // Of several contracts the one with most captures: lines of all would be a tangle.
  const counts = new Map<string, number>()
  for (const { market } of points) counts.set(market, (counts.get(market) ?? 0) + 1)
  const shown = [...counts].sort(([, a], [, b]) => b - a)[0]?.[0]
  const contract = contracts.find(({ market }) => market === shown)
  const shownPoints = points
    .filter(({ market }) => market === shown)
    .map((point) => ({ ...point, time: Date.parse(point.captured_at) }))
  if (contract === undefined || shownPoints.length < 2) return undefined
  // A close far ahead would squeeze the known values together.
  const [first, close, last] = [shownPoints[0]!.time, Date.parse(contract.close_time), shownPoints.at(-1)!.time]
  const isNear = close - last <= (last - first) / 4
  const model = shownPoints.map(({ time, model_prob }) => [time, model_prob] as const)
  const changes = model.filter(([, p], n) => p !== model[n - 1]?.[1])
  const market = shownPoints.flatMap(({ time, market_prob }) =>
    market_prob === undefined ? [] : [[time, market_prob] as const],
  )
  const size = Math.ceil(market.length / maxSteps)
  const groups = Array.from({ length: Math.ceil(market.length / size) }, (_, n) => {
    const [prices, time] = [market.slice(n * size, (n + 1) * size).map(([, p]) => p), market[n * size]![0]]
    const mean = prices.reduce((sum, p) => sum + p, 0) / prices.length
    return { time, mean, low: Math.min(...prices), high: Math.max(...prices) }
  })
  const band = groups.map(({ time, low, high }) => [time, low, high] as const)
  return {
    title: `${contract.title}: model and market over time`,
    height: 240,
    x: { isTime: true, name: "UTC" },
    y: { domain: around([...model, ...market].map(([, p]) => p)), show: wholePercent },
    marks: [
      ...(isNear ? [{ kind: "rule", as: "official", text: "close", rows: [[close]] } as const] : []),
      ...(size > 1 ? [{ kind: "area", as: "market", name: "Range of the market's prices", rows: band } as const] : []),
      {
        ...{ kind: "line", as: "market price thin", text: `Market ${percent(market.at(-1)?.[1] ?? 0)}` },
        rows: [...groups.map(({ time, mean }) => [time, mean] as const), ...market.slice(-1)],
      },
      {
        ...{ kind: "line", as: "model", text: `We ${percent(model.at(-1)![1])}` },
        // A forecast holds until the next one: it is drawn in steps.
        rows: [
          ...changes.flatMap(([time, p], n) => [[time, (changes[n - 1] ?? [0, p])[1]] as const, [time, p] as const]),
          ...model.slice(-1),
        ],
      },
      { kind: "dot", as: "market", rows: market.slice(-1) },
      { kind: "dot", as: "model", rows: [...(changes.length > maxDots ? [] : changes), ...model.slice(-1)] },
    ],
    columns: ["Time, UTC", numeric("Model"), numeric("Market")],
    rows: shownPoints.map(({ time, model_prob, market_prob }) => ({
      at: time,
      cells: [timeText(time), percent(model_prob), market_prob === undefined ? "–" : percent(market_prob)],
    })),
  }
}

const days = ({ results }: Answered<Endpoint.Results<typeof weather.history>>): Picture | undefined => {
  const shown = results.days.flatMap(({ day, high_f: high, low_f: low }) =>
    typeof high === "number" && typeof low === "number" ? [{ day, at: Date.parse(day), high, low }] : [],
  )
  if (shown.length < 2) return undefined
  return {
    title: `Official low to high of ${results.station.city}, ${dayText(results.start)} to ${dayText(results.end)}`,
    x: { isTime: true },
    y: { name: "°F" },
    marks: [
      { kind: "bar", as: "official", width: 0.64 * dayMs, rows: shown.map(({ at, low, high }) => [at, low, high]) },
    ],
    columns: ["Day", numeric("High"), numeric("Low")],
    rows: shown.map(({ day, at, high, low }) => ({ at, cells: [dayText(day), `${high} °F`, `${low} °F`] })),
  }
}

type Drawn = (answered: Answered<never>) => Picture | undefined

/** The picture of an endpoint's answers, by id. Answers of others are read as they are. */
const pictures: ReadonlyMap<string, Drawn> = new Map<string, Drawn>([
  [weather.signal.id, temperature],
  [weather.history.id, days],
  [football.fairLine.id, line],
  [baseball.fairOdds.id, odds],
  [crypto.signal.id, above],
  [markets.history.id, overTime],
])

/** Draws an answer; undefined: the answer of this endpoint has no picture, or too little to draw. */
export const pictureOf = (endpointId: string, answered: Answered): Picture | undefined =>
  pictures.get(endpointId)?.(answered as Answered<never>)

/** Draws the answer of a call; undefined: it failed, or has no picture. */
export const pictureOfCall = (
  endpointId: string,
  params: Answered["params"],
  { status, body }: Pick<Served, "status" | "body">,
): Picture | undefined => {
  const value = body.toValue() as { readonly results?: unknown; readonly _reasoning?: ReadonlyArray<string> }
  const { results = value, _reasoning } = value
  return status < 400 ? pictureOf(endpointId, { params, results, ...ifDefined("reasoning", _reasoning) }) : undefined
}
