import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as App from "../../../../../services/app.ts"
import { laneModes } from "../../../../../services/Config.ts"
import { layer as jobsOf } from "../../../../../services/jobs.ts"
import * as Readiness from "../../../../../services/readiness.ts"
import { signer } from "../../../../../services/record.ts"
import * as Cutting from "../../../../support/cuttingProxy.ts"
import { database } from "../../../../support/postgres.ts"
import { node } from "../../../../support/postgresNode.ts"
import { settings } from "../../../../support/running.ts"
import { environmentOf, folder, funded, serverProcess } from "../../../../support/serverProcess.ts"

const minute = 60_000
const wrong = [5 * minute, -5 * minute] as const

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
            return yield* Effect.provide(Effect.flatten(Readiness.make(laneModes(config))), context)
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
