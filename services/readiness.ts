import type * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Readiness } from "../adapters/http/health.ts"
import { modules } from "../adapters/lanes/all.ts"
import type { Any, Mode } from "../adapters/lanes/LaneModule.ts"
import { beat } from "../adapters/sql/vitals.ts"
import { SecretBox } from "../core/account/SecretBox.ts"
import { type Failure, fail } from "../core/Failure.ts"
import type { Job } from "../core/jobs/Job.ts"
import { type JobRun, JobRuns, stateOf } from "../core/jobs/JobRuns.ts"
import type { Hasher } from "../core/record/log/Hasher.ts"
import { RecordLog } from "../core/record/log/RecordLog.ts"
import type { Signer } from "../core/record/log/Signer.ts"
import { obstacle } from "../core/record/log/signCheckpoint.ts"
import { minute } from "../core/time.ts"
import { Jobs } from "./jobs.ts"

/** How long the store may take for one row before it counts as one that cannot be written. */
const patience = "2 seconds"

/** How long an answer is given again: whoever asks without end causes one look a second. */
const kept = "1 second"

/** Runs of a job that are looked through for one that ended well. */
const looked = 10

const iso = (at: number | undefined): string | null => (at === undefined ? null : new Date(at).toISOString())

/** Two slots and a minute: one run may be late, or fail; an upstream's outage of that length is worth a look. */
const graceOf = ({ schedule: { period } }: Job): number => 2 * period + minute

interface Seen {
  readonly job: Job
  readonly last: JobRun | undefined
  /** When a run last ended well, epoch milliseconds. */
  readonly goodAt: number | undefined
}

const see = (job: Job): Effect.Effect<Seen, Failure, JobRuns> =>
  Effect.map(
    Effect.flatMap(JobRuns, (runs) => runs.recent(job.name, looked)),
    (runs) => ({ job, last: runs[0], goodAt: runs.find(({ finished }) => finished?.outcome === "ok")?.finished?.at }),
  )

/** A server that has just begun owes no run yet. */
const jobOf =
  (now: number, startedAt: number) =>
  ({ job, last, goodAt }: Seen) => ({
    name: job.name,
    state: last === undefined ? "never_run" : stateOf(last, now),
    last_ok_at: iso(goodAt),
    overdue: now - Math.max(goodAt ?? 0, startedAt) > graceOf(job),
  })

const lanesOf = (served: ReadonlyArray<Any>, seen: ReadonlyArray<Seen>, now: number) =>
  Effect.forEach(served, ({ feed, definition }) =>
    Effect.gen(function* () {
      const fed = seen.find(({ job }) => job.name === feed?.job)
      // A lane without a feed asks its source with every call; one that keeps no such time has that of its job.
      const at = fed === undefined ? undefined : ((yield* feed?.newest ?? Effect.succeed(undefined)) ?? fed.goodAt)
      return {
        lane: definition.lane.name,
        last_good_at: iso(at),
        age_seconds: at === undefined ? null : Math.max(0, Math.round((now - at) / 1_000)),
        stale: fed !== undefined && (at === undefined || now - at > graceOf(fed.job)),
      }
    }),
  )

/** What keeps the record from being signed; null: nothing. */
const signing = Effect.gen(function* () {
  const log = yield* RecordLog
  const last = yield* log.checkpoint()
  const held = yield* Effect.catchTag(obstacle(last), "SignerError", () => Effect.succeed("key_unusable" as const))
  return {
    leaves: yield* log.size,
    last_checkpoint: last === undefined ? null : { at: iso(last.at), size: last.size },
    refused: held ?? null,
  }
})

const unavailable = { status: "unavailable", store: { writable: false } } as const

/**
 * Whether a paid call can be served now: a row was written, and is on disk. Beside it what an operator wants to know
 * before the callers do; that alone makes the service `degraded`, not unready. Names, times and reasons: no path, no key.
 */
export const make = (
  modes: Readonly<Record<string, Mode>>,
  lanes: ReadonlyArray<Any> = modules,
): Effect.Effect<
  Effect.Effect<Readiness>,
  never,
  Hasher | JobRuns | Jobs | RecordLog | SecretBox | Signer | SqlClient.SqlClient
> =>
  Effect.gen(function* () {
    const jobs = yield* Jobs
    const box = yield* SecretBox
    const served = lanes.filter(({ definition }) => modes[definition.lane.name] === "live")
    const startedAt = yield* Clock.currentTimeMillis
    const context = yield* Effect.context<Hasher | JobRuns | RecordLog | Signer | SqlClient.SqlClient>()

    const look = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      yield* beat(now)
      const seen = yield* Effect.forEach(jobs, see)
      const feeds = yield* lanesOf(served, seen, now)
      const told = seen.map(jobOf(now, startedAt))
      const record = yield* signing
      const secrets = Either.match(box.ready(true), { onLeft: ({ reason }) => `key_${reason}`, onRight: () => null })
      const isWell =
        !feeds.some(({ stale }) => stale) &&
        !told.some(({ overdue }) => overdue) &&
        record.refused === null &&
        secrets === null
      return {
        report: {
          status: isWell ? "ready" : "degraded",
          at: iso(now),
          store: { writable: true },
          lanes: feeds,
          jobs: told,
          record,
          secrets: { refused: secrets },
        },
      }
    }).pipe(Effect.provide(context))

    const checked = look.pipe(
      Effect.interruptible,
      Effect.timeoutFail({
        duration: patience,
        onTimeout: () => fail("storage_unavailable", { detail: "The store did not take a row in time." }),
      }),
      Effect.catchAll((failure): Effect.Effect<Readiness> => Effect.succeed({ report: unavailable, failure })),
    )
    // Whoever asks first may go away: the look goes on for those who wait for it too.
    return Effect.uninterruptible(yield* Effect.cachedWithTTL(checked, kept))
  })
