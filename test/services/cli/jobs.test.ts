import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as jobRuns from "../../../adapters/store/upkeep/JobRuns.ts"
import { pruneRuns } from "../../../adapters/store/upkeep/storeJobs.ts"
import { JobRuns } from "../../../core/jobs/JobRuns.ts"
import { Jobs } from "../../../services/jobs.ts"
import { runNow } from "../../../services/storeTasks.ts"
import { commandLine } from "../../support/commandLine.ts"
import { storeAt } from "../../support/place.ts"
import { makeFolder, removeFolder } from "../../support/store.ts"

const folder = makeFolder()
afterAll(() => removeFolder(folder))

const store = join(folder, "store.db")
const { cli, parsed } = commandLine(store)

/** A job that is run by hand while the schedule runs it, which takes a second. */
const underWay = Effect.gen(function* () {
  const runs = yield* JobRuns
  const claim = yield* runs.claim("prune-runs", undefined, Date.now())
  assert(claim._tag === "Claimed")
  const byHand = yield* Effect.fork(runNow("prune-runs"))
  yield* Effect.sleep("1 second")
  assert.isNull(yield* Fiber.poll(byHand).pipe(Effect.map(Option.getOrNull)))
  assert.isTrue(yield* runs.finish(claim.run, { at: Date.now(), outcome: "ok", detail: "scheduled" }))
  return yield* Fiber.join(byHand)
}).pipe(
  Effect.provide(
    Layer.effect(
      Jobs,
      Effect.map(pruneRuns, (job) => [job]),
    ),
  ),
  Effect.provide(Layer.provideMerge(jobRuns.layer, storeAt(store))),
)

describe.sequential("jobs on the command line", { timeout: 60_000 }, () => {
  it("are listed with their next slot, and have never run in a new store", async () => {
    const askedAt = Date.now()
    const { jobs } = await parsed("jobs list")
    assert.isNotEmpty(jobs)
    for (const { name, next_at, state } of jobs) {
      // Jobs of every few seconds may be due again before their list is read.
      assert.isAbove(Date.parse(next_at), askedAt, name)
      assert.strictEqual(state, "never_run", name)
    }
    const { stdout } = await cli("jobs list")
    assert.match(stdout, /^prune-runs {2}.*\n {2}daily at 03:10 UTC, next .*\n {2}never run/m)
  })

  it("are run at once, and the list has how that ended", async () => {
    const { stdout } = await cli("jobs run prune-runs")
    assert.strictEqual(stdout, "ok: deleted 0 runs")
    const { jobs } = await parsed("jobs list")
    const { state, last } = jobs.find(({ name }: { readonly name: string }) => name === "prune-runs")
    assert.deepStrictEqual([state, last.outcome, last.detail], ["ok", "ok", "deleted 0 runs"])
  })

  it("wait for a run that is under way", async () => {
    assert.strictEqual((await Effect.runPromise(underWay)).detail, "deleted 0 runs")
  })

  it("that are none are refused with the names of all", async () => {
    const { code, stderr } = await cli("jobs run nothing")
    assert.strictEqual(code, 2)
    assert.match(stderr, /Unknown job nothing\. Jobs: .*prune-runs/)
  })
})
