import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Failure } from "../../core/Failure.ts"
import { type Coverage, type Due, type FeedStatus, isBehind, type Period } from "../../core/feeds/Due.ts"
import type { Feeds } from "../../core/feeds/Feeds.ts"
import { lastSlot, nextSlot, type Schedule } from "../../core/jobs/schedule.ts"
import * as Step from "../../core/Step.ts"
import { iso, minute } from "../../core/time.ts"
import { Transactions } from "../store/engine/Transactions.ts"
import * as feedAttempts from "../store/upkeep/FeedAttempts.ts"

/** A feed of a lane's module. */
export interface LaneFeed {
  readonly feed: Due
  /** Names of the upstreams that bring it, the first one first. */
  readonly upstreams: ReadonlyArray<string>
  /** Of the job that fetches it; absent if calls fetch it. */
  readonly schedule?: Schedule
  /**
   * The data that is due and missing from the store. Absent: with a schedule every slot must have been read; without one
   * the store keeps nothing, and every answer checks the age of its data.
   */
  readonly coverage?: (now: number) => Effect.Effect<Coverage, Failure>
}

const nothingDue: Coverage = { missing: [], gaps: [] }

/** One slot may be late or fail; two in a row are a gap. */
const gracePeriod = ({ period }: Schedule): number => 2 * period + minute

const toSlot = (at: number): Period => ({ order: at, name: iso(at) })

/** For a feed without `coverage`: each slot of the schedule must have been read. */
const coverAttempts = (schedule: Schedule, { goodAt }: feedAttempts.Attempts, now: number): Coverage => {
  const expected = toSlot(lastSlot(schedule, now))
  const isLate = goodAt === undefined || now - goodAt > gracePeriod(schedule)
  return {
    ...(goodAt !== undefined && { newest: toSlot(goodAt) }),
    expected,
    missing: isLate ? [expected] : [],
    gaps: [],
  }
}

const neverAttempted: feedAttempts.Attempts = { newFields: [] }

const makeCoverage = (
  { coverage, schedule }: LaneFeed,
  now: number,
  attempts: Effect.Effect<feedAttempts.Attempts, Failure>,
): Effect.Effect<Coverage, Failure> => {
  if (schedule === undefined) return coverage?.(now) ?? Effect.succeed(nothingDue)
  const covered = coverage?.(now) ?? Step.map(attempts, (last) => coverAttempts(schedule, last, now))
  return Step.map(covered, (found) => ({ ...found, nextAttemptAt: nextSlot(schedule, now) }))
}

const feedState = (coverage: Coverage, { refusal, goodAt }: feedAttempts.Attempts): FeedStatus["state"] =>
  isBehind(coverage) ? "behind" : refusal !== undefined && refusal.at > (goodAt ?? 0) ? "refused" : "complete"

/** The register of the feeds of lanes that are not generated, over the store. */
export const register = (
  lanes: ReadonlyArray<readonly [lane: string, feeds: ReadonlyArray<LaneFeed>]>,
): Effect.Effect<Feeds["Type"], never, Transactions> =>
  Effect.map(Transactions, (transactions) => {
    const attempts = feedAttempts.make(transactions)
    const listed = lanes.flatMap(([lane, feeds]) => feeds.map((owed) => ({ lane, owed })))
    const byName = new Map(listed.map(({ owed }) => [owed.feed.name, owed]))
    return {
      coverage: ({ name }) => {
        const owed = byName.get(name)
        return owed === undefined
          ? Effect.succeed(undefined)
          : Step.gen(function* () {
              return yield* makeCoverage(owed, yield* Step.now, attempts.last(name))
            })
      },
      all: Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const ended = yield* attempts.all
        return yield* Effect.forEach(listed, ({ lane, owed }) => {
          const last = ended.get(owed.feed.name) ?? neverAttempted
          return Effect.map(makeCoverage(owed, now, Effect.succeed(last)), (coverage): FeedStatus => {
            const { feed, upstreams } = owed
            return { feed, lane, upstreams, ...coverage, ...last, state: feedState(coverage, last) }
          })
        })
      }),
      attempted: (all) =>
        Effect.forEach(
          all,
          (attempt) =>
            Effect.flatMap(attempts.add(attempt), (fields) =>
              fields.length === 0
                ? Effect.void
                : Effect.logWarning(`${attempt.feed.title} have new fields: the source has changed its shape`).pipe(
                    Effect.annotateLogs({ feed: attempt.feed.name, fields: fields.join(", ") }),
                  ),
            ),
          { discard: true },
        ),
    }
  })
