/** @jsxRuntime automatic @jsxImportSource preact */
import type { VNode } from "preact"
import type * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import type { Served } from "../../../core/gateway/Served.ts"
import { ifDefined } from "../../../core/ifDefined.ts"
import { endpoints as baseball } from "../../../core/lanes/baseball/endpoints.ts"
import { endpoints as crypto } from "../../../core/lanes/crypto/endpoints.ts"
import { endpoints as football } from "../../../core/lanes/football/endpoints.ts"
import { endpoints as markets } from "../../../core/lanes/markets/endpoints.ts"
import { endpoints as weather } from "../../../core/lanes/weather/endpoints.ts"
import { Chart, gridUp, Key, Line, Mark, scale, signed, words } from "../view/chart.tsx"
import { type Column, numeric, Table } from "../view/parts.tsx"
import { Distribution, type Strike } from "./Distribution.tsx"
import { gainInCents, key, percent, right, top } from "./frame.ts"
import { DayRanges, Lines } from "./lines.tsx"
import { type Part, Waterfall } from "./Waterfall.tsx"

/** Pairs of model and market in rows, largest difference first. */
const Pairs = ({
  label,
  rows,
}: {
  readonly label: string
  readonly rows: ReadonlyArray<{ readonly title: string; readonly model: number; readonly market: number }>
}) => {
  const x = scale([0, 1], [14, right - 10])
  const height = 34
  const bottom = top + rows.length * height
  return (
    <Chart height={bottom + 22} label={label}>
      {gridUp([0, 0.25, 0.5, 0.75, 1], x, top, bottom)}
      {rows.map(({ title, model, market }, at) => {
        const y = top + at * height + 22
        return (
          <g key={title}>
            {words(14, y - 9, title.length > 58 ? `${title.slice(0, 57)}…` : title, "start", "value")}
            <Line from={[x(model), y]} to={[x(market), y]} kind="axis" />
            <Mark who="model" x={x(model)} y={y} title={`model ${percent(model)}`} />
            <Mark who="market" x={x(market)} y={y} title={`market ${percent(market)}`} />
          </g>
        )
      })}
      <Key {...key} />
    </Chart>
  )
}

/** A picture, and the numbers that it shows. */
export interface Picture {
  readonly title: string
  readonly chart: VNode
  readonly columns: ReadonlyArray<Column>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

/** An answer to draw: its parameters, its results, and its steps. */
export interface Answered<Results = unknown> {
  readonly params: Readonly<Record<string, unknown>>
  readonly results: Results
  readonly reasoning?: ReadonlyArray<string>
  /** The contracts on the same axis. */
  readonly strikes?: ReadonlyArray<Strike>
}

type History = Endpoint.Results<typeof markets.history>

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
  const running = /running high (-?\d+) °F/.exec(reasoning.join(" "))?.[1]
  const title = `High at ${String(params["station"] ?? "")} on ${day}, as probabilities`
  return {
    title,
    chart: (
      <Distribution
        label={title}
        unit="°F"
        bars={bars}
        strikes={strikes}
        {...(running === undefined ? {} : { sure: { value: Number(running), name: `${running} °F so far` } })}
      />
    ),
    columns:
      strikes.length === 0
        ? [numeric("High, °F"), numeric("Model")]
        : ["Contract", numeric("Model"), numeric("Market")],
    rows:
      strikes.length === 0
        ? bars.map(({ value, p }) => [String(value), percent(p)])
        : strikes.map(({ title: name, model, market }) => [
            name,
            percent(model),
            market === undefined ? "–" : percent(market),
          ]),
  }
}

/** A feature's name in words. */
const featureName = (name: string): string =>
  name
    .replaceAll("_", " ")
    .replace(/\bqb\b/, "quarterback")
    .replace("prime hfa", "home field, evening")

/** Parts that are not named are one part, so that all of them add up. */
const withRest = (parts: ReadonlyArray<Part>, sum: number, digits: number): ReadonlyArray<Part> => {
  const rest = sum - parts.reduce((total, { value }) => total + value, 0)
  return Math.abs(rest) < 0.5 * 10 ** -digits * (parts.length + 1)
    ? parts
    : [...parts, { name: "all others", value: rest }]
}

const partRows = (parts: ReadonlyArray<Part>, digits: number) =>
  parts.map(({ name, value }) => [name, `${value > 0 ? "+" : ""}${signed(value.toFixed(digits))}`])

const line = ({ results: { game, prediction } }: Answered<Endpoint.Results<typeof football.fairLine>>): Picture => {
  const { fair_line: fair, market, drivers } = prediction
  const posted = market?.spread_line
  const margin = { name: "expected margin", value: fair.home_margin }
  const parts = withRest(
    drivers.map(({ feature, points }) => ({ name: featureName(feature), value: points })),
    fair.home_margin,
    2,
  )
  const against = posted === undefined ? undefined : { name: "the posted line", value: posted }
  const title = `${game.away_team} at ${game.home_team}, ${game.gameday}: the model's margin, part by part`
  return {
    title,
    chart: (
      <Waterfall
        label={title}
        parts={parts}
        sum={margin}
        {...(against === undefined ? {} : { against })}
        sides={[String(game.away_team), String(game.home_team)]}
        digits={1}
      />
    ),
    columns: ["Part", numeric(`Points towards ${game.home_team}`)],
    rows: partRows([...parts, margin, ...(against === undefined ? [] : [against])], 2),
  }
}

