import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type Failure, fail } from "../Failure.ts"
import { type Due, gapText, isBehind } from "../feeds/Due.ts"
import { Feeds } from "../feeds/Feeds.ts"
import { isNotSent } from "../feeds/onCalls.ts"
import type { Schedule } from "./schedule.ts"

/**
 * The slot that a job runs for, epoch milliseconds; 0 outside a run. Data stored under the slot instead of the clock's
 * time is the same when the run is late or repeated by hand.
 */
export class Slot extends Context.Reference<Slot>()("market-signals/core/jobs/Slot", {
  defaultValue: (): number => 0,
}) {}

/** Any tagged error with a message. */
export interface JobError {
  readonly _tag: string
  readonly message: string
}

/** A scheduled task: a plain effect that can also be run once, by hand. */
export interface Job {
  /** Lower-case words joined by hyphens; the key of the run log, so it never changes. */
  readonly name: string
  /** One line for an operator. */
  readonly description: string
  readonly schedule: Schedule
  /**
   * Slots missed while no scheduler ran or the job was still busy: `latest` makes one run for the newest (also when the
   * job is new), `none` skips them and waits for the next. A run that has begun and whose process died is taken over
   * either way.
   */
  readonly catchUp: "latest" | "none"
  /** A longer run is interrupted and fails. Default: 1 hour. */
  readonly limit?: Duration.DurationInput
  /** Its dependencies are captured when it is built. Succeeds with a one-line summary. */
  readonly run: Effect.Effect<string, JobError>
}

/** Gives a job the services of the context in which it is built. */
export const makeJob = <R>({
  run,
  ...job
}: Omit<Job, "run"> & { readonly run: Effect.Effect<string, JobError, R> }): Effect.Effect<Job, never, R> =>
  Effect.map(Effect.context<R>(), (context) => ({ ...job, run: Effect.provide(run, context) }))

/** The data that was read from a source. */
export interface Synced {
  /** Such as `{ new: 3, known: 1 }`. */
  readonly counts: Readonly<Record<string, number>>
  /** What else an operator should know; it does not fail the run. */
  readonly notes?: ReadonlyArray<string>
  /** Why some data was refused, or some requested data did not come. */
  readonly refusals?: ReadonlyArray<string>
  /** Names of the columns that came. */
  readonly fields?: ReadonlyArray<string>
}

/** A source that a job reads into a store. `read` fails if nothing was read. */
export interface Part<R> {
  readonly due: Due
  readonly read: Effect.Effect<Synced, Failure, R>
}

/** Maximum number of reasons in one line. */
const maxListed = 5

const shortList = (reasons: ReadonlyArray<string>): ReadonlyArray<string> =>
  reasons.length <= maxListed ? reasons : [...reasons.slice(0, maxListed), `and ${reasons.length - maxListed} more`]

export const total = (all: ReadonlyArray<Pick<Synced, "counts">>): Synced["counts"] => {
  const sums: Record<string, number> = {}
  for (const { counts } of all) {
    for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count
  }
  return sums
}

/** A line about the data that was read; fails with it if something was refused or is late. */
export const summary = (
  all: ReadonlyArray<Synced>,
  {
    late = [],
    code = "upstream_unavailable",
  }: { readonly late?: ReadonlyArray<string>; readonly code?: Failure["code"] } = {},
): Effect.Effect<string, Failure> => {
  const refusals = all.flatMap(({ refusals = [] }) => refusals)
  const notes = all.flatMap(({ notes = [] }) => notes)
  const counts = Object.entries(total(all)).map(([name, count]) => `${count} ${name}`)
  const detail = [counts.join(", "), ...shortList(notes), ...shortList(refusals), ...shortList(late)]
    .filter((text) => text !== "")
    .join("; ")
  if (refusals.length > 0) return Effect.fail(fail(code, { detail }))
  return late.length > 0 ? Effect.fail(fail("data_freshness_stale", { detail })) : Effect.succeed(detail)
}

/**
 * A job that reads sources into a store, one after the other: none stops the others, but a store that fails stops all. Each
 * attempt is reported to the register of feeds; a request that was not sent does not count. Fails if a source was not read, not
 * completely, or is late.
 *
 * @param parts built for each run
 */
export const sync = <R, R2>(
  job: Pick<Job, "name" | "description" | "schedule" | "limit">,
  parts: Effect.Effect<ReadonlyArray<Part<R>>, Failure, R2>,
): Effect.Effect<Job, never, Feeds | R | R2> =>
  makeJob({
    ...job,
    catchUp: "latest",
    run: Effect.gen(function* () {
      const { attempted, coverage } = yield* Feeds
      const all = yield* parts
      const ends = yield* Effect.forEach(all, ({ due, read }) =>
        Effect.gen(function* () {
          const end = yield* Effect.either(read)
          if (Either.isLeft(end) && end.left.code === "storage_unavailable") return yield* end.left
          const {
            refusals = [],
            fields,
            ...synced
          } = Either.getOrElse(end, ({ message }): Synced => ({ counts: {}, refusals: [message] }))
          if (Either.isRight(end) || !isNotSent(end.left)) {
            const now = yield* Clock.currentTimeMillis
            const refusal = refusals.length === 0 ? {} : { refusal: shortList(refusals).join("; ") }
            yield* attempted([{ feed: due, at: now, ...refusal, ...(fields && { fields }) }])
          }
          const covered = yield* coverage(due)
          return {
            ...synced,
            refusals: refusals.map((reason) => `${due.title}: ${reason}`),
            late: covered !== undefined && isBehind(covered) ? [`late: ${gapText(due, covered)}`] : [],
            ...(Either.isLeft(end) && { code: end.left.code }),
          }
        }),
      )
      const code = ends.find((end) => "code" in end)?.code
      return yield* summary(ends, { late: ends.flatMap(({ late }) => late), ...(code && { code }) })
    }),
  })
