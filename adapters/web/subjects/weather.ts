import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Priced } from "../../../core/contracts/Contract.ts"
import { parseTickerDay } from "../../../core/contracts/tickers.ts"
import { notFound } from "../../../core/Failure.ts"
import { endpoints as markets } from "../../../core/lanes/markets/endpoints.ts"
import { reportDueHours } from "../../../core/lanes/weather/due.ts"
import { endpoints as weather } from "../../../core/lanes/weather/endpoints.ts"
import { byId } from "../../../core/lanes/weather/stations.ts"
import { addDays, hour, iso } from "../../../core/time.ts"
import type { Demo } from "../demo.ts"
import type { Strike } from "../pictures/pictures.ts"
import { pictureOf, strikesOf } from "../pictures/pictures.ts"
import { dayText } from "../view/dates.ts"
import { plus } from "../view/numbers.ts"
import * as Live from "./live.ts"
import { addressOf, type Card, type Item, type Line, type Shown, type Subject, type View } from "./Subject.ts"
import { byThreshold, endingNow, eventOf, lineOf, middleOf, quantile, trackOf } from "./words.ts"

/** The open contracts of an event with model and market of now; none where nothing is captured. */
const strikesIn = (
  demo: Demo,
  event: string,
  lines: ReadonlyArray<Line>,
  now: number,
): Effect.Effect<ReadonlyArray<Strike>> =>
  Effect.orElseSucceed(
    Effect.map(demo.call(markets.history, { event, start: iso(now - hour) }), ({ answer }) =>
      strikesOf(endingNow(answer.results, lines, now)),
    ),
    () => [],
  )

/** The running extremes, as the signal's steps state them. */
const soFar = (reasoning: ReadonlyArray<string>): string | undefined =>
  /running high -?\d+ °F, running low -?\d+ °F/.exec(reasoning.join(" "))?.[0]

/** Days of official values on a page. */
const recent = 30

const stationOf = (demo: Demo, id: string) =>
  Effect.flatMap(demo.call(weather.stations, {}), ({ answer }) => {
    const station = answer.results.stations.find((one) => one.id === id.toUpperCase())
    return station === undefined ? notFound(`${id} is not a station of this service.`) : Effect.succeed(station)
  })

const degrees = (value: number | undefined): string | undefined => (value === undefined ? undefined : `${value} °F`)

/** Degrees that a line shows on each side of the forecast. */
const beyond = 4

/** The middle of a law and the range of eight in ten, beside the middle of the prices. */
const saysOf = (pmf: Readonly<Record<string, number>>, strikes: ReadonlyArray<Strike>) => {
  const law = Object.entries(pmf)
    .map(([value, p]) => [Number(value), p] as const)
    .sort(([a], [b]) => a - b)
  const [low, middle, high] = [0.1, 0.5, 0.9].map((share) => quantile(law, share)!) as [number, number, number]
  const price = middleOf(strikes)
  const market = degrees(price)
  return {
    ...{ we: degrees(middle)!, range: `${low}–${high}`, ...(market !== undefined && { market }) },
    ...(price !== undefined && { difference: `${plus(middle - price, 0)} °F` }),
    track: trackOf(middle, price, [low, high], beyond, (value) => `${value} °F`),
  }
}

/** With less uncertainty than a degree the day is as good as over, and the next one is of interest. */
const minSigmaF = 1

const readNearest = Effect.fnUntraced(function* (demo: Demo, id: string, now: number) {
  const station = yield* stationOf(demo, id)
  const today = (yield* demo.call(weather.signal, { station: station.id })).answer
  const isOver = today.results.uncertainty.sigma_f < minSigmaF
  const params = {
    station: station.id,
    ...(isOver ? { target: addDays(today.results.target_day, 1) } : {}),
  }
  const answer = isOver ? (yield* demo.call(weather.signal, params)).answer : today
  const { target_day: day, probabilities } = answer.results
  const series = station.settles.venue_high_series
  const { edges } = (yield* demo.call(markets.edge, { min_edge: 0, domain: "weather" })).answer.results
  const rows = edges
    .filter(({ subject }) => subject?.["station"] === station.id && subject["day"] === day)
    .toSorted((a, b) => byThreshold(a.market, b.market))
  const lines = rows.map(lineOf)
  const strikes = series === null ? [] : yield* strikesIn(demo, eventOf(series, day), lines, now)
  const signal: Shown = { endpoint: weather.signal, params }
  const closesAt = rows[0] === undefined ? undefined : Date.parse(rows[0].close_time)
  const card: Card = {
    title: `High in ${station.city}, ${dayText(day)}`,
    path: addressOf("weather", station.id),
    says: [saysOf(probabilities.pmf, strikes)],
    closesAt,
    lines,
    picture: pictureOf(weather.signal.id, { ...signal, ...answer, strikes }),
    settles: `the first official report of ${station.name}, ${station.cli_product}`,
    alert: { call: `${weather.signal.path}?station=${station.id}`, threshold: 1 },
    call: signal,
    isSample: true,
  }
  return { station, answer, card, day, series, signal, today: today.results.target_day }
})

