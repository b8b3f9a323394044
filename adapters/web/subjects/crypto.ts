import * as Effect from "effect/Effect"
import type * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import { notFound } from "../../../core/Failure.ts"
import { endpoints as crypto } from "../../../core/lanes/crypto/endpoints.ts"
import { assets } from "../../../core/lanes/crypto/fields.ts"
import { endpoints as markets } from "../../../core/lanes/markets/endpoints.ts"
import { count } from "../../../core/text.ts"
import { hour, iso } from "../../../core/time.ts"
import type { Demo } from "../demo.ts"
import { clock } from "../view/dates.ts"
import { percent, plus } from "../view/numbers.ts"
import { numeric } from "../view/parts.tsx"
import type { Picture } from "../view/plot.tsx"
import * as Live from "./live.ts"
import { addressOf, type Card, type Item, type Line, type Shown, type Subject, type View } from "./Subject.ts"
import { lineOf, trackOf } from "./words.ts"

type Signal = Endpoint.Results<typeof crypto.signal>
type Struck = Line & { readonly strike: number }

const horizons = [
  [5, "5 min"],
  [15, "15 min"],
  [60, "1 h"],
  [240, "4 h"],
  [1_440, "1 day"],
] as const

const usd = (value: number): string => count(Math.round(value))

/** The price that is exceeded with a probability, between the strikes of an answer; undefined beyond them. */
const priceAbove = ({ p_above: points }: Pick<Signal, "p_above">, p: number): number | undefined => {
  const at = points.findIndex((point, index) => point.p_above >= p && (points[index + 1]?.p_above ?? 1) < p)
  const [a, b] = [points[at], points[at + 1]]
  if (a === undefined || b === undefined) return undefined
  return a.strike + ((a.p_above - p) / (a.p_above - b.p_above)) * (b.strike - a.strike)
}

/** The prices that are exceeded with a tenth to nine tenths of probability, from the lowest on; undefined beyond the strikes. */
const bandOf = (signal: Signal, minutes: number, name: string) => {
  const [low, q1, middle, q3, high] = [0.9, 0.75, 0.5, 0.25, 0.1].map((p) => priceAbove(signal, p))
  return low === undefined || q1 === undefined || middle === undefined || q3 === undefined || high === undefined
    ? undefined
    : { ...{ minutes, name, low, q1, middle, q3, high } }
}

/** Ranges of the price over the time ahead; at a square-root scale a random walk's range is a straight cone. */
const fan = (asset: string, spot: number, bands: ReadonlyArray<NonNullable<ReturnType<typeof bandOf>>>): Picture => {
  const middles = bands.map(({ minutes, middle }) => [minutes, middle] as const)
  const names = new Map([[0, "now"], ...horizons])
  return {
    title: `${asset} from now on: ranges of the price`,
    x: {
      name: "time ahead, on a square-root scale",
      warp: Math.sqrt,
      ticks: [0, 15, 60, 240, 1_440],
      show: (at) => names.get(at)!,
    },
    y: { name: "USD", show: usd },
    marks: [
      {
        kind: "area",
        as: "model",
        name: "8 of 10",
        rows: [[0, spot, spot], ...bands.map(({ minutes, low, high }) => [minutes, low, high] as const)],
      },
      {
        kind: "area",
        as: "model",
        name: "Half",
        rows: [[0, spot, spot], ...bands.map(({ minutes, q1, q3 }) => [minutes, q1, q3] as const)],
      },
      { kind: "line", as: "model", name: "Median", rows: [[0, spot], ...middles] },
      { kind: "dot", as: "model", rows: middles },
    ],
    columns: ["In", ...["Median", "Half", "8 of 10"].map(numeric)],
    rows: bands.map(({ minutes, name, low, q1, middle, q3, high }) => ({
      at: minutes,
      cells: [name, usd(middle), `${usd(q1)} to ${usd(q3)}`, `${usd(low)} to ${usd(high)}`],
    })),
  }
}

