import type { Call, DamagedLane, Source } from "./damagedWorld.ts"
import type { Shape } from "./damages.ts"
import { jsonRows, type Row } from "./payloadRows.ts"
import type { Route } from "./replay.ts"
import { worldUpstreams } from "./worldUpstreams.ts"

type Upstream = Source["upstream"]

const minute = 60_000
const hour = 60 * minute
/** A Saturday in September: 11:00 in New York, every report of the day before is out. */
const begin = Date.UTC(2026, 8, 12, 15, 0, 50)
const today = "2026-09-12"
const [yesterday, tomorrow] = ["2026-09-11", "2026-09-13"]
const season = 2026

/** The generated world's answers at the time of each request. */
const world = () => {
  let present = begin
  const upstreams = worldUpstreams(() => present, season)
  const at = (route: Route, now: number, request: Parameters<Source["reply"]>[0]) => {
    present = now
    return typeof route.reply === "function" ? route.reply(request) : route.reply
  }
  const fits = (path: string) => (route: Route) =>
    typeof route.path === "string" ? route.path === path : route.path.test(path)
  return {
    /** The endpoint that answers at a path. */
    source: (
      upstream: Upstream,
      path: string,
      rest: Omit<Source, "upstream" | "path" | "reply"> & Partial<Pick<Source, "path">>,
    ): Source => {
      const route = upstreams[upstream]!.find(fits(path))
      if (route === undefined) throw new Error(`${upstream} has nothing at ${path}.`)
      return { path: route.path, ...rest, upstream, reply: (request, now) => at(route, now, request) }
    },
    /** Upstreams that stay well. */
    well: (...names: ReadonlyArray<Upstream>): NonNullable<DamagedLane["others"]> =>
      Object.fromEntries(
        names.map((name) => [
          name,
          (now: () => number) =>
            upstreams[name]!.map((route) => ({ ...route, reply: (request) => at(route, now(), request) }) as Route),
        ]),
      ),
  }
}

/** Several sources in trouble at once. */
const together = (title: string, ...sources: ReadonlyArray<Source>): Source => ({
  ...{ title, alongside: sources.map((source) => source.title), upstream: sources[0]!.upstream, path: "/none" },
  ...{ feeds: [...new Set(sources.flatMap(({ feeds }) => feeds))], reply: () => undefined },
  // Rows are damaged in the shape of each; only its figures are listed here.
  shape: sources[0]!.shape!,
})

const rows = (pick: Parameters<typeof jsonRows>[0], rest: Omit<Shape, "format">): Shape => ({
  format: jsonRows(pick),
  ...rest,
})

const later = (row: Row, name: string, hours: number): void => {
  row[name] = new Date(Date.parse(String(row[name])) + hours * hour).toISOString().replace(".000Z", "+00:00")
}

const properties = (value: { properties: Row }): Array<Row> => [value.properties]

const nyc = "station=KNYC"

/** A day's report; which source brought it is said beside the values. */
const reported = ({ day, high_f, low_f, precip_in }: Row) => [day, high_f, low_f, precip_in]

const history: Pick<Call, "figures" | "isNone"> = {
  figures: ({ days }) => days.map(reported),
  isNone: ({ count }) => count === 0,
}

