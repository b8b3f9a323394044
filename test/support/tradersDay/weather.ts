import { join } from "node:path"
import { monthNames } from "../../../core/lanes/weather/reports/climateHeading.ts"
import { addDays, day, hour, iso, minute } from "../../../core/time.ts"
import { clockAt } from "../clock.ts"
import { liveServer } from "../liveServer.ts"
import { cell, geometry, point } from "../nws.ts"
import { json, type Route } from "../replay.ts"
import { answered, asked, type Day, ran, rowsIn, usd } from "./Day.ts"
import { kalshiOver, type Recorded } from "./venue.ts"

/** The first recorded event whose quotes begin while the forecast of that day is less than five hours old. */
const target = "2025-12-08"
const event = "KXHIGHNY-25DEC08"
/** The first full hour at which every contract's bid and ask are within five cents. */
const begin = Date.UTC(2025, 11, 7, 18)

/** Local standard midnight in New York. */
const startOf = (on: string): number => Date.parse(`${on}T05:00:00Z`)

interface Highs {
  readonly forecastF: number
  readonly actualF: number
}

const highsOf = (root: string): ReadonlyMap<string, Highs> =>
  new Map(
    rowsIn(join(root, "weather/day1_forecast_vs_actual_highs.csv.gz")).flatMap((row) =>
      row["station"] === "KNYC"
        ? [
            [
              row["target_date"]!,
              { forecastF: Number(row["forecast_high_f"]), actualF: Number(row["actual_high_f"]) },
            ] as const,
          ]
        : [],
    ),
  )

const celsius = (fahrenheit: number): number => ((fahrenheit - 32) * 5) / 9

/** The grid of noon UTC: the recorded high of tomorrow, and hours that rise to it. */
const gridOf = (highs: ReadonlyMap<string, Highs>, now: number) => {
  const noon = Math.floor((now - 12 * hour) / day) * day + 12 * hour
  const on = addDays(iso(noon).slice(0, 10), 1)
  const high = highs.get(on)!.forecastF
  const from = startOf(on)
  const stamp = (at: number) => iso(at).replace(".000Z", "+00:00")
  const series = (values: ReadonlyArray<readonly [from: number, hours: number, tempF: number]>) => ({
    uom: "wmoUnit:degC",
    values: values.map(([at, hours, tempF]) => ({ validTime: `${stamp(at)}/PT${hours}H`, value: celsius(tempF) })),
  })
  const hours = Array.from({ length: 24 }, (_, at) => high - 5 + 5 * Math.cos(((at - 14) / 12) * Math.PI))
  return {
    geometry,
    properties: {
      ...cell(34, 45),
      updateTime: stamp(noon),
      // One hour of the sixth day, since a grid that ends before is refused.
      temperature: series([
        ...hours.map((tempF, at) => [from + at * hour, 1, tempF] as const),
        [from + 6 * day, 1, 32],
      ]),
      maxTemperature: series([[from + 7 * hour, 13, high]]),
      minTemperature: series([[from, 9, Math.min(...hours)]]),
    },
  }
}

/** The final report of a day, with the recorded high; the other values are not in the recorded file. */
const reportOf = (on: string, highF: number) => {
  const next = addDays(on, 1)
  const [, month, date] = next.split("-").map(Number)
  const named = (of: string) => `${monthNames[Number(of.slice(5, 7)) - 1]} ${Number(of.slice(8))} ${of.slice(0, 4)}`
  const weekday = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"][new Date(next).getUTCDay()]
  const stamp = `${next.slice(8)}0617`
  return {
    id: `${next.replaceAll("-", "")}0617-KOKX-CDUS41-CLINYC`,
    issuedAt: Date.parse(`${next}T06:17:00Z`),
    text: [
      ...["000", `CDUS41 KOKX ${stamp}`, "CLINYC", "", "CLIMATE REPORT", "NATIONAL WEATHER SERVICE NEW YORK, NY"],
      `117 AM EST ${weekday} ${monthNames[month! - 1]!.slice(0, 3)} ${String(date).padStart(2, "0")} ${next.slice(0, 4)}`,
      ...["", "...................................", ""],
      ...[`...THE CENTRAL PARK NY CLIMATE SUMMARY FOR ${named(on)}...`, ""],
      ...["CLIMATE NORMAL PERIOD 1991 TO 2020", ""],
      "WEATHER ITEM   OBSERVED TIME   RECORD YEAR NORMAL DEPARTURE LAST",
      "                VALUE   (LST)  VALUE       VALUE  FROM      YEAR",
      "                                                  NORMAL",
      "...................................................................",
      ...["TEMPERATURE (F)", " YESTERDAY", `  MAXIMUM       ${String(highF).padStart(4)}`, "  MINIMUM         MM", ""],
      ...[
        "PRECIPITATION (IN)",
        "  YESTERDAY           MM",
        "",
        "SNOWFALL (IN)",
        "  YESTERDAY           MM",
        "",
        "$$",
        "",
      ],
    ].join("\n"),
  }
}

