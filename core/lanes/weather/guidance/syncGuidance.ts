import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Port from "../../../endpoint/Port.ts"
import { type Failure, fail } from "../../../Failure.ts"
import { plural } from "../../../text.ts"
import { hour, iso } from "../../../time.ts"
import { byId } from "../stations.ts"
import { readBulletin } from "./bulletin.ts"
import {
  type Guidance,
  GuidanceArchive,
  type GuidanceSource,
  guidanceOf,
  oldestUsed,
  sourceTitles,
} from "./Guidance.ts"

/** Port: the bulletins of a run. */
export const GuidanceBulletins = Port.plain("weather/GuidanceBulletins")<{
  /**
   * The lines of the stations' bulletins; undefined: the run is not out yet.
   *
   * @param run epoch milliseconds
   */
  readonly run: (
    source: GuidanceSource,
    run: number,
  ) => Effect.Effect<ReadonlyArray<ReadonlyArray<string>> | undefined, Failure>
}>()
export type GuidanceBulletins = typeof GuidanceBulletins.Identifier

/** Runs with forecasts of several days: the first hour of the day in UTC, and how long after it they are out, ms. */
const runs: Readonly<Record<GuidanceSource, { readonly first: number; readonly delay: number }>> = {
  nbm: { first: 1, delay: hour },
  gfs_mos: { first: 0, delay: 4 * hour },
}
const period = 6 * hour
/** A run that is not out yet is asked for again, and the one before it is taken meanwhile. */
const asked = 2

/** The newest runs of a source that should be out, newest first. */
export const runsDue = (source: GuidanceSource, now: number, count = asked): ReadonlyArray<number> => {
  const { first, delay } = runs[source]
  const newest = Math.floor((now - delay - first * hour) / period) * period + first * hour
  return Array.from({ length: count }, (_, at) => newest - at * period)
}

export interface SyncedGuidance {
  readonly stored: number
  /** Bulletins that were refused, with the reason. */
  readonly refusals: ReadonlyArray<string>
}

/** Reads the newest run of a source that is out and not stored. Fails where none of a day is there. */
export const syncGuidance = (
  source: GuidanceSource,
): Effect.Effect<SyncedGuidance, Failure, GuidanceArchive | GuidanceBulletins> =>
  Effect.gen(function* () {
    const archive = yield* GuidanceArchive
    const bulletins = yield* GuidanceBulletins
    const now = yield* Clock.currentTimeMillis
    const newest = yield* archive.newest(source)
    for (const run of runsDue(source, now).filter((each) => newest === undefined || each > newest)) {
      const found = yield* bulletins.run(source, run)
      if (found === undefined) continue
      const rows: Array<Guidance> = []
      const refusals: Array<string> = []
      for (const lines of found) {
        const read = readBulletin(lines)
        const station = byId.get(read._tag === "Right" ? read.right.station : "")
        const guidance =
          read._tag === "Left"
            ? read.left
            : station === undefined
              ? "it is of no station of ours"
              : read.right.issuedAt !== run
                ? `it is of the run of ${iso(read.right.issuedAt)}, not of ${iso(run)}`
                : guidanceOf(read.right, source, station, now)
        if (typeof guidance === "string") refusals.push(`${lines[0]?.trim().slice(0, 40)}: ${guidance}`)
        else rows.push(...guidance)
      }
      return { stored: yield* archive.append(rows, now), refusals }
    }
    if (newest !== undefined && now - newest <= oldestUsed) return { stored: 0, refusals: [] }
    const since = newest === undefined ? "" : ` since ${iso(newest)}`
    return yield* fail("data_freshness_stale", {
      detail: `The ${sourceTitles[source]} has no run${since}; ${plural(asked, "run")} were asked for.`,
    })
  })