const odds = ({ results: { game, prediction } }: Answered<Endpoint.Results<typeof baseball.fairOdds>>): Picture => {
  const [home, away] = [String(game.home.name), String(game.away.name)]
  const p = prediction.win_prob_home
  const sum = { name: `log-odds, ${percent(p)}`, value: Math.log(p / (1 - p)) }
  const parts = withRest(
    (prediction.drivers ?? []).map(({ feature, log_odds }) => ({ name: feature, value: log_odds })),
    sum.value,
    3,
  )
  const title = `${away} at ${home}: the home team's chance to win, ${percent(p)}, part by part`
  return {
    title,
    chart: <Waterfall label={title} parts={parts} sum={sum} sides={["away", "home"]} digits={2} />,
    columns: ["Part", numeric("Log-odds towards the home team")],
    rows: partRows([...parts, sum], 4),
  }
}

const above = ({ results }: Answered<Endpoint.Results<typeof crypto.signal>>): Picture => {
  const { asset, spot, horizon_minutes: minutes, p_above: points } = results
  const title = `${asset} in ${minutes} minutes: chance to be above a price`
  const [first, last] = [points[0]!.strike, points.at(-1)!.strike]
  return {
    title,
    chart: (
      <Lines
        label={title}
        series={[{ who: "model", points: points.map(({ strike, p_above }) => [strike, p_above] as const) }]}
        bounds={[0, 1]}
        named={(p) => `${Math.round(p * 100)} %`}
        at={[first, (first + last) / 2, last].map((price) => [price, usd(price)] as const)}
        marked={[spot, `now ${usd(spot)}`]}
      />
    ),
    columns: [numeric("Price, USD"), numeric("Chance to be above")],
    rows: points.map(({ strike, p_above }) => [usd(strike), percent(p_above)]),
  }
}

const mostPairs = 12

const pairs = ({ results: { edges } }: Answered<Endpoint.Results<typeof markets.edge>>): Picture | undefined => {
  if (edges.length === 0) return undefined
  const rows = edges.slice(0, mostPairs).map((row) => ({ ...row, model: row.model_prob, market: row.market_prob }))
  const title = `Open contracts on which model and market differ most, ${rows.length} of ${edges.length}`
  return {
    title,
    chart: <Pairs label={title} rows={rows} />,
    columns: ["Contract", ...["Model", "Market", "Pool", "Expected gain"].map(numeric)],
    rows: rows.map(({ title: name, model, market, pooled_prob, expected_gain }) => [
      name,
      ...[model, market, pooled_prob].map(percent),
      gainInCents(expected_gain),
    ]),
  }
}

const overTime = ({ results: { contracts, points } }: Answered<History>): Picture | undefined => {
  // Of several contracts the one with most captures: lines of all would be a tangle.
  const counts = new Map<string, number>()
  for (const { market } of points) counts.set(market, (counts.get(market) ?? 0) + 1)
  const shown = [...counts].sort(([, a], [, b]) => b - a)[0]?.[0]
  const contract = contracts.find(({ market }) => market === shown)
  const own = points.filter(({ market }) => market === shown).map((point) => ({ ...point, time: Date.parse(point.at) }))
  if (contract === undefined || own.length < 2) return undefined
  const prices = own.flatMap(({ time, market_prob }) =>
    market_prob === undefined ? [] : [[time, market_prob] as const],
  )
  const [first, last] = [own[0]!, own.at(-1)!]
  return {
    title: contract.title,
    chart: (
      <Lines
        label={`${contract.title}: model and market over time`}
        series={[
          { who: "market", points: prices },
          { who: "model", points: own.map(({ time, model_prob }) => [time, model_prob] as const) },
        ]}
        bounds={[0, 1]}
        named={(p) => `${Math.round(p * 100)} %`}
        at={[first, last].map(({ at, time }) => [time, `${at.slice(5, 16).replace("T", " ")}Z`] as const)}
      />
    ),
    columns: ["Time", numeric("Model"), numeric("Market")],
    rows: own.map(({ at, model_prob, market_prob }) => [
      `${at.slice(0, 16).replace("T", " ")}Z`,
      percent(model_prob),
      market_prob === undefined ? "–" : percent(market_prob),
    ]),
  }
}

const days = ({ results }: Answered<Endpoint.Results<typeof weather.history>>): Picture | undefined => {
  const shown = results.days.flatMap(({ day, high_f: high, low_f: low }) =>
    typeof high === "number" && typeof low === "number" ? [{ day, high, low }] : [],
  )
  if (shown.length < 2) return undefined
  const title = `Official highs and lows of ${results.station.city}, ${results.start} to ${results.end}`
  return {
    title,
    chart: <DayRanges label={title} days={shown} />,
    columns: ["Day", numeric("High, °F"), numeric("Low, °F")],
    rows: shown.map(({ day, high, low }) => [day, String(high), String(low)]),
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
  [markets.edge.id, pairs],
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

/** A picture with its title, and its numbers as a table. */
export const Drawing = ({ title, chart, columns, rows }: Picture) => (
  <figure class="drawing">
    <figcaption>{title}</figcaption>
    {chart}
    <details>
      <summary>The numbers</summary>
      <Table caption={title} columns={columns} rows={rows} isLong={rows.length > 14} />
    </details>
  </figure>
)
