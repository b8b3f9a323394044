import type * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { modules } from "../adapters/lanes/all.ts"
import { type Any, type Mode, termsNotAccepted } from "../adapters/lanes/LaneModule.ts"
import { type Source, Sources } from "../adapters/runtime/upstream/breaker.ts"
import type { Readiness, Reason, Report } from "../adapters/server/http/health.ts"
import { type State as Disk, DiskSpace } from "../adapters/store/engine/diskGuard.ts"
import { StoreTime } from "../adapters/store/engine/StoreTime.ts"
import { findWrongKey } from "../adapters/store/events/sealSecrets.ts"
import { writeHeartbeat } from "../adapters/store/upkeep/gauges.ts"
import type { SecretBox } from "../core/account/SecretBox.ts"
import { type Failure, fail } from "../core/Failure.ts"
import { type FeedStatus, gapText } from "../core/feeds/Due.ts"
import { Feeds } from "../core/feeds/Feeds.ts"
import type { Job } from "../core/jobs/Job.ts"
import { type JobRun, JobRuns, runState } from "../core/jobs/JobRuns.ts"
import { RecordLog } from "../core/record/log/RecordLog.ts"
import type { Signer } from "../core/record/log/Signer.ts"
import type { SyncSha256 } from "../core/record/log/SyncSha256.ts"
import { inconsistency } from "../core/record/log/signCheckpoint.ts"
import { iso, minute, second } from "../core/time.ts"
import { Jobs } from "./jobs.ts"
import { hasAnswer, isoOrNull, isUnread, liveModules, reportLane, silentSince } from "./laneStates.ts"

/** A write that takes longer counts as failed. */
const timeLimit = "2 seconds"

/** Cache time of the report: at most one check a second. */
const cacheTime = "1 second"

/** Recent runs of a job searched for a successful one. */
const maxRecentRuns = 10

/** Two slots and a minute: one run may be late or fail; a longer outage is reported. */
const gracePeriod = ({ schedule: { period } }: Job): number => 2 * period + minute

interface Seen {
  readonly job: Job
  readonly last: JobRun | undefined
  /** End of the last successful run, epoch milliseconds. */
  readonly goodAt: number | undefined
}

const see = (job: Job): Effect.Effect<Seen, Failure, JobRuns> =>
  Effect.map(
    Effect.flatMap(JobRuns, (runs) => runs.recent(job.name, maxRecentRuns)),
    (runs) => ({ job, last: runs[0], goodAt: runs.find(({ finished }) => finished?.outcome === "ok")?.finished?.at }),
  )

/** No job is overdue until its grace has passed since the server's start. */
const reportJob =
  (now: number, startedAt: number) =>
  ({ job, last, goodAt }: Seen) => ({
    name: job.name,
    state: last === undefined ? ("never_run" as const) : runState(last, now),
    last_ok_at: isoOrNull(goodAt),
    overdue: now - Math.max(goodAt ?? 0, startedAt) > gracePeriod(job),
  })

const reportFeed = (sources: ReadonlyArray<Source>) => (status: FeedStatus) => {
  const { feed, lane, state, newest, expected, missing, refusal, newFields } = status
  return {
    feed: feed.name,
    lane,
    title: feed.title,
    absence: feed.absence,
    state,
    answers: hasAnswer(status, sources),
    newest: newest?.name ?? null,
    expected: expected?.name ?? null,
    missing: missing.length,
    last_good_at: isoOrNull(status.goodAt),
    last_attempt_at: isoOrNull(status.attemptedAt),
    next_attempt_at: isoOrNull(status.nextAttemptAt),
    refusal: refusal === undefined ? null : { at: iso(refusal.at), reason: refusal.reason },
    new_fields: newFields.map(({ name }) => name),
    detail: state === "complete" ? null : state === "behind" ? `${gapText(feed, status)}.` : refusal!.reason,
  }
}

/** The record's size and last checkpoint, and why it cannot be signed, or null. */
const reportRecord = Effect.gen(function* () {
  const log = yield* RecordLog
  const last = yield* log.checkpoint()
  const held = yield* Effect.catchTag(inconsistency(last), "SignerError", () => Effect.succeed("key_unusable" as const))
  return {
    leaves: yield* log.size,
    last_checkpoint: last === undefined ? null : { at: isoOrNull(last.at), size: last.size },
    refused: held ?? null,
  }
})

const reportSource = (source: Source) => {
  const since = silentSince(source)
  return {
    source: source.name,
    title: source.title,
    answers: since === undefined,
    since: isoOrNull(since),
    next_attempt_at: isoOrNull(source.outage()?.nextAt),
  }
}

/** Whether the disk reserve is used up or, without a reserve, the disk is full. */
const isLow = ({ low, freeBytes }: Disk): boolean => low || freeBytes === 0

const ofDisk = ({ low }: { readonly low: boolean }): ReadonlyArray<Reason> =>
  low
    ? [{ reason: "disk", detail: "The store's disk is nearly full: free calls are counted and not stored. Make room." }]
    : []