/** Model and market at the strikes of the next hour's contracts, lowest first; undefined without two of them. */
const strikes = (asset: string, closesAt: number, lines: ReadonlyArray<Struck>): Picture | undefined => {
  const rows = lines.flatMap(({ strike, model, market }) =>
    model === undefined || market === undefined ? [] : [{ strike, model, market }],
  )
  if (rows.length < 2) return undefined
  const line = (as: string, name: string, of: (row: (typeof rows)[number]) => number) => {
    const points = rows.map((row) => [row.strike, of(row)] as const)
    return [
      { kind: "line", as, rows: points },
      { kind: "dot", as, name, rows: points },
    ] as const
  }
  return {
    title: `Probability that ${asset} is above each strike at ${clock(closesAt)} UTC`,
    x: { name: "USD", show: usd },
    y: { domain: [0, 1], show: (p) => `${Math.round(p * 100)} %` },
    marks: [...line("market", "Market", ({ market }) => market), ...line("model", "Model", ({ model }) => model)],
    columns: [numeric("Strike, USD"), numeric("Model"), numeric("Market")],
    rows: rows.map(({ strike, model, market }) => ({
      at: strike,
      cells: [usd(strike), percent(model), percent(market)],
    })),
  }
}

/** The price that is exceeded with even odds, by the prices of the venue's contracts, lowest strike first. */
const middleOf = (lines: ReadonlyArray<Pick<Struck, "strike" | "market">>): number | undefined =>
  priceAbove(
    { p_above: lines.flatMap(({ strike, market }) => (market === undefined ? [] : [{ strike, p_above: market }])) },
    0.5,
  )

const next = Effect.fnUntraced(function* (demo: Demo, asset: string, now: number) {
  const { edges } = (yield* demo.call(markets.edge, { min_edge: 0, domain: "crypto" })).answer.results
  const own = edges
    .filter(({ instrument }) => instrument === asset)
    .toSorted((a, b) => Date.parse(a.close_time) - Date.parse(b.close_time))
  const first = own[0]
  if (first === undefined) return undefined
  const event = first.market.split("-").slice(0, 2).join("-")
  const { results } = (yield* demo.call(markets.history, { event, start: iso(now - hour) })).answer
  const strikeOf = new Map(results.contracts.map(({ market, floor_strike }) => [market, floor_strike ?? 0]))
  const lines = own
    .flatMap((row): ReadonlyArray<Struck> => {
      const strike = strikeOf.get(row.market)
      return strike === undefined ? [] : [{ ...lineOf(row), strike }]
    })
    .toSorted((a, b) => a.strike - b.strike)
  const closesAt = Date.parse(first.close_time)
  return { ...{ event, closesAt, lines }, middle: middleOf(lines), picture: strikes(asset, closesAt, lines) }
})

const assetOf = (id: string) => {
  const asset = assets.find((one) => one === id.toUpperCase())
  return asset === undefined ? notFound(`${id} is not an asset of this service.`) : Effect.succeed(asset)
}

const hourlyOf = (asset: string): Shown => ({ endpoint: crypto.signal, params: { asset, horizon_minutes: 60 } })

const inUsd = (price: number | undefined): string | undefined => (price === undefined ? undefined : `${usd(price)} USD`)

const readHour = Effect.fnUntraced(function* (demo: Demo, id: string, now: number) {
  const asset = yield* assetOf(id)
  const signal = hourlyOf(asset)
  const { answer } = yield* demo.call(crypto.signal, { asset, horizon_minutes: 60 })
  const band = bandOf(answer.results, 60, "1 h")
  const ours = band?.middle ?? answer.results.spot
  const contracts = yield* Effect.orElseSucceed(next(demo, asset, now), () => undefined)
  const market = inUsd(contracts?.middle)
  const card: Card = {
    title: `${asset} in an hour`,
    path: addressOf("crypto", asset),
    says: [
      {
        we: inUsd(ours)!,
        ...(band !== undefined && {
          range: `${usd(band.low)}–${usd(band.high)}`,
          track: trackOf(ours, contracts?.middle, [band.low, band.high], (band.high - band.low) / 4, usd),
        }),
        ...(market !== undefined && {
          market,
          difference: `${plus(Math.round(ours) - Math.round(contracts!.middle!), 0)} USD`,
        }),
      },
    ],
    closesAt: contracts?.closesAt,
    lines: contracts?.lines ?? [],
    picture: contracts?.picture,
    settles: answer.results.settlement_basis?.venue_source,
    alert: { call: `${markets.edge.path}?domain=crypto`, threshold: 0.05 },
    call: signal,
    isSample: true,
  }
  return { asset, answer, card, contracts, signal }
})

