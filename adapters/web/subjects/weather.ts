import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { months } from "../../../core/contracts/tickers.ts"
import { type Failure, notFound } from "../../../core/Failure.ts"
import { endpoints as markets } from "../../../core/lanes/markets/endpoints.ts"
import { reportHours } from "../../../core/lanes/weather/due.ts"
import { endpoints as weather } from "../../../core/lanes/weather/endpoints.ts"
import { addDays, hour, iso } from "../../../core/time.ts"
import type { Demo } from "../demo.ts"
import type { Today } from "../docs/Landing.tsx"
import type { Strike } from "../pictures/Distribution.tsx"
import { pictureOf, strikesOf } from "../pictures/pictures.tsx"
import type { Shown, Subject, View } from "./Subject.ts"

/** The ticker of a station's event, `KXHIGHNY-26NOV26`. */
const eventOf = (series: string, day: string): string =>
  `${series}-${day.slice(2, 4)}${months[Number(day.slice(5, 7)) - 1]}${day.slice(8)}`

/** The open contracts of an event with model and market of the last hour; none where nothing is captured. */
const strikesIn = (demo: Demo, event: string, now: number): Effect.Effect<ReadonlyArray<Strike>> =>
  Effect.orElseSucceed(
    Effect.map(demo.call(markets.history, { event, start: iso(now - hour) }), ({ answer }) =>
      strikesOf(answer.results),
    ),
    () => [],
  )

/** The running extremes, as the signal's steps state them. */
const soFar = (reasoning: ReadonlyArray<string>): string | undefined =>
  /running high -?\d+ °F, running low -?\d+ °F/.exec(reasoning.join(" "))?.[0]

/** Days of official values on a page. */
const recent = 30

/** A station's page, and the answer of its signal. */
const readStation = Effect.fnUntraced(function* (demo: Demo, id: string, now: number) {
  const { stations } = (yield* demo.call(weather.stations, {})).answer.results
  const station = stations.find((one) => one.id === id.toUpperCase())
  if (station === undefined) return yield* notFound(`${id} is not a station of this service.`)
  const signal: Shown = { endpoint: weather.signal, params: { station: station.id } }
  const { answer } = yield* demo.call(weather.signal, { station: station.id })
  const day = answer.results.target_day
  const series = station.settles.venue_high_series
  const strikes = series === null ? [] : yield* strikesIn(demo, eventOf(series, day), now)
  const period = { station: station.id, start: addDays(day, -recent), end: addDays(day, -1) }
  const history = yield* Effect.option(demo.call(weather.history, period))
  const past = Option.getOrUndefined(history)?.answer
  const last = past?.results.days.at(-1)
  const so = soFar(answer.reasoning)
  const view: View = {
    title: `${station.city}, ${station.id}`,
    lead: `The official high and low of ${station.name}, as probabilities, against the market's contracts.`,
    pictures: [
      pictureOf(weather.signal.id, { ...signal, ...answer, strikes }),
      past && pictureOf(weather.history.id, { params: period, ...past }),
    ],
    facts: {
      Day: `${day}, local standard time`,
      ...(so === undefined
        ? {}
        : { "Official reading so far": so.replace("running high", "high").replace("running low", "low") }),
      "Next final report": `${station.cli_product}, by ${reportHours}:00 local standard time of ${addDays(day, 1)}`,
      ...(last === undefined
        ? {}
        : { "Last official day": `${last.day}: high ${last.high_f} °F, low ${last.low_f} °F` }),
    },
    note: answer.results.market_note,
    calls: [
      signal,
      { endpoint: weather.history, params: period },
      ...(series === null ? [] : [{ endpoint: markets.history, params: { event: eventOf(series, day) } }]),
    ],
    scored: { domain: "weather", isOwn: (instrument) => instrument === station.id, name: station.city },
  }
  return { view, answer }
})

/** The stations, and the distribution of each one's day. */
export const subject: Subject = {
  kind: "weather",
  title: "Temperature",
  empty: "There are no stations.",
  list: (demo) =>
    Effect.map(demo.call(weather.stations, {}), ({ answer }) =>
      answer.results.stations.map(({ id, city }) => ({ id, name: `${city}, ${id}` })),
    ),
  read: (demo, id, now) => Effect.map(readStation(demo, id, now), ({ view }) => view),
}

const newYork = "KNYC"

/** Degrees of the first page's answer. */
const mostDegrees = 5

/** New York's page and its answer, for the front page: of the probabilities those around the centre. */
export const today = (demo: Demo, now: number): Effect.Effect<Today, Failure> =>
  Effect.map(readStation(demo, newYork, now), ({ view, answer }) => {
    const { target_day, projection, uncertainty, probabilities } = answer.results
    const around = (law: Readonly<Record<string, number>>) =>
      Object.fromEntries(
        Object.entries(law).filter(
          ([degrees]) => Math.abs(Number(degrees) - Math.round(projection.high_f)) <= (mostDegrees - 1) / 2,
        ),
      )
    const { pmf, ge } = probabilities
    return {
      view,
      answer: {
        results: { target_day, projection, uncertainty, probabilities: { pmf: around(pmf), ge: around(ge) } },
        _reasoning: answer.reasoning,
      },
    }
  })
