import * as Effect from "effect/Effect"
import { layerGuidance } from "../../adapters/lanes/weather/mock/guidance.ts"
import { type GuidanceSource, runsDue, SecondForecasts } from "../../core/lanes/weather/guidance/Guidance.ts"
import type { Variable } from "../../core/lanes/weather/signal/temperature.ts"
import { type Site, stations } from "../../core/lanes/weather/stations.ts"
import { dayOf, hour, iso } from "../../core/time.ts"
import type { Route } from "./replay.ts"

type Extreme = (variable: Variable, validAt: number) => number | undefined

const variableAt = (at: number): Variable | undefined =>
  (({ "00": "high", "12": "low" }) as const)[iso(at).slice(11, 13) as "00" | "12"]

const headingOf = (station: string, product: string, run: number): string => {
  const [year, month, date] = iso(run).slice(0, 10).split("-").map(Number)
  return `${station}    ${product} GUIDANCE   ${month}/${String(date).padStart(2, "0")}/${year}  ${iso(run).slice(11, 13)}00 UTC`
}

const rowOf = (name: string, cells: ReadonlyArray<string | number>): string =>
  `${name.padEnd(4)}${cells.map((cell) => String(cell).padStart(3)).join("")}`.trimEnd()

/**
 * One station's bulletin of three days in steps of three hours; an extreme without a value is left empty, as in the first
 * column of real ones.
 */
const hourlyBulletin = (source: "nbm" | "gfs_mos", station: string, run: number, extreme: Extreme): string => {
  const first = (Math.floor(run / (3 * hour)) + 2) * 3 * hour
  const times = Array.from({ length: 23 }, (_, at) => first + at * 3 * hour)
  const clock = times.map((at) => iso(at).slice(11, 13))
  const since = times.map((at) => String((at - run) / hour).padStart(2, "0"))
  const extremes = times.map((at) => {
    const variable = variableAt(at)
    return (variable && extreme(variable, at)) ?? ""
  })
  return [
    headingOf(station, source === "nbm" ? "NBM V4.2 NBS" : "GFS MOS", run),
    rowOf(source === "nbm" ? "UTC" : "HR", clock),
    ...(source === "nbm" ? [rowOf("FHR", since)] : []),
    rowOf(source === "nbm" ? "TXN" : "N/X", extremes),
    rowOf(
      "TMP",
      times.map(() => 60),
    ),
    "",
  ].join("\n")
}

/** How far the percentiles of a made bulletin lie from its mean, °F. */
export const spreadOfPercentiles = [-3, -2, 0, 1, 3] as const

/**
 * One station's bulletin of percentiles: 18 columns in steps of twelve hours, from a day after the run on, in pairs of a UTC
 * day. An extreme without a value is missing in every row, as −99.
 */
const percentileBulletin = (station: string, run: number, extreme: Extreme): string => {
  const first = Math.ceil((run + 18 * hour) / (12 * hour)) * 12 * hour
  const times = Array.from({ length: 18 }, (_, at) => first + at * 12 * hour)
  const row = (name: string, cellOf: (at: number) => string | number) => {
    const cells = times.map((at, column) => {
      const cell = String(cellOf(at))
      return column === 0 ? cell.padStart(3) : variableAt(at) === "high" ? `|${cell.padStart(3)}` : cell.padStart(4)
    })
    return `${name.padEnd(6)}${cells.join("")}`
  }
  const value = (by: number) => (at: number) => {
    const mean = extreme(variableAt(at)!, at)
    return mean === undefined ? -99 : mean + by
  }
  const dayOf = (at: number) => `${iso(at).slice(8, 10)}|`
  return [
    headingOf(station, "NBM V5.0 NBP", run),
    `       ${times
      .filter((at, column) => column === 0 || variableAt(at) === "high")
      .map((at) => `DAY ${dayOf(at)}`)
      .join(" ")}`,
    row("UTC", (at) => iso(at).slice(11, 13)),
    row("FHR", (at) => (at - run) / hour),
    row("TXNMN", value(0)),
    row("TXNSD", (at) => (extreme(variableAt(at)!, at) === undefined ? -99 : 2)),
    ...["TXNP1", "TXNP2", "TXNP5", "TXNP7", "TXNP9"].map((name, at) => row(name, value(spreadOfPercentiles[at]!))),
    row("WSPP1", () => 3),
    "",
  ].join("\n")
}

/** One station's bulletin of a source. */
export const bulletinOf = (source: GuidanceSource, station: string, run: number, extreme: Extreme): string =>
  source === "nbp" ? percentileBulletin(station, run, extreme) : hourlyBulletin(source, station, run, extreme)

const { current } = Effect.runSync(Effect.provide(SecondForecasts, layerGuidance))

/** The file of all stations of a source's newest run, over the generated climate. */
export const fileOf = (source: GuidanceSource, now: number, of: ReadonlyArray<Site> = stations): string => {
  const run = runsDue(source, now)[0]!
  return of
    .map(({ id, standardOffset }) =>
      bulletinOf(source, id, run, (variable, validAt) => {
        const day = dayOf(validAt + standardOffset * hour - (variable === "high" ? 6 * hour : 0))
        const rows = Effect.runSync(current(id, day, now))
        const of = source === "nbp" ? "nbm" : source
        return rows.find((row) => row.source === of && row.variable === variable)?.tempF ?? 60
      }),
    )
    .join("\n")
}

/** The servers of the sources, with the newest runs alone. */
export const guidanceRoutes = (source: "nbm" | "gfs_mos", now: () => number): ReadonlyArray<Route> => {
  const absent = { status: 404, headers: { "content-type": "application/xml" }, body: "<Error/>" }
  const route = (path: RegExp, of: GuidanceSource): Route => ({
    path,
    reply: ({ path }) =>
      path.endsWith(`t${iso(runsDue(of, now())[0]!).slice(11, 13)}z`)
        ? { status: 200, headers: { "content-type": "text/plain" }, body: fileOf(of, now()) }
        : absent,
  })
  return source === "nbm"
    ? [route(/nb[se]tx\.t\d\dz$/, "nbm"), route(/nbptx\.t\d\dz$/, "nbp")]
    : [route(/^\/GFSM(AV|EX)\.t\d\dz$/, "gfs_mos")]
}
