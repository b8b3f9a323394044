import * as Effect from "effect/Effect"
import { layerGuidance } from "../../adapters/lanes/weather/mock/guidance.ts"
import { type GuidanceSource, runsDue, SecondForecasts } from "../../core/lanes/weather/guidance/Guidance.ts"
import type { Variable } from "../../core/lanes/weather/signal/temperature.ts"
import { type Site, stations } from "../../core/lanes/weather/stations.ts"
import { dayOf, hour, iso } from "../../core/time.ts"
import type { Route } from "./replay.ts"

const names = { nbm: "NBM V4.2 NBS", gfs_mos: "GFS MOS" } as const
/** Three days in steps of three hours. */
const columns = 23

const cell = (value: string | number): string => String(value).padStart(3)

/** One station's bulletin; an extreme without a value is left empty, as in the first column of real ones. */
export const bulletinOf = (
  source: GuidanceSource,
  station: string,
  run: number,
  extreme: (variable: Variable, validAt: number) => number | undefined,
): string => {
  const [year, month, date] = iso(run).slice(0, 10).split("-").map(Number)
  const first = (Math.floor(run / (3 * hour)) + 2) * 3 * hour
  const times = Array.from({ length: columns }, (_, at) => first + at * 3 * hour)
  const row = (name: string, cells: ReadonlyArray<string | number>) =>
    `${name.padEnd(4)}${cells.map(cell).join("")}`.trimEnd()
  const clock = times.map((at) => iso(at).slice(11, 13))
  const extremes = times.map((at) => {
    const variable = ({ "00": "high", "12": "low" } as const)[iso(at).slice(11, 13)]
    return (variable && extreme(variable, at)) ?? ""
  })
  return [
    `${station}    ${names[source]} GUIDANCE   ${month}/${String(date).padStart(2, "0")}/${year}  ${iso(run).slice(11, 13)}00 UTC`,
    row(source === "nbm" ? "UTC" : "HR", clock),
    ...(source === "nbm"
      ? [
          row(
            "FHR",
            times.map((at) => String((at - run) / hour).padStart(2, "0")),
          ),
        ]
      : []),
    row(source === "nbm" ? "TXN" : "N/X", extremes),
    row(
      "TMP",
      times.map(() => 60),
    ),
    "",
  ].join("\n")
}

const { current } = Effect.runSync(Effect.provide(SecondForecasts, layerGuidance))

/** The file of all stations of a source's newest run, over the generated climate. */
export const fileOf = (source: GuidanceSource, now: number, of: ReadonlyArray<Site> = stations): string => {
  const run = runsDue(source, now)[0]!
  return of
    .map(({ id, standardOffset }) =>
      bulletinOf(source, id, run, (variable, validAt) => {
        const day = dayOf(validAt + standardOffset * hour - (variable === "high" ? 6 * hour : 0))
        const rows = Effect.runSync(current(id, day, now))
        return rows.find((row) => row.source === source && row.variable === variable)?.tempF ?? 60
      }),
    )
    .join("\n")
}

/** The servers of both sources, with the newest run alone. */
export const guidanceRoutes = (source: GuidanceSource, now: () => number): ReadonlyArray<Route> => {
  const absent = { status: 404, headers: { "content-type": "application/xml" }, body: "<Error/>" }
  const hh = () => iso(runsDue(source, now())[0]!).slice(11, 13)
  return [
    {
      path: source === "nbm" ? /nb[se]tx\.t\d\dz$/ : /^\/GFSM(AV|EX)\.t\d\dz$/,
      reply: ({ path }) =>
        path.endsWith(`t${hh()}z`)
          ? { status: 200, headers: { "content-type": "text/plain" }, body: fileOf(source, now()) }
          : absent,
    },
  ]
}
