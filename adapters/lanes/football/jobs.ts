import * as HttpClient from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import { fail } from "../../../core/Failure.ts"
import { type Job, makeJob } from "../../../core/jobs/Job.ts"
import { every, hourly } from "../../../core/jobs/schedule.ts"
import type { FootballArchive } from "../../../core/lanes/football/data/archive.ts"
import { scoreFinals } from "../../../core/lanes/football/data/scoreFinals.ts"
import type { Games } from "../../../core/lanes/football/ports.ts"
import type { Outcomes } from "../../../core/record/captures/Outcomes.ts"
import type { RequestPolicy } from "../../runtime/upstream/upstream.ts"
import { type Synced, syncReleases } from "./nflverse/sync.ts"

const sum = (stored: Synced["stored"], of: "added" | "changed" | "withdrawn"): number =>
  stored.reduce((total, file) => total + file[of], 0)

/** Every six hours: loads nflverse's changed releases. */
export const footballIngestJob = (
  upstreams: { readonly nflverse: string },
  policy: RequestPolicy = {},
): Effect.Effect<Job, never, FootballArchive | HttpClient.HttpClient> =>
  makeJob({
    name: "football-ingest",
    description: "Fetch changed schedules, results, lines, statistics, injury reports and rosters.",
    schedule: every(360, 900),
    catchUp: "latest",
    limit: "2 hours",
    run: Effect.gen(function* () {
      const { asked, unchanged, absent, stored, failures, outage } = yield* syncReleases(
        yield* HttpClient.HttpClient,
        upstreams.nflverse,
        policy,
      )
      const said = [
        `${asked} files requested, ${stored.length} new, ${unchanged} unchanged, ${absent} not released`,
        `${sum(stored, "added")} rows added, ${sum(stored, "changed")} changed, ${sum(stored, "withdrawn")} withdrawn`,
        ...failures,
      ].join("; ")
      return outage === undefined ? said : yield* fail(outage.code, { detail: said })
    }),
  })

/** Every hour: scores recorded lines against new finals. */
export const footballScoreJob: Effect.Effect<Job, never, Games | Outcomes> = makeJob({
  name: "football-score",
  description: "Score recorded fair lines against the finals.",
  schedule: hourly(25),
  catchUp: "latest",
  run: scoreFinals.pipe(Effect.map((scored) => `${scored} scored`)),
})
