import type { Call, DamagedLane } from "./damagedWorld.ts"
import type { Row } from "./payloadRows.ts"
import { begin, changed, hour, later, rows, together, world } from "./worldSources.ts"

const [yesterday, tomorrow] = ["2026-09-11", "2026-09-13"]
const properties = (value: { properties: Row }): Array<Row> => [value.properties]

const nyc = "station=KNYC"

const elsewhere = changed((value) => {
  value.geometry.coordinates = [
    [
      [-80, 26],
      [-80, 26.02],
      [-80.02, 26],
    ],
  ]
})

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
        others: {
          station: (text) => text.replaceAll("CLINYC", "CLIMIA"),
          year: (text) => text.replace(/(SUMMARY FOR SEPTEMBER \d+) 2026/, "$1 2025"),
        },
      }),
      archived,
      {
        ...together("both lists", listed, archived),
        ...{ feeds: ["weather_reports_knyc"], jobs: ["weather-reports"], harmless: ["cutRows"] },
      },
      source("iem", "/json/cli.py", {
        // A day of the past may have no report, and a day that is listed twice is the same.
        ...{ title: "archived years", feeds: ["weather_archive"], jobs: [], harmless: ["periodGone", "periodTwice"] },
        others: {
          station: (text) => text.replaceAll('"KNYC"', '"KMIA"'),
          year: (text) => text.replace(/"valid":"(\d{4})/g, (_, year) => `"valid":"${Number(year) - 1}`),
        },
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
        others: {
          point: changed((value) => {
            value.geometry.coordinates = [-80, 26]
          }),
        },
      }),
      source("nws", grid, {
        others: {
          cell: changed((value) => {
            value.properties.gridX += 1
          }),
          point: elsewhere,
          unit: (text) => text.replaceAll("wmoUnit:degC", "wmoUnit:K"),
        },
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
        others: { point: elsewhere },
      }),
      source("nws", `${grid}/forecast/hourly`, {
        // An hour that has the temperature of the next one is a forecast too.
        ...{ title: "hourly forecasts", feeds: ["weather_hourly_forecasts"], jobs: [] },
        others: { point: elsewhere },
        shape: { ...periods, figures: ["startTime", "isDaytime"] },
      }),
      source("nws", "/alerts/active", {
        ...{ title: "alerts", feeds: ["weather_alerts"], jobs: [] },
        shape: rows((value) => [value], { needed: "features", figures: [] }),
        others: { point: (text) => text.replace(/for [\d.]+ N, [\d.]+ W/, "for 26 N, 80 W") },
      }),
      source("nws", "/stations/KNYC/observations", {
        // Without the newest one the last is of the hour before; one that is listed twice is the same.
        ...{ title: "observations", feeds: ["weather_observations_knyc"], jobs: [] },
        others: { station: (text) => text.replaceAll("stations/KNYC", "stations/KMIA") },
        harmless: ["periodGone", "periodTwice"],
        shape: rows((value) => value.features, {
          ...{ needed: "properties.temperature", figures: ["properties.temperature", "properties.timestamp"] },
          periodOf: (row) => Date.parse(String((row["properties"] as Row)["timestamp"])),
          move: (row, hours) => later(row["properties"] as Row, "timestamp", hours),
        }),
      }),
      source("nbm", "/blend.20260912/13/text/blend_nbstx.t13z", {
        ...{ title: "bulletins of the blend", feeds: ["weather_guidance_nbm"], jobs: ["weather-guidance"] },
        others: { run: (text) => text.replace(/(GUIDANCE\s+\S+\s+)\d{4} UTC/g, "$10700 UTC") },
      }),
      source("nbm", "/blend.20260912/13/text/blend_nbptx.t13z", {
        ...{ title: "percentiles of the blend", feeds: ["weather_guidance_nbp"], jobs: ["weather-guidance"] },
        others: {
          run: (text) => text.replace(/(GUIDANCE\s+\S+\s+)\d{4} UTC/g, "$10700 UTC"),
          product: (text) => text.replaceAll(" NBP GUIDANCE", " NBS GUIDANCE"),
        },
      }),
      source("mdl", "/GFSMAV.t06z", {
        ...{ title: "bulletins of the GFS", feeds: ["weather_guidance_gfs_mos"], jobs: ["weather-guidance"] },
        others: {
          day: (text) => text.replace(/(GUIDANCE\s+\d+)\/(\d+)\//g, (_, head, on) => `${head}/${Number(on) - 1}/`),
        },
        // A run that is not there is not out yet: the one before it serves for a day.
        harmless: ["gone"],
      }),
    ],
    jobs: ["weather-reports", "weather-forecasts", "weather-guidance"],
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