export const damagedWeather = (): DamagedLane => {
  const { source } = world()
  const grid = "/gridpoints/OKX/501,503"
  const point = "/v1/weather/forecast?lat=40.7789&lon=-73.9692"
  const listed = source("nws", "/products/types/CLI/locations/NYC", {
    // A cut list is one of fewer reports: what lacks comes from the archive, or is late.
    ...{ title: "reports' list", feeds: [], jobs: ["weather-reports"], harmless: ["cutRows"] },
    shape: rows((value) => value["@graph"], { needed: "id", figures: [] }),
  })
  const archived = source("iem", "/api/1/nws/afos/list.json", {
    ...{ title: "archive's list", feeds: [], jobs: [] },
    shape: rows((value) => value.data, { needed: "product_id", figures: [] }),
  })
  const periods = rows((value) => value.properties.periods, {
    ...{ needed: "temperature", figures: ["temperature", "startTime", "isDaytime"] },
    move: (row, hours) => {
      for (const name of ["startTime", "endTime"]) later(row, name, hours)
    },
  })
  return {
    name: "weather",
    settings: { weather: "live" },
    sources: [
      listed,
      source("nws", "/products/202609120630-KOKX-CDUS41-CLINYC", {
        ...{ title: "reports' texts", feeds: [], jobs: ["weather-reports"] },
        shape: rows((value) => [value], { needed: "productText", figures: [] }),
      }),
      archived,
      {
        ...together("both lists", listed, archived),
        ...{ feeds: ["weather_reports_knyc"], jobs: ["weather-reports"], harmless: ["cutRows"] },
      },
      source("iem", "/json/cli.py", {
        // A day of the past may have no report.
        ...{ title: "archived years", feeds: ["weather_archive"], jobs: [], harmless: ["periodGone"] },
        shape: rows((value) => value.results, {
          ...{ needed: "high", figures: ["high", "low", "valid"] },
          periodOf: (row) => Date.parse(String(row["valid"])),
        }),
      }),
      source("iem", "/api/1/nwstext/x", {
        ...{ title: "archived texts", feeds: [], jobs: [] },
      }),
      source("nws", "/points/40.7789,-73.9692", {
        ...{ title: "points", feeds: ["weather_points"], jobs: ["weather-forecasts"] },
        shape: rows(properties, { needed: "gridId", figures: [] }),
      }),
      source("nws", grid, {
        ...{ title: "grids", path: /^\/gridpoints\/\w+\/[-\d]+,[-\d]+$/, feeds: ["weather_grids_knyc"] },
        jobs: ["weather-forecasts"],
        shape: rows((value) => value.properties.temperature.values, {
          ...{ needed: "value", figures: [] },
          move: (row, hours) => {
            const [from, length] = String(row["validTime"]).split("/")
            const at = new Date(Date.parse(from!) + hours * hour).toISOString().replace(".000Z", "+00:00")
            row["validTime"] = `${at}/${length}`
          },
        }),
      }),
      source("nws", `${grid}/forecast`, {
        ...{ title: "forecasts", feeds: ["weather_forecasts"], jobs: [], shape: periods },
      }),
      source("nws", `${grid}/forecast/hourly`, {
        // An hour that has the temperature of the next one is a forecast too.
        ...{ title: "hourly forecasts", feeds: ["weather_hourly_forecasts"], jobs: [] },
        shape: { ...periods, figures: ["startTime", "isDaytime"] },
      }),
      source("nws", "/alerts/active", {
        ...{ title: "alerts", feeds: ["weather_alerts"], jobs: [] },
        shape: rows((value) => [value], { needed: "features", figures: [] }),
      }),
      source("nws", "/stations/KNYC/observations", {
        // Without the newest one the last is of the hour before.
        ...{ title: "observations", feeds: ["weather_observations_knyc"], jobs: [], harmless: ["periodGone"] },
        shape: rows((value) => value.features, {
          ...{ needed: "properties.temperature", figures: ["properties.temperature", "properties.timestamp"] },
          periodOf: (row) => Date.parse(String((row["properties"] as Row)["timestamp"])),
          move: (row, hours) => later(row["properties"] as Row, "timestamp", hours),
        }),
      }),
    ],
    jobs: ["weather-reports", "weather-forecasts"],
    calls: [
      { path: `/v1/weather/signal?${nyc}` },
      { path: `/v1/weather/signal?${nyc}&target=${tomorrow}` },
      { path: point, isNone: ({ periods }) => periods.length === 0 },
      { path: `${point}&hourly=true`, isNone: ({ periods }) => periods.length === 0 },
      { path: `/v1/weather/settlement?${nyc}`, figures: reported },
      { path: `/v1/weather/settlement?${nyc}&day=${yesterday}`, figures: reported },
      { path: `/v1/weather/settlement/history?${nyc}&start=2026-09-01&end=${yesterday}`, ...history },
      { path: `/v1/weather/settlement/history?${nyc}&start=2025-09-01&end=2025-09-30`, ...history },
    ],
    ...{ begin, period: hour, times: 4 },
  }
}