/** A station's page, over generated data. */
const read = Effect.fnUntraced(function* (demo: Demo, id: string, now: number) {
  const { station, answer, card, day, series, signal, today } = yield* readNearest(demo, id, now)
  const period = { station: station.id, start: addDays(today, -recent), end: addDays(today, -1) }
  const history = yield* Effect.option(demo.call(weather.history, period))
  const past = Option.getOrUndefined(history)?.answer
  const last = past?.results.days.at(-1)
  const so = soFar(answer.reasoning)
  const view: View = {
    card,
    lead: `The official high and low of ${station.name}, as probabilities, against the market's contracts.`,
    picture: past && pictureOf(weather.history.id, { params: period, ...past }),
    facts: {
      ...(so === undefined
        ? {}
        : { "Official reading so far": so.replace("running high", "high").replace("running low", "low") }),
      "Next final report": `${station.cli_product}, by ${reportDueHours}:00 local standard time of ${dayText(addDays(day, 1))}`,
      ...(last === undefined
        ? {}
        : { "Last official day": `${dayText(last.day)}: high ${last.high_f} °F, low ${last.low_f} °F` }),
    },
    note: answer.results.market_note,
    calls: [
      signal,
      { endpoint: weather.history, params: period },
      ...(series === null ? [] : [{ endpoint: markets.history, params: { event: eventOf(series, day) } }]),
    ],
    scored: { domain: "weather", isOwn: (instrument) => instrument === station.id, name: station.city },
  }
  return view
})

/** The probabilities of single degrees, of those to reach each. */
const pmfOf = (reached: Readonly<Record<string, number>>): Readonly<Record<string, number>> => {
  const all = Object.entries(reached).sort(([a], [b]) => Number(a) - Number(b))
  return Object.fromEntries(all.map(([value, p], at) => [value, p - (all[at + 1]?.[1] ?? 0)]))
}

/** The forecast of a day before its close, as a picture of its leaf. */
const pictureOfLeaf = (body: Readonly<Record<string, unknown>> | undefined, station: string, day: string) => {
  const { high } = (body?.["output"] ?? {}) as { readonly high?: Readonly<Record<string, number>> }
  if (high === undefined) return undefined
  const results = { target_day: day, probabilities: { pmf: pmfOf(high) } }
  return pictureOf(weather.signal.id, { params: { station }, results })
}

/** The whole degrees for which a contract pays. */
const rangeOf = ({ floorStrike: floor, capStrike: cap }: Pick<Priced, "floorStrike" | "capStrike">) => ({
  low: floor === undefined ? Number.NEGATIVE_INFINITY : cap === undefined ? floor + 1 : floor,
  high: cap === undefined ? Number.POSITIVE_INFINITY : floor === undefined ? cap - 1 : cap,
})

const live: Subject["live"] = Effect.fnUntraced(function* (reading, demo, id, now) {
  const station = yield* stationOf(demo, id)
  const signal: Shown = { endpoint: weather.signal, params: { station: station.id } }
  const path = addressOf("weather", station.id)
  const isOwn = (instrument: string) => instrument === station.id
  const open = (yield* reading.open(now)).filter(
    (each) => isOwn(each.instrument) && each.series === station.settles.venue_high_series,
  )
  const sealed = Live.openCard(open, {
    path,
    call: signal,
    alert: { call: `${weather.signal.path}?station=${station.id}`, threshold: 1 },
    figures: (lines, contracts) => {
      const market = degrees(middleOf(contracts.map((each, at) => ({ ...rangeOf(each), ...lines[at]! }))))
      return [market === undefined ? {} : { market }]
    },
  })
  const rows = (yield* reading.settled("weather")).rows.filter(
    ({ instrument, series }) => isOwn(instrument) && series === station.settles.venue_high_series,
  )
  const day = parseTickerDay(rows[0]?.event ?? "")?.day
  const body = rows[0]?.capture_id === undefined ? undefined : yield* reading.body(rows[0].capture_id, now)
  const last = Live.lastCard(
    rows,
    { path, call: signal },
    day === undefined ? undefined : pictureOfLeaf(body, station.id, day),
  )
  const scores = yield* reading.performance(
    "weather",
    (row) => row["station"] === station.id && row["variable"] === "high" && row["lead_days"] === 0,
  )
  const listed = byId.get(station.id)
  const running = listed && (yield* reading.soFar(listed, now))
  const settles = `the first official report of ${station.name}, ${station.cli_product}`
  const view: View = {
    card: sealed ?? last ?? Live.bareCard(`High in ${station.city}`, { path, call: signal, settles }),
    ...(sealed !== undefined && { last }),
    lead: `The official high of ${station.name}: the market's price, and our forecasts once they are open to everybody.`,
    facts: {
      ...(running !== undefined && {
        "Official reading so far": `high ${running.high} °F, low ${running.low} °F`,
      }),
      ...Live.errorFacts(scores, "°F"),
    },
    calls: [signal],
    ...((sealed ?? last) !== undefined && { scored: { domain: "weather" as const, isOwn, name: station.city } }),
  }
  return view
})

/** The stations, and the distribution of each one's day. */
export const subject: Subject = {
  kind: "weather",
  title: "Temperature",
  empty: "There are no stations.",
  ids: (demo) =>
    Effect.map(demo.call(weather.stations, {}), ({ answer }) => answer.results.stations.map(({ id }) => id)),
  list: (demo, now) =>
    Effect.flatMap(demo.call(weather.stations, {}), ({ answer }) =>
      Effect.forEach(answer.results.stations, ({ id }) =>
        Effect.map(readNearest(demo, id, now), ({ card }): Item => card),
      ),
    ),
  read,
  live,
}