const read = Effect.fnUntraced(function* (demo: Demo, id: string, now: number) {
  const { asset, answer: hourly, card, contracts, signal } = yield* readHour(demo, id, now)
  const signals = yield* Effect.forEach(horizons, ([minutes, name]) =>
    Effect.map(demo.call(crypto.signal, { asset, horizon_minutes: minutes }), ({ answer }) => ({
      answer,
      minutes,
      name,
    })),
  )
  const spot = hourly.results.spot
  const bands = signals.flatMap(({ answer, minutes, name }) => bandOf(answer.results, minutes, name) ?? [])
  const view: View = {
    card,
    lead: "Where the price may go, as probabilities, next to the market's hourly contracts.",
    picture: bands.length < 2 ? undefined : fan(asset, spot, bands),
    facts: {
      Now: `${usd(spot)} USD`,
      Volatility: `${(hourly.results.annualized_vol_est * 100).toFixed(0)} % a year; one standard deviation of an hour is ${usd(hourly.results.expected_move_1sd_usd)} USD`,
    },
    note: hourly.results.market_note,
    calls: [
      signal,
      { endpoint: crypto.spot, params: { asset } },
      ...(contracts === undefined ? [] : [{ endpoint: markets.history, params: { event: contracts.event } }]),
    ],
    scored: { domain: "crypto", isOwn: (instrument) => instrument.startsWith(asset), name: asset },
  }
  return view
})

const live: Subject["live"] = Effect.fnUntraced(function* (reading, _, id, now) {
  const asset = yield* assetOf(id)
  const given = { path: addressOf("crypto", asset), call: hourlyOf(asset) }
  const isOwn = (instrument: string) => instrument.startsWith(asset)
  const open = (yield* reading.open(now)).filter((each) => each.domain === "crypto" && isOwn(each.instrument))
  const figures: Live.Figures = (lines, contracts) => {
    const priced = contracts.flatMap(({ floorStrike: strike }, at) =>
      strike === undefined ? [] : [{ strike, market: lines[at]?.market }],
    )
    const market = inUsd(middleOf(priced.toSorted((a, b) => a.strike - b.strike)))
    return [market === undefined ? {} : { market }]
  }
  const sealed = Live.openCard(open, { ...given, figures })
  const last = Live.lastCard(
    (yield* reading.settled("crypto")).rows.filter(({ instrument }) => isOwn(instrument)),
    given,
  )
  const scores = yield* reading.performance("crypto", (row) => row["asset"] === asset)
  const view: View = {
    card: sealed ?? last ?? Live.bareCard(`${asset} in an hour`, given),
    ...(sealed !== undefined && { last }),
    lead: `${asset} by the hour: the market's price, and our forecasts once they are open to everybody.`,
    ...{ facts: Live.errorFacts(scores, "USD"), calls: [given.call] },
    ...((sealed ?? last) !== undefined && { scored: { domain: "crypto" as const, isOwn, name: asset } }),
  }
  return view
})

/** The assets, and the distribution of each one's price. */
export const subject: Subject = {
  kind: "crypto",
  title: "Crypto",
  empty: "There are no assets.",
  ids: () => Effect.succeed(assets),
  list: (demo, now) =>
    Effect.forEach(assets, (asset) => Effect.map(readHour(demo, asset, now), ({ card }): Item => card)),
  read,
  live,
}
