import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Port from "../../../endpoint/Port.ts"
import { type Failure, fail } from "../../../Failure.ts"
import { plural } from "../../../text.ts"
import { dayOf, hour, iso, minute } from "../../../time.ts"
import { leadDays, minLead, type Variable } from "../signal/temperature.ts"
import { byId, type Site } from "../stations.ts"
import { type Bulletin, readBulletin } from "./bulletin.ts"

/**
 * Sources of second forecasts: the National Blend of Models, Model Output Statistics of the GFS, and the blend's bulletin of
 * percentiles. Learned weights are stored in this order.
 */
export const guidanceSources = ["nbm", "gfs_mos", "nbp"] as const
export type GuidanceSource = (typeof guidanceSources)[number]

export const sourceTitles: Readonly<Record<GuidanceSource, string>> = {
  nbm: "National Blend of Models",
  gfs_mos: "GFS MOS",
  nbp: "National Blend of Models (NBP)",
}

const products: Readonly<Record<GuidanceSource, ReadonlyArray<string>>> = {
  nbm: ["NBM NBS", "NBM NBE"],
  gfs_mos: ["GFS MOS", "GFSX MOS"],
  nbp: ["NBM NBP"],
}

export interface Guidance {
  /** Registry id. */
  readonly station: string
  readonly source: GuidanceSource
  readonly variable: Variable
  readonly day: string
  /** Epoch milliseconds of the model's run. */
  readonly issuedAt: number
  /** Degrees Fahrenheit. */
  readonly tempF: number
  /** Standard deviation that the source states, degrees Fahrenheit. */
  readonly sigmaF?: number
  /** The percentiles that the source states, at `percentileLevels`, degrees Fahrenheit; `tempF` is then the mean. */
  readonly percentilesF?: ReadonlyArray<number>
}

/** Read port: second forecasts of the stations. */
export const SecondForecasts = Port.define("weather/SecondForecasts")<{
  /** The newest guidance of each source and extreme for a climate day, at most `maxGuidanceAge` old. */
  readonly current: (station: string, day: string, now: number) => Effect.Effect<ReadonlyArray<Guidance>, Failure>
}>(
  /** Without second forecasts signals are less confident. */
  { current: () => Effect.succeed([]) },
)
export type SecondForecasts = typeof SecondForecasts.Identifier

/** Store of guidance, which is added and never changed. */
export const GuidanceArchive = Port.plain("weather/GuidanceArchive")<{
  /** Stores guidance that is new and returns how much that was. */
  readonly append: (guidance: ReadonlyArray<Guidance>, receivedAt: number) => Effect.Effect<number, Failure>
  /** The newest stored run of a source, epoch milliseconds. */
  readonly newest: (source: GuidanceSource) => Effect.Effect<number | undefined, Failure>
}>()
export type GuidanceArchive = typeof GuidanceArchive.Identifier

/** Older runs are not used, milliseconds. */
export const maxGuidanceAge = 24 * hour
/** Tolerance for clocks that differ, milliseconds. */
const clockError = 10 * minute

/**
 * The guidance of a bulletin for a station, or why it is refused: it is of another station or product, or by its own date it
 * was made after it was received, or more than a day before.
 */
export const toGuidance = (
  { station: heading, product, issuedAt, extremes }: Bulletin,
  source: GuidanceSource,
  station: Site,
  receivedAt: number,
): ReadonlyArray<Guidance> | string => {
  if (heading !== station.id) return `it is of ${heading}`
  if (!products[source].includes(product)) return `it is of ${product}`
  if (issuedAt > receivedAt + clockError) return `its date, ${iso(issuedAt)}, is in the future`
  if (receivedAt - issuedAt > maxGuidanceAge) return `it was made at ${iso(issuedAt)}, over a day ago`
  return extremes.flatMap(({ variable, validAt, ...law }): ReadonlyArray<Guidance> => {
    // A maximum valid at 00:00 UTC is that of the afternoon before; a minimum valid at 12:00 UTC is that of the morning.
    const day = dayOf(validAt + station.standardOffset * hour - (variable === "high" ? 6 * hour : 0))
    return leadDays(station, variable, day, issuedAt) < minLead
      ? []
      : [{ station: station.id, source, variable, day, issuedAt, ...law }]
  })
}

/** Source port: the bulletins of a run. */
export const GuidanceBulletins = Port.plain("weather/GuidanceBulletins")<{
  /** The bulletins of our stations, each as its lines; undefined if the run, epoch milliseconds, is not out yet. */
  readonly run: (
    source: GuidanceSource,
    run: number,
  ) => Effect.Effect<ReadonlyArray<ReadonlyArray<string>> | undefined, Failure>
}>()
export type GuidanceBulletins = typeof GuidanceBulletins.Identifier

/** Runs that forecast several days: the UTC hour of the day's first one, and how long after a run it is out, milliseconds. */
const runTimes: Readonly<Record<GuidanceSource, { readonly first: number; readonly delay: number }>> = {
  nbm: { first: 1, delay: hour },
  nbp: { first: 1, delay: hour },
  gfs_mos: { first: 0, delay: 4 * hour },
}
const runInterval = 6 * hour
/** Runs to request: until the newest is out, the previous one is used. */
const maxRunsAsked = 2

/** The newest runs of a source that should be out, newest first. */
export const runsDue = (source: GuidanceSource, now: number, count = maxRunsAsked): ReadonlyArray<number> => {
  const { first, delay } = runTimes[source]
  const newest = Math.floor((now - delay - first * hour) / runInterval) * runInterval + first * hour
  return Array.from({ length: count }, (_, index) => newest - index * runInterval)
}

interface SyncedGuidance {
  readonly stored: number
  readonly refusals: ReadonlyArray<string>
}

/** Stores the newest run of a source, unless it is stored. Fails if no run of the last day is there. */
export const syncGuidance = (
  source: GuidanceSource,
): Effect.Effect<SyncedGuidance, Failure, GuidanceArchive | GuidanceBulletins> =>
  Effect.gen(function* () {
    const archive = yield* GuidanceArchive
    const bulletins = yield* GuidanceBulletins
    const now = yield* Clock.currentTimeMillis
    const newest = yield* archive.newest(source)
    for (const run of runsDue(source, now).filter((each) => newest === undefined || each > newest)) {
      const bulletin = yield* bulletins.run(source, run)
      if (bulletin === undefined) continue
      const rows: Array<Guidance> = []
      const refusals: Array<string> = []
      for (const lines of bulletin) {
        const read = readBulletin(lines)
        const station = byId.get(read._tag === "Right" ? read.right.station : "")
        const guidance =
          read._tag === "Left"
            ? read.left
            : station === undefined
              ? "it is of none of our stations"
              : read.right.issuedAt !== run
                ? `it is of the run of ${iso(read.right.issuedAt)}, not of ${iso(run)}`
                : toGuidance(read.right, source, station, now)
        if (typeof guidance === "string") refusals.push(`${lines[0]?.trim().slice(0, 40)}: ${guidance}`)
        else rows.push(...guidance)
      }
      return { stored: yield* archive.append(rows, now), refusals }
    }
    if (newest !== undefined && now - newest <= maxGuidanceAge) return { stored: 0, refusals: [] }
    const since = newest === undefined ? "" : ` since ${iso(newest)}`
    return yield* fail("data_freshness_stale", {
      detail: `The ${sourceTitles[source]} has no run${since}; ${plural(maxRunsAsked, "run")} were asked for.`,
    })
  })