/** Why a service that answers is degraded, worst first. */
const listReasons = (
  {
    disk,
    record,
    secrets,
    sources,
    feeds,
    jobs,
  }: Required<Pick<Report, "disk" | "record" | "secrets" | "sources" | "feeds" | "jobs">>,
  /** The lanes without a source that is read. */
  unread: ReadonlyArray<Any>,
  /** The sources whose failure live keys notice. */
  needed: ReadonlySet<string>,
): ReadonlyArray<Reason> => [
  ...ofDisk(disk),
  ...(record.refused === null
    ? []
    : [{ reason: "record", detail: `The record cannot be signed: ${record.refused}.` } as const]),
  ...(secrets.refused === null
    ? []
    : [{ reason: "secrets", detail: `Secrets of webhooks cannot be read: ${secrets.refused}.` } as const]),
  ...unread.map(
    ({ definition: { lane }, upstreams }): Reason => ({
      reason: "source",
      name: lane.name,
      detail: termsNotAccepted(...Object.values(upstreams)).message,
    }),
  ),
  ...sources
    .filter(({ source, answers }) => !answers && needed.has(source))
    .map(
      ({ source, title, since }): Reason => ({
        reason: "source",
        name: source,
        detail: `${title} has not answered as asked since ${since}.`,
      }),
    ),
  ...feeds.flatMap(
    ({ feed: name, detail }): ReadonlyArray<Reason> => (detail === null ? [] : [{ reason: "feed", name, detail }]),
  ),
  ...jobs
    .filter(({ overdue }) => overdue)
    .map(
      ({ name, last_ok_at: at }): Reason => ({
        reason: "job",
        name,
        detail: at === null ? "It has had no success yet." : `Its last success was at ${at}.`,
      }),
    ),
]

const unavailable = (failure: Failure, reason: "store" | "clock", more: Partial<Report>): Readiness => ({
  report: { status: "unavailable", reasons: [{ reason, detail: failure.message }], ...more },
  failure,
})

/** The report of a node that does not know the store's time. */
const outOfTime = (detail: string): Readiness =>
  unavailable(fail("storage_unavailable", { detail, retryAfterMs: second }), "clock", { clock: { doubtful: true } })

const withoutStore = (failure: Failure, low: boolean): Readiness => {
  const { report } = unavailable(failure, "store", { store: { writable: false }, disk: { low } })
  return { report: { ...report, reasons: [...report.reasons!, ...ofDisk({ low })] }, failure }
}

/**
 * Readiness: a row was written to the store and synced to disk, and the store's time is known. The report adds lanes, jobs,
 * record and secrets, whose problems make the service `degraded`, not unready. It has names, times and reasons only: no
 * paths, no keys.
 */
export const make = (
  modes: Readonly<Record<string, Mode>>,
  unaccepted: ReadonlyArray<string> = [],
  lanes: ReadonlyArray<Any> = modules,
): Effect.Effect<
  Effect.Effect<Readiness>,
  never,
  DiskSpace | Feeds | SyncSha256 | JobRuns | Jobs | RecordLog | SecretBox | Signer | SqlClient.SqlClient | StoreTime
> =>
  Effect.gen(function* () {
    const jobs = yield* Jobs
    const { doubt } = yield* StoreTime
    const { state: diskState } = yield* DiskSpace
    const { all: sources } = yield* Sources
    const { all: statuses } = yield* Feeds
    const served = liveModules(modes, lanes)
    const needed = new Set(served.flatMap(({ upstreams }) => Object.keys(upstreams)))
    const unread = served.filter((module) => isUnread(module, unaccepted))
    const startedAt = yield* Clock.currentTimeMillis
    const context = yield* Effect.context<SyncSha256 | JobRuns | RecordLog | SecretBox | Signer | SqlClient.SqlClient>()

    const look = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      yield* writeHeartbeat("ready", now)
      const seen = yield* Effect.forEach(jobs, see)
      const servedFeeds = (yield* statuses).filter(({ lane }) =>
        served.some((module) => module.definition.lane.name === lane),
      )
      const jobRows = seen.map(reportJob(now, startedAt))
      const record = yield* reportRecord
      const wrongKey = yield* findWrongKey
      const readiness = {
        disk: { low: isLow(yield* diskState) },
        sources: sources().map(reportSource),
        lanes: served.map((module) => reportLane(module, servedFeeds, sources(), now, unaccepted)),
        feeds: servedFeeds.map(reportFeed(sources())),
        jobs: jobRows,
        record,
        secrets: { refused: wrongKey === undefined ? null : `key_${wrongKey.reason}` },
      }
      const reasons = listReasons(readiness, unread, needed)
      return {
        report: {
          status: reasons.length === 0 ? "ready" : "degraded",
          reasons,
          at: isoOrNull(now),
          store: { writable: true },
          ...readiness,
        },
      }
    }).pipe(Effect.provide(context))

    const checked = Effect.flatMap(
      doubt,
      (detail): Effect.Effect<Readiness, Failure> => (detail === undefined ? look : Effect.succeed(outOfTime(detail))),
    ).pipe(
      Effect.interruptible,
      Effect.timeoutFail({
        duration: timeLimit,
        onTimeout: () =>
          fail("storage_unavailable", { detail: `The store did not accept a write within ${timeLimit}.` }),
      }),
      Effect.catchAll((failure) => Effect.map(diskState, (disk) => withoutStore(failure, isLow(disk)))),
    )
    // Uninterruptible: if the first caller disconnects, others wait for the same check.
    return Effect.uninterruptible(yield* Effect.cachedWithTTL(checked, cacheTime))
  })
