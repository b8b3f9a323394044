import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { afterAll } from "vitest"
import * as secrets from "../../adapters/runtime/node/secrets.ts"
import * as sqlite from "../../adapters/store/engine/sqlite/open.ts"
import { freshnesses } from "../../core/endpoint/Answer.ts"
import { nextSlot } from "../../core/jobs/schedule.ts"
import { addDays } from "../../core/time.ts"
import { Jobs } from "../../services/jobs.ts"
import { archiveRoutes } from "../support/climateUpstreams.ts"
import * as processes from "../support/processes.ts"
import { replay } from "../support/replay.ts"
import { settings, start } from "../support/running.ts"
import { makeFolder, removeFolder } from "../support/store.ts"
import { jobsOf } from "../support/world.ts"

const folder = makeFolder()
afterAll(() => removeFolder(folder))

/** The command line over the folder's store. */
const cli = async (store: string, ...args: ReadonlyArray<string>) => {
  const child = processes.start("services/cli.ts", args, { DATABASE_URL: `sqlite:${join(folder, store)}` })
  const code = await child.ended
  return { code, stdout: child.lines.join("\n"), stderr: child.stderr() }
}

const json = async (store: string, ...args: ReadonlyArray<string>) => {
  const { code, stdout, stderr } = await cli(store, ...args, "--json")
  assert.deepStrictEqual([code, stderr], [0, ""])
  return JSON.parse(stdout)
}

describe("the jobs of the service", () => {
  it.effect("have unique, typeable names and a description", () =>
    Effect.forEach(freshnesses, (mode) => {
      const config = settings({ crypto: mode, weather: mode })
      const store = Layer.merge(sqlite.layer(config.sqliteFile), secrets.layer)
      return Effect.gen(function* () {
        const jobs = yield* Jobs
        for (const { name, description, schedule } of jobs) {
          assert.match(name, /^[a-z]+(-[a-z]+)*$/)
          assert.match(description, /^[A-Z].*\.$/)
          assert.isAbove(nextSlot(schedule, 0), 0)
        }
        assert.strictEqual(new Set(jobs.map(({ name }) => name)).size, jobs.length)
      }).pipe(Effect.provide(jobsOf(config).pipe(Layer.provide(store))))
    }),
  )
})

describe("shadow mode of the service", { timeout: 400_000 }, () => {
  it("answers as the mock does, marked as shadow, and reports the comparison", async () => {
    const scope = Effect.runSync(Scope.make())
    const archive = await Effect.runPromise(Scope.extend(replay(archiveRoutes(() => Date.now())), scope))
    const server = await start({
      weather: "shadow",
      sqliteFile: join(folder, "shadow.db"),
      upstreams: { ...settings().upstreams, iem: archive.url },
    })
    const bodies = []
    const day = addDays(new Date().toISOString().slice(0, 10), -4)
    for (const query of ["station=KNYC", "station=KDEN&verbose=true"]) {
      const path = `/v1/weather/settlement?${query}&day=${day}`
      const [mock, shadow] = await Promise.all([server.get(path, server.account.test.token), server.get(path)])
      assert.deepStrictEqual([mock.status, shadow.status], [200, 200])
      const [{ _meta: mockMeta, ...expected }, { _meta: shadowMeta, ...body }] = [mock.json, shadow.json]
      assert.deepStrictEqual(body, expected)
      assert.deepStrictEqual([mockMeta.data_freshness, shadowMeta.data_freshness], ["mock", "shadow"])
      bodies.push(body)
    }
    assert.strictEqual(bodies.length, 2)
    const compared = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT * FROM shadow_log`)
    while ((await server.run(compared)).length < 2) await new Promise((resolve) => setTimeout(resolve, 20))
    await server.stop()
    await Effect.runPromise(Scope.close(scope, Exit.void))
    const { agreement, differences } = await json("shadow.db", "shadow", "report", "--last", "1")
    assert.deepStrictEqual(
      agreement.map(({ port, method, compared, agreed, failed }: Record<string, unknown>) => [
        `${port}.${method}`,
        compared,
        agreed,
        failed,
      ]),
      // The archive is that of the mock offices: the same days, with other values.
      [["weather/ClimateReports.versions", 2, 2, 0]],
    )
    assert.deepStrictEqual(differences, [])
  })
})