export const damagedCrypto = (): DamagedLane => {
  const { source } = world()
  const feeds = ["crypto_btc_candles", "crypto_eth_candles"]
  const candle = (pick: Parameters<typeof jsonRows>[0], close: string): Shape =>
    rows(pick, {
      ...{ needed: close, figures: [close] },
      // The newest half hour.
      periodOf: (row) => Math.floor(Number(row["0"]) / 1_800),
      move: (row, hours) => {
        row["0"] = Number(row["0"]) + hours * 3_600
      },
    })
  const coinbase = source("coinbase", "/products/BTC-USD/candles", {
    ...{ title: "Coinbase's candles", feeds: [], jobs: ["crypto-tape"], harmless: ["periodTwice"] },
    shape: candle((value) => value, "4"),
  })
  const kraken = source("kraken", "/0/public/OHLC", {
    ...{ title: "Kraken's candles", feeds: [], jobs: [], harmless: ["periodTwice"] },
    shape: candle((value) => Object.values(value.result).find(Array.isArray) as Array<Row>, "4"),
  })
  return {
    name: "crypto",
    settings: { crypto: "live" },
    sources: [
      coinbase,
      kraken,
      {
        ...together("candles of both", coinbase, kraken),
        feeds,
        harmless: ["periodTwice"],
        holes: ["cutRows"],
        jobs: ["crypto-tape"],
      },
    ],
    jobs: ["crypto-tape", "crypto-capture"],
    // A tape that was filled a week back from another hour has one candle less: nothing in three digits.
    calls: ["spot?asset=BTC", "signal?asset=BTC&horizon_minutes=60", "signal?asset=ETH&horizon_minutes=1440"].map(
      (question) => ({
        path: `/v1/crypto/${question}`,
        figures: ({ spot, sigma_ln, realized_vol }) => [spot, (sigma_ln ?? realized_vol.sigma_1h).toPrecision(3)],
      }),
    ),
    ...{ begin, period: hour, times: 4 },
  }
}

/** Rows that are left are right: a list has no count, and nothing is late. */
const fewerRows = ["cutRows", "shifted close_time"]

export const damagedMarkets = (): DamagedLane => {
  const { source, well } = world()
  const asked = (name: string) => (query: URLSearchParams) => query.has(name)
  return {
    name: "markets",
    settings: { markets: "live", crypto: "live" },
    sources: [
      source("kalshi", "/markets", {
        ...{
          title: "Kalshi's books",
          harmless: fewerRows,
          feeds: ["kalshi_books"],
          jobs: ["markets-quotes"],
          query: asked("series_ticker"),
        },
        shape: rows((value) => value.markets, {
          needed: "yes_ask_dollars",
          figures: ["yes_bid_dollars", "close_time", "floor_strike"],
          move: (row, hours) => later(row, "close_time", hours),
        }),
      }),
      source("kalshi", "/markets", {
        ...{
          title: "Kalshi's results",
          harmless: fewerRows,
          feeds: ["kalshi_results"],
          jobs: ["markets-settle"],
          query: asked("tickers"),
        },
        shape: rows((value) => value.markets, { needed: "result", figures: [] }),
      }),
      source("kalshi", "/series/KXBTCD", {
        ...{ title: "Kalshi's fees", feeds: ["kalshi_books"], jobs: ["markets-quotes"] },
        shape: rows((value) => [value.series], { needed: "fee_type", figures: [] }),
      }),
      source("polymarket", "/series", {
        ...{ title: "Polymarket's series", feeds: ["polymarket_books"], jobs: ["markets-quotes"] },
        shape: rows((value) => value, { needed: "id", figures: [] }),
      }),
      source("polymarket", "/events/keyset", {
        ...{ title: "Polymarket's books", harmless: fewerRows, feeds: ["polymarket_books"], jobs: ["markets-quotes"] },
        shape: rows((value) => value.events[0].markets, {
          needed: "endDate",
          figures: [],
        }),
      }),
      source("polymarket", "/markets/keyset", {
        ...{
          title: "Polymarket's results",
          harmless: fewerRows,
          feeds: ["polymarket_results"],
          jobs: ["markets-settle"],
        },
        shape: rows((value) => value.markets, { needed: "outcomePrices", figures: [] }),
      }),
    ],
    others: well("coinbase", "kraken"),
    jobs: ["crypto-tape", "markets-quotes", "markets-capture", "markets-settle"],
    calls: [
      {
        path: "/v1/markets/edge",
        figures: ({ edges }) => edges.map((row: Row) => [row["market"], row["model_probability"], row["price"]]),
        isNone: ({ count }) => count === 0,
        isList: true,
      },
    ],
    ...{ begin, period: hour, times: 4 },
  }
}

