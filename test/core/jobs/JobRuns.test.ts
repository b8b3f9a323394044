import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import { runOnce } from "../../../adapters/runtime/scheduler/runOnce.ts"
import * as sqlite from "../../../adapters/store/engine/sqlite/open.ts"
import * as jobRuns from "../../../adapters/store/upkeep/JobRuns.ts"
import { pruneRuns } from "../../../adapters/store/upkeep/storeJobs.ts"
import { aliveTimeoutMs, JobRuns, maxAttempts, runState } from "../../../core/jobs/JobRuns.ts"
import { claimed, claimTag, job, logs, minute, noting, states } from "../../adapters/runtime/scheduler/jobs.ts"
import { begin } from "../../support/chaos/chaos.ts"
import { makeFolder, removeFolder } from "../../support/store.ts"

const day = 86_400_000

for (const [where, log] of logs) {
  describe(`a run log ${where}`, () => {
    it.effect("gives a slot once, and none while a run of the job is alive", () =>
      Effect.gen(function* () {
        const { alive, finish } = yield* JobRuns
        const first = yield* claimed("a", 100, 100)
        assert.strictEqual(yield* claimTag("a", 100, 101), "Busy")
        assert.strictEqual(yield* claimTag("a", 200, 200), "Busy")
        assert.strictEqual(yield* claimTag("b", 100, 200), "Claimed")
        assert.isTrue(yield* alive(first, 1_000))
        assert.strictEqual(yield* claimTag("a", 200, 1_000 + aliveTimeoutMs), "Busy")
        const second = yield* claimed("a", 200, 1_001 + aliveTimeoutMs)
        // The first wakes up, and must end: never two runs of a job.
        assert.isFalse(yield* alive(first, 1_002 + aliveTimeoutMs))
        assert.isTrue(yield* finish(second, { at: 2_000 + aliveTimeoutMs, outcome: "failed", detail: "why" }))
        assert.strictEqual(yield* claimTag("a", 200, 2_000 + aliveTimeoutMs), "Taken")
        assert.strictEqual(yield* claimTag("a", 300, 2_000 + aliveTimeoutMs), "Claimed")
        assert.deepStrictEqual(
          (yield* states("a", 2_001 + aliveTimeoutMs)).map(([, state, { slot }]) => [slot, state]),
          [
            [100, "interrupted"],
            [200, "failed"],
            [300, "running"],
          ],
        )
      }).pipe(Effect.provide(log)),
    )

    it.effect("gives a run that fell silent to another process, which alone may finish it", () =>
      Effect.gen(function* () {
        const { alive, finish, recent } = yield* JobRuns
        const first = yield* claimed("a", 100, 100)
        const at = 101 + aliveTimeoutMs
        const second = yield* claimed("a", 100, at)
        assert.deepStrictEqual([first.attempt, second.attempt], [1, 2])
        assert.isFalse(yield* alive(first, at + 1))
        assert.isFalse(yield* finish(first, { at: at + 1, outcome: "ok", detail: "late" }))
        assert.isTrue(yield* alive(second, at + 2))
        assert.isTrue(yield* finish(second, { at: at + 3, outcome: "ok", detail: "second" }))
        assert.deepStrictEqual(yield* recent("a", 10), [
          {
            job: "a",
            slot: 100,
            attempt: 2,
            startedAt: at,
            aliveAt: at + 2,
            finished: { at: at + 3, outcome: "ok", detail: "second" },
          },
        ])
      }).pipe(Effect.provide(log)),
    )

    it.effect("gives up a run after five silent attempts", () =>
      Effect.gen(function* () {
        const at = (attempt: number) => 100 + attempt * (aliveTimeoutMs + 1)
        for (let n = 0; n < maxAttempts; n++) assert.strictEqual((yield* claimed("a", 100, at(n))).attempt, n + 1)
        assert.strictEqual(yield* claimTag("a", 100, at(maxAttempts)), "Taken")
        assert.strictEqual(yield* claimTag("a", 200, at(maxAttempts)), "Claimed")
      }).pipe(Effect.provide(log)),
    )

    it.effect("gives no slot before its time, and one by hand at the time of the claim", () =>
      Effect.gen(function* () {
        const { claim } = yield* JobRuns
        assert.deepStrictEqual(yield* claim("a", 250, 100), { _tag: "Early", inMs: 150 })
        assert.strictEqual((yield* claimed("a", undefined, 120)).slot, 120)
      }).pipe(Effect.provide(log)),
    )

    it.effect("finishes a run once", () =>
      Effect.gen(function* () {
        const { alive, finish, recent } = yield* JobRuns
        const run = yield* claimed("a", 100, 100)
        assert.isTrue(yield* finish(run, { at: 150, outcome: "ok", detail: "first" }))
        assert.isFalse(yield* finish(run, { at: 160, outcome: "failed", detail: "second" }))
        assert.isFalse(yield* alive(run, 170))
        assert.isFalse(yield* finish({ ...run, slot: 999 }, { at: 160, outcome: "ok", detail: "never begun" }))
        assert.deepStrictEqual(yield* recent("a", 10), [
          {
            job: "a",
            slot: 100,
            attempt: 1,
            startedAt: 100,
            aliveAt: 100,
            finished: { at: 150, outcome: "ok", detail: "first" },
          },
        ])
      }).pipe(Effect.provide(log)),
    )

    it.effect("deletes old runs, but no job's last month", () =>
      Effect.gen(function* () {
        const { finish } = yield* JobRuns
        const days = { daily: [1, 50, 99, 100, 101, 130], ended: [1, 2] }
        for (const [name, slots] of Object.entries(days)) {
          for (const slot of slots) {
            const run = yield* claimed(name, slot * day, slot * day)
            yield* finish(run, { at: slot * day, outcome: "ok", detail: "" })
          }
        }
        yield* TestClock.setTime(190 * day)
        const { run } = yield* pruneRuns
        assert.strictEqual(yield* run, "deleted 3 runs")
        const left = (name: string) => Effect.map(states(name, 0), (all) => all.map(([slot]) => slot / 1_440))
        assert.deepStrictEqual(yield* left("daily"), [100, 101, 130])
        assert.deepStrictEqual(yield* left("ended"), [1, 2])
      }).pipe(Effect.provide(log)),
    )

    it.effect("shows that a run by hand lives for as long as it takes", () =>
      Effect.gen(function* () {
        const slots: Array<number> = []
        yield* TestClock.setTime(7 * minute)
        const running = yield* Effect.fork(runOnce(job("a", noting(slots, Effect.sleep("4 minutes")))))
        for (let at = 8; at < 11; at++) {
          yield* TestClock.adjust("1 minute")
          assert.deepStrictEqual(
            (yield* states("a", at * minute)).map(([slot, state]) => [slot, state]),
            [[7, "running"]],
          )
          assert.deepStrictEqual(yield* runOnce(job("a", noting(slots))), { _tag: "Busy" })
        }
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual(yield* running.await, Exit.succeed({ _tag: "Finished", outcome: "ok", detail: "done" }))
        // The job's `Slot` is that of its schedule.
        assert.deepStrictEqual(slots, [5])
      }).pipe(Effect.provide(log)),
    )

    it.effect("holds one line of at most 500 characters for each run", () =>
      Effect.gen(function* () {
        const { recent } = yield* JobRuns
        yield* runOnce(job("a", Effect.succeed(`two\n\u0000lines ${"x".repeat(2_000)}`)))
        const [run] = yield* recent("a", 1)
        assert.strictEqual(run!.finished!.detail.length, 500)
        assert.match(run!.finished!.detail, /^two lines x+…$/)
      }).pipe(Effect.provide(log)),
    )
  })
}

describe("the next process over a run log", { timeout: 30_000 }, () => {
  const folder = makeFolder()
  const reading = <A, E>(file: string, body: Effect.Effect<A, E, JobRuns>) =>
    Effect.runPromise(Effect.provide(body, jobRuns.layer.pipe(Layer.provide(sqlite.layer(file)))))

  it("sees a run whose process was killed as running at first, then as interrupted", async () => {
    const file = `${folder}/killed.db`
    const child = await begin("hang", file)
    await child.linesUntil(2)
    child.process.kill("SIGKILL")
    await child.ended
    const [run] = await reading(
      file,
      Effect.flatMap(JobRuns, ({ recent }) => recent("hang", 10)),
    )
    assert.isUndefined(run!.finished)
    assert.strictEqual(runState(run!, run!.aliveAt + 1_000), "running")
    assert.strictEqual(runState(run!, run!.aliveAt + aliveTimeoutMs + 1), "interrupted")
    removeFolder(folder)
  })
})
