/** @jsxRuntime automatic @jsxImportSource preact */

import * as Effect from "effect/Effect"
import type * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import { notFound } from "../../../core/Failure.ts"
import { endpoints as crypto } from "../../../core/lanes/crypto/endpoints.ts"
import { assets } from "../../../core/lanes/crypto/fields.ts"
import { endpoints as markets } from "../../../core/lanes/markets/endpoints.ts"
import { count } from "../../../core/text.ts"
import { hour, iso } from "../../../core/time.ts"
import type { Demo } from "../demo.ts"
import { percent } from "../pictures/frame.ts"
import { type Band, Fan, Lines } from "../pictures/lines.tsx"
import { type Picture, pictureOf } from "../pictures/pictures.tsx"
import { numeric } from "../view/parts.tsx"
import type { Shown, Subject, View } from "./Subject.ts"

type Signal = Endpoint.Results<typeof crypto.signal>
type History = Endpoint.Results<typeof markets.history>

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

const bandOf = (signal: Signal, name: string): Band | undefined => {
  const [low, q1, middle, q3, high] = [0.9, 0.75, 0.5, 0.25, 0.1].map((p) => priceAbove(signal, p))
  return low === undefined || q1 === undefined || middle === undefined || q3 === undefined || high === undefined
    ? undefined
    : { name, middle, inner: [q1, q3], outer: [low, high] }
}

const fan = (asset: string, spot: number, bands: ReadonlyArray<Band>): Picture => {
  const title = `${asset} from now on: ranges of the price`
  return {
    title,
    chart: <Fan label={title} bands={bands} now={spot} named={usd} />,
    columns: [
      "Horizon",
      numeric("8 of 10, from"),
      numeric("half, from"),
      numeric("Median"),
      numeric("half, to"),
      numeric("8 of 10, to"),
    ],
    rows: bands.map(({ name, middle, inner, outer }) => [
      name,
      ...[outer[0], inner[0], middle, inner[1], outer[1]].map(usd),
    ]),
  }
}

/** Model and market at the strikes of the next hour's contracts; undefined without two of them. */
const strikes = (asset: string, { contracts, points }: History): Picture | undefined => {
  const last = new Map(points.map((point) => [point.market, point]))
  const rows = contracts
    .flatMap(({ floor_strike: strike, market, strike_type: type }) => {
      const point = last.get(market)
      return strike === undefined || type !== "greater" || point?.market_prob === undefined
        ? []
        : [{ strike, model: point.model_prob, market: point.market_prob }]
    })
    .sort((a, b) => a.strike - b.strike)
  if (rows.length < 2) return undefined
  const title = `${asset} at ${contracts[0]!.close_time.slice(11, 16)} UTC: chance to be above each strike`
  return {
    title,
    chart: (
      <Lines
        label={title}
        series={[
          { who: "market", points: rows.map(({ strike, market }) => [strike, market] as const) },
          { who: "model", points: rows.map(({ strike, model }) => [strike, model] as const) },
        ]}
        bounds={[0, 1]}
        named={(p) => `${Math.round(p * 100)} %`}
        at={rows.map(({ strike }) => [strike, usd(strike)] as const)}
      />
    ),
    columns: [numeric("Strike, USD"), numeric("Model"), numeric("Market")],
    rows: rows.map(({ strike, model, market }) => [usd(strike), percent(model), percent(market)]),
  }
}

const next = Effect.fnUntraced(function* (demo: Demo, asset: string, now: number) {
  const { contracts } = (yield* demo.call(markets.benchContracts, { domain: "crypto" })).answer.results
  const own = contracts.find(({ title }) => title.startsWith(`${asset} `))
  if (own === undefined) return undefined
  const event = own.ticker.split("-").slice(0, 2).join("-")
  const { answer } = yield* demo.call(markets.history, { event, start: iso(now - hour) })
  return { event, picture: strikes(asset, answer.results) }
})

const read = Effect.fnUntraced(function* (demo: Demo, id: string, now: number) {
  const asset = assets.find((one) => one === id.toUpperCase())
  if (asset === undefined) return yield* notFound(`${id} is not an asset of this service.`)
  const signals = yield* Effect.forEach(horizons, ([minutes, name]) =>
    Effect.map(demo.call(crypto.signal, { asset, horizon_minutes: minutes }), ({ answer }) => ({
      answer,
      name,
      minutes,
    })),
  )
  const hourly = signals.find(({ minutes }) => minutes === 60)!.answer
  const spot = hourly.results.spot
  const bands = signals.flatMap(({ answer, name }) => bandOf(answer.results, name) ?? [])
  const contracts = yield* Effect.orElseSucceed(next(demo, asset, now), () => undefined)
  const signal: Shown = { endpoint: crypto.signal, params: { asset, horizon_minutes: 60 } }
  const view: View = {
    title: `${asset}, ${usd(spot)} USD`,
    lead: "Where the price may be at a moment to come, as probabilities, against the market's hourly contracts.",
    pictures: [
      bands.length < 2 ? undefined : fan(asset, spot, bands),
      contracts?.picture,
      pictureOf(crypto.signal.id, { ...signal, ...hourly }),
    ],
    facts: {
      Tape: hourly.reasoning[0]!,
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

/** The assets, and the distribution of each one's price. */
export const subject: Subject = {
  kind: "crypto",
  title: "Crypto",
  empty: "There are no assets.",
  list: () => Effect.succeed(assets.map((id) => ({ id, name: id }))),
  read,
}