/** A game of that evening. */
const gameOf = (): number => {
  const route = worldUpstreams(() => begin, season)["mlb"]!.find(({ path }) => path === "/api/v1/schedule")!
  const query = new URLSearchParams({ startDate: today, endDate: today })
  const { body } = (route.reply as (request: unknown) => { readonly body: string })({ query })
  const { dates } = JSON.parse(body)
  return dates[0].games.find(
    ({ gameDate, teams }: { gameDate: string; teams: { home: Row; away: Row } }) =>
      Date.parse(gameDate) > begin + 6 * hour && "probablePitcher" in teams.home && "probablePitcher" in teams.away,
  ).gamePk
}

export const damagedBaseball = (): DamagedLane => {
  const { source } = world()
  const gamePk = gameOf()
  const games = rows((value) => value.dates.at(-1).games, {
    // First pitches of a day that are exchanged are a schedule too.
    ...{ needed: "gameDate", figures: [] },
    move: (row, hours) => {
      row["gameDate"] = new Date(Date.parse(String(row["gameDate"])) + hours * hour).toISOString().replace(".000Z", "Z")
    },
  })
  // The time of a single game may be any.
  const { move: _, ...oneGame } = games
  const teams = rows((value) => value.records[0].teamRecords, {
    ...{ needed: "runsScored", figures: ["runsScored", "runsAllowed"] },
    seasonOf: (row) => Number(row["season"]),
  })
  const calls: ReadonlyArray<Call> = [
    { path: `/v1/mlb/games?date=${today}`, isNone: ({ count }) => count === 0 },
    { path: `/v1/mlb/fair-odds?game_pk=${gamePk}` },
  ]
  return {
    name: "baseball",
    settings: { baseball: "live", termsAccepted: { baseball: true } },
    sources: [
      source("mlb", "/api/v1/schedule", {
        ...{ title: "schedule of days", feeds: ["mlb_schedule"], jobs: [], shape: games },
        query: (query) => query.has("startDate"),
      }),
      source("mlb", "/api/v1/schedule", {
        ...{ title: "schedule of a game", feeds: ["mlb_games"], jobs: [], shape: oneGame },
        query: (query) => query.has("gamePks"),
      }),
      source("mlb", "/api/v1/standings", {
        ...{ title: "standings", feeds: ["mlb_standings"], jobs: [], shape: teams },
        query: (query) => query.has("date"),
      }),
      source("mlb", "/api/v1/standings", {
        ...{ title: "last season's standings", feeds: ["mlb_last_standings"], jobs: [], shape: teams },
        query: (query) => !query.has("date"),
      }),
      source("mlb", "/api/v1/people/1/stats", {
        ...{ title: "pitchers", feeds: ["mlb_pitchers"], jobs: [] },
        shape: rows((value) => value.stats[0].splits, { needed: "stat", figures: [] }),
      }),
    ],
    jobs: [],
    calls,
    // Nothing is stored.
    onsets: ["first"],
    ...{ begin, period: hour, times: 4 },
  }
}
