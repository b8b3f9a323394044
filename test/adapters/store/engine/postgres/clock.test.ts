import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Scheduler from "../../../../../adapters/runtime/scheduler/Scheduler.ts"
import * as stores from "../../../../../adapters/store/open.ts"
import * as jobRuns from "../../../../../adapters/store/upkeep/JobRuns.ts"
import { JobRuns } from "../../../../../core/jobs/JobRuns.ts"
import * as App from "../../../../../services/app.ts"
import { modesOf } from "../../../../../services/Config.ts"
import { layer as jobsOf } from "../../../../../services/jobs.ts"
import * as Readiness from "../../../../../services/readiness.ts"
import { signer } from "../../../../../services/record.ts"
import * as Cutting from "../../../../support/cuttingProxy.ts"
import { database } from "../../../../support/postgres.ts"
import { node } from "../../../../support/postgresNode.ts"
import { settings } from "../../../../support/running.ts"
import { environmentOf, folder, funded, serverProcess } from "../../../../support/serverProcess.ts"
import { job } from "../../../runtime/scheduler/jobs.ts"

const minute = 60_000
const wrong = [5 * minute, -5 * minute] as const

/** A clock that is so far ahead. */
const shifted = (by: number): Clock.Clock => {
  const clock = Clock.make()
  return {
    ...clock,
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis: () => Date.now() + by,
    currentTimeMillis: Effect.sync(() => Date.now() + by),
    unsafeCurrentTimeNanos: () => clock.unsafeCurrentTimeNanos(),
    sleep: (duration) => clock.sleep(duration),
  }
}

/** Node's option for a process whose clock is so far ahead. */
const shiftedProcess = (by: number): string => {
  const text = `const now = Date.now; Date.now = () => now() + (${by});
    globalThis.Date = class extends Date { constructor(...args) { args.length ? super(...args) : super(now() + (${by})) } }`
  return `--import=data:text/javascript,${encodeURIComponent(text)}`
}

describe("a node whose clock is wrong", () => {
  for (const by of wrong) {
    it.scopedLive(`by ${by / minute} min stamps charges, audit rows and jobs with the store's time`, () =>
      Effect.gen(function* () {
        const url = yield* database
        const keys = yield* folder
        const admin = yield* node(url)
        const token = yield* Effect.provide(funded, admin)
        const begunAt = Date.now()
        const { get } = yield* serverProcess({ ...environmentOf(url, keys), NODE_OPTIONS: shiftedProcess(by) })
        const ready = yield* get("/readyz")
        assert.strictEqual(ready.status, 200)
        assert.closeTo(Date.parse(String(ready.json["at"])), begunAt, minute)
        assert.strictEqual((yield* get("/v1/weather/settlement?station=KNYC", token)).status, 200)
        // An answer does not wait for its audit row.
        const rows = yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          return yield* sql<{ readonly source: string; readonly at: number }>`
            SELECT 'journal' AS source, at FROM postings WHERE kind = 'charge'
            UNION ALL SELECT 'audit', at FROM audit UNION ALL SELECT 'beat', at FROM heartbeats
            UNION ALL SELECT 'job', started_at FROM job_runs`
        }).pipe(
          Effect.repeat({ until: (all) => new Set(all.map(({ source }) => source)).size === 4 }),
          Effect.timeout("10 seconds"),
          Effect.provide(admin),
        )
        for (const { source, at } of rows) assert.closeTo(at, begunAt, minute, source)
      }),
    )

    it.scopedLive(`by ${by / minute} min runs every slot when it has come by the store's clock`, () =>
      Effect.gen(function* () {
        const url = yield* database
        const opened = Layer.provideMerge(jobRuns.layer, stores.layer({ _tag: "Postgres", url })).pipe(
          Layer.provide(Layer.setClock(shifted(by))),
        )
        const period = 1_000
        const slots = job("a", Effect.succeed("done"), {
          schedule: { period, phase: 0, text: "every second" },
          catchUp: "latest",
        })
        const begunAt = Date.now()
        const log = yield* Layer.build(Layer.provideMerge(Scheduler.layer([slots]), opened))
        yield* Effect.sleep("5500 millis")
        const runs = yield* Effect.flatMap(JobRuns, ({ recent }) => recent("a", 100)).pipe(Effect.provide(log))
        const done = runs.filter(({ finished }) => finished !== undefined)
        assert.isAtLeast(done.length, 5)
        for (const { slot, startedAt } of done) {
          assert.isAtLeast(startedAt, slot)
          assert.isBelow(startedAt - slot, 2 * period)
          assert.isAbove(slot, begunAt - 2 * period)
        }
        const first = done.at(-1)!.slot
        assert.deepStrictEqual(
          done.map(({ slot }) => slot).toReversed(),
          done.map((_, index) => first + index * period),
        )
      }),
    )
  }
})

describe("a node whose store answers slowly", () => {
  it.scopedLive(
    "is not ready and says why, and works all the same",
    () =>
      Effect.gen(function* () {
        const url = yield* database
        const { proxy, url: through } = yield* Cutting.through(url)
        const config = settings({ postgres: Option.some(through) })
        const look = Effect.scoped(
          Effect.gen(function* () {
            const context = yield* Layer.build(
              Layer.merge(jobsOf(config), signer(config)).pipe(
                Layer.provideMerge(App.world(config)),
                Layer.provideMerge(App.store(config)),
              ),
            )
            return yield* Effect.provide(Effect.flatten(Readiness.make(modesOf(config))), context)
          }),
        )
        const well = yield* look
        assert.strictEqual(well.failure, undefined)
        proxy.slow(520)
        const { report, failure } = yield* look
        assert.deepStrictEqual(report, {
          status: "unavailable",
          reasons: [{ reason: "clock", detail: failure!.detail! }],
          clock: { doubtful: true },
        })
        assert.strictEqual(failure?.code, "storage_unavailable")
        assert.match(failure!.detail!, /^The store's time is known to 2\d\d ms only; 250 ms are allowed\.$/)
      }),
    60_000,
  )
})
