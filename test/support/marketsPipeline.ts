import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { captureJob, quotesJob, settleJob } from "../../adapters/lanes/markets/module.ts"
import * as challenge from "../../adapters/lanes/markets/store/Challenge.ts"
import * as contracts from "../../adapters/lanes/markets/store/Contracts.ts"
import * as secrets from "../../adapters/runtime/node/secrets.ts"
import { runOnce } from "../../adapters/runtime/scheduler/runOnce.ts"
import * as captures from "../../adapters/store/record/Captures.ts"
import * as sqlSettled from "../../adapters/store/record/Settled.ts"
import { recordCheckpoint } from "../../adapters/store/upkeep/storeJobs.ts"
import { Feeds } from "../../core/feeds/Feeds.ts"
import type { Job } from "../../core/jobs/Job.ts"
import { JobRuns } from "../../core/jobs/JobRuns.ts"
import { Markets } from "../../core/lanes/markets/Markets.ts"
import { MarketHistory, SignalCalls } from "../../core/lanes/markets/ports.ts"
import { afterEveryClose, lines } from "../../core/record/log/exported.ts"
import { RecordLog } from "../../core/record/log/RecordLog.ts"
import { clockAt } from "./clock.ts"
import * as mockVenue from "./knownWorld/venue.ts"
import { inStore } from "./record.ts"

export const minute = 60_000
export const hour = 60 * minute
/** A Friday, so that there is a Sunday of games and the time in which they settle. */
export const begin = Date.UTC(2026, 8, 4)

/** Set at every job: a test clock waits in real time at every step. */
export const clock = clockAt(begin)

/** The jobs of live mode over a fresh store, with the seeded world instead of venue and lanes. */
export const pipeline = (options: mockVenue.WorldOptions = {}) =>
  Markets.layer.pipe(
    Layer.provide([SignalCalls.layerNone, MarketHistory.layerNone]),
    Layer.provideMerge(
      Layer.mergeAll(
        contracts.layerOpenContracts([]),
        sqlSettled.layerSettledRows,
        sqlSettled.layerScoreboard,
        challenge.layer,
      ),
    ),
    Layer.provideMerge(Layer.mergeAll(captures.layer, contracts.layerStore, sqlSettled.layerStore)),
    Layer.provideMerge(Layer.mergeAll(mockVenue.layer(options), secrets.layer, JobRuns.layerMemory, Feeds.layerNone)),
    Layer.provideMerge(inStore()),
  )

const done = (job: Job) =>
  Effect.map(runOnce(job), (attempt) =>
    attempt._tag === "Finished" && attempt.outcome === "ok"
      ? attempt.detail
      : assert.fail(`${job.name}: ${JSON.stringify(attempt)}`),
  )

/**
 * Hours of the live pipeline in the order in which its jobs come.
 *
 * @param between what happens at the time of each hour's capture, after it
 */
export const live = <E = never, R = never>(hours: number, between: Effect.Effect<unknown, E, R> = Effect.void) =>
  Effect.gen(function* () {
    const [quotes, capture, settle, checkpoint] = yield* Effect.all([
      quotesJob,
      captureJob,
      settleJob,
      recordCheckpoint,
    ])
    for (let at = 0; at < hours; at++) {
      clock.set(begin + at * hour)
      yield* done(capture)
      yield* between
      clock.set(begin + at * hour + 30_000)
      yield* done(checkpoint)
      clock.set(begin + at * hour + 20 * minute)
      if (at % 8 === 0) yield* done(quotes)
      yield* done(settle)
    }
    yield* done(checkpoint)
  })

/** The record with every text, as a file of lines. */
export const exported = Effect.gen(function* () {
  const size = yield* (yield* RecordLog).size
  const text: Array<string> = []
  for (let from = 0; from < size; from += 1_000) text.push(...(yield* lines(from, from + 1_000, afterEveryClose)))
  return text.map((line) => `${line}\n`).join("")
})