const nws = (highs: ReadonlyMap<string, Highs>, now: () => number): ReadonlyArray<Route> => {
  const issued = () =>
    Array.from({ length: 7 }, (_, back) => addDays(iso(now()).slice(0, 10), -1 - back))
      .map((on) => reportOf(on, highs.get(on)!.actualF))
      .filter(({ issuedAt }) => issuedAt <= now())
  return [
    { path: "/points/40.7789,-73.9692", reply: json(point) },
    { path: "/gridpoints/OKX/34,45", reply: () => json(gridOf(highs, now())) },
    {
      path: "/products/types/CLI/locations/NYC",
      reply: () => json({ "@graph": issued().map(({ id, issuedAt }) => ({ id, issuanceTime: iso(issuedAt) })) }),
    },
    {
      path: /^\/products\/\d{12}-/,
      reply: ({ path }) => {
        const found = issued().find(({ id }) => path.endsWith(id))
        return found === undefined ? { ...json({ status: 404 }), status: 404 } : json({ productText: found.text })
      },
    },
  ]
}

/** Naive times of the Pacific coast, in winter. */
const instantOf = (text: string): number => Date.parse(`${text}-08:00`)

const strikesOf = (ticker: string, tails: ReadonlyArray<number>) => {
  const [, kind, number] = /-([TB])([\d.]+)$/.exec(ticker)!
  const strike = Number(number)
  if (kind === "B") {
    const [floor, cap] = [strike - 0.5, strike + 0.5]
    return { words: `${floor} to ${cap} °F`, strikes: { strike_type: "between", floor_strike: floor, cap_strike: cap } }
  }
  return strike === Math.max(...tails)
    ? { words: `above ${strike} °F`, strikes: { strike_type: "greater", floor_strike: strike } }
    : { words: `below ${strike} °F`, strikes: { strike_type: "less", cap_strike: strike } }
}

const contractsOf = (root: string): ReadonlyArray<Recorded> => {
  const ticks = rowsIn(join(root, `markets/ticks/market_data_${event}.csv.gz`))
  const winner = rowsIn(join(root, "markets/ticks/inferred_winners.csv")).find((row) => row["event_ticker"] === event)![
    "inferred_yes_ticker"
  ]
  const tickers = [...new Set(ticks.map((row) => row["market_ticker"]!))]
  const tails = tickers.flatMap((ticker) => /-T([\d.]+)$/.exec(ticker)?.slice(1).map(Number) ?? [])
  return tickers.map((ticker) => {
    const own = ticks
      .filter((row) => row["market_ticker"] === ticker)
      .map((row) => ({
        at: instantOf(row["timestamp"]!),
        yesBid: Number(row["best_yes_bid"]),
        yesAsk: Number(row["implied_yes_ask"]),
      }))
    const { words, strikes } = strikesOf(ticker, tails)
    return {
      ...{ series: "KXHIGHNY", event, ticker, title: words, strikes },
      rules:
        "If the highest temperature recorded in Central Park, New York as reported by the National Weather Service's Climatological Report (Daily), is as given, then the market resolves to Yes.",
      ...{ closeTime: startOf(addDays(target, 1)) - minute, settledAt: startOf(addDays(target, 1)) + 9 * hour },
      result: ticker === winner ? "yes" : "no",
      quote: (now) => own.findLast(({ at }) => at <= now),
    } satisfies Recorded
  })
}

/** Days before the question in which forecasts and reports come in. */
const daysBefore = 14

export const weatherDay = async (root: string): Promise<Day> => {
  const highs = highsOf(root)
  const clock = clockAt(begin, 10)
  const now = () => clock.unsafeCurrentTimeMillis()
  const live = await liveServer(
    { weather: "live", markets: "live" },
    { nws: nws(highs, now), kalshi: kalshiOver(contractsOf(root), now) },
    clock,
  )
  // Nothing of other stations is recorded.
  const lacking = ["weather-reports", "weather-forecasts"]
  try {
    for (let back = daysBefore; back >= 0; back--) {
      clock.set(begin - back * day)
      await ran(live, ["weather-reports", "weather-forecasts", "weather-recalibration"], lacking)
    }
    await ran(live, ["markets-quotes", "markets-capture"])
    const { projection, uncertainty } = (await answered(live, `/v1/weather/signal?station=KNYC&target=${target}`))
      .results
    const found = await asked(live, "weather", async () => {
      clock.set(startOf(addDays(target, 1)) + 12 * hour)
      await ran(live, ["weather-reports", "weather-scores", "markets-settle"], lacking)
    })
    const { settlement } = (await answered(live, `/v1/weather/settlement?station=KNYC&day=${target}`)).results
    const { trades, wins, pnl_after_fees, pool } = found.hypothetical
    return {
      heading: "Weather: New York's high of 8 December 2025",
      told: `Recorded: Kalshi's quotes of the event by the second, the high that the National Blend of Models forecast at 12:00 UTC of the day before, and the official high. The server had read ${daysBefore} days of forecasts and reports before. Rules and fee are Kalshi's general ones; the report's other values, and the hours of the forecast's day, are not recorded and not priced. Asked at 18:00 UTC of the day before.`,
      rows: found.rows,
      ended: [
        `${found.call} ${found.weight}`,
        `The law: ${projection.high_f} °F, standard deviation ${uncertainty.sigma_f} °F. The report: ${settlement.high_f} °F.`,
        `The scoreboard's trades of 1 USD each: ${trades} by the model's rule, ${wins} won, ${usd(pnl_after_fees)} in all; ${pool.trades} by the pool's rule.`,
      ],
    }
  } finally {
    await live.stop()
  }
}
