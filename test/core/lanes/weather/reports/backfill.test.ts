import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll, beforeEach } from "vitest"
import * as sqlite from "../../../../../adapters/store/engine/sqlite/open.ts"
import { archiveRoutes } from "../../../../support/climateUpstreams.ts"
import { commandLine } from "../../../../support/commandLine.ts"
import { faults } from "../../../../support/faults.ts"
import * as processes from "../../../../support/processes.ts"
import { type Fault, json, type Replay, replay } from "../../../../support/replay.ts"
import { makeFolder, removeFolder } from "../../../../support/store.ts"

const folder = makeFolder()
const thisYear = new Date().getUTCFullYear()
const scope = Effect.runSync(Scope.make())
let archive: Replay

beforeAll(async () => {
  archive = await Effect.runPromise(Scope.extend(replay(archiveRoutes(() => Date.now())), scope))
})
beforeEach(() => archive.spoil())
afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  removeFolder(folder)
})

/** The backfill as an operator runs it, over its own store. */
const begin = (store: string, ...args: ReadonlyArray<string>) =>
  processes.start("services/cli.ts", ["ingest", "weather", ...args], {
    DATABASE_URL: `sqlite:${join(folder, store)}`,
    IEM_URL: archive.url,
  })

const backfill = async (store: string, ...args: ReadonlyArray<string>) => {
  const child = begin(store, ...args)
  const code = await child.ended
  return { code, stdout: child.lines.join("\n"), stderr: child.stderr() }
}

/** The same without a process of its own. */
const within = (store: string, args: string) =>
  commandLine(join(folder, store), { IEM_URL: archive.url }).cli(`ingest weather${args === "" ? "" : ` ${args}`}`)

/** Reports and days per year in the store. */
const stored = (store: string) =>
  Effect.runPromise(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{ year: string; n: number }>`
        SELECT SUBSTR(day, 1, 4) AS year, COUNT(*) AS n FROM climate_reports GROUP BY 1 ORDER BY 1`,
    ).pipe(
      Effect.map((rows) => Object.fromEntries(rows.map(({ year, n }) => [year, n]))),
      Effect.provide(sqlite.layer(join(folder, store))),
    ),
  )

const yearsAsked = (from: number): ReadonlyArray<string> =>
  archive.requests
    .slice(from)
    .filter(({ path }) => path === "/json/cli.py")
    .map(({ query }) => `${query.get("station")} ${query.get("year")}`)

describe("the back-fill", { timeout: 60_000 }, () => {
  it("stores every year since, and fetches only this year the next time", async () => {
    const since = thisYear - 2
    const first = await backfill("one.db", "--since", String(since), "--station", "KMIA")
    assert.strictEqual(first.code, 0, first.stderr)
    assert.strictEqual(first.stderr, "")
    assert.match(first.stdout, /^3 station years, 0 already complete: \d+ stored, 0 already stored, 0 rejected, 0 days/)
    const before = await stored("one.db")
    assert.deepStrictEqual(Object.keys(before), [since, since + 1, thisYear].map(String))
    const asked = archive.requests.length
    const again = await backfill("one.db", "--since", String(since), "--station", "KMIA", "--json")
    const { stored: more, complete, years, failures } = JSON.parse(again.stdout)
    // At midnight of the office's clock there may be one more.
    assert.deepStrictEqual([again.code, complete, years, failures], [0, 2, 3, []])
    assert.isAtMost(more, 1)
    assert.deepStrictEqual(yearsAsked(asked), [`KMIA ${thisYear}`])
    assert.strictEqual(again.stderr, "")
    const whole = await backfill("one.db", "--since", String(since), "--station", "KMIA", "--again", "--json")
    assert.strictEqual(JSON.parse(whole.stdout).complete, 0)
    assert.strictEqual(yearsAsked(asked).length, 4)
  })

  it("continues after a kill", async () => {
    const args = ["two.db", "--since", String(thisYear - 3), "--station", "KLAX"] as const
    const asked = archive.requests.length
    // The second year hangs; by then the first is stored, and one of its texts was read.
    archive.spoilNext(faults.none, faults.none, faults.hang)
    const child = begin(...args)
    while (archive.requests.length < asked + 3) await new Promise((resolve) => setTimeout(resolve, 10))
    child.process.kill("SIGKILL")
    await child.ended
    const { [String(thisYear - 3)]: kept, ...more } = await stored("two.db")
    assert.isAtLeast(kept ?? 0, 365)
    assert.deepStrictEqual(more, {})
    const from = archive.requests.length
    const { code } = await backfill(...args)
    assert.strictEqual(code, 0)
    assert.deepStrictEqual(
      yearsAsked(from),
      [2, 1, 0].map((ago) => `KLAX ${thisYear - ago}`),
    )
  })

  it("loses no year to another's failure, and asks for another run", async () => {
    archive.spoilNext(faults.html)
    const { code, stdout, stderr } = await within("three.db", `--since ${thisYear - 1} --station KDEN --json`)
    assert.strictEqual(code, 1)
    const { years, failures } = JSON.parse(stdout)
    assert.deepStrictEqual(
      [years, failures],
      [2, [`KDEN ${thisYear - 1}: The Iowa archive sent an answer that cannot be read.`]],
    )
    assert.deepStrictEqual(Object.keys(await stored("three.db")), [String(thisYear)])
    assert.match(stderr, /Run it again to continue\.\s*$/)
  })

  const outages: ReadonlyArray<readonly [name: string, fault: Fault, says: RegExp]> = [
    ["is down", faults.html, /The Iowa archive sent an answer that cannot be read\. Run it again to continue\.\s*$/],
    [
      "has nothing at all",
      (_, response) => faults.none(json({ results: [] }), response),
      /returned 0 of 365 expected reports of KNYC for 2003\. At least half are needed, also of the 10 newest days\. Retry later\. Run it again to continue\.\s*$/,
    ],
  ]
  for (const [name, fault, says] of outages) {
    it(`stops when the archive ${name}`, async () => {
      archive.spoil(fault)
      const store = `${name.replaceAll(" ", "-")}.db`
      const { code, stdout, stderr } = await within(store, "--since 2001 --json")
      assert.strictEqual(code, 1)
      assert.deepStrictEqual([JSON.parse(stdout).years, JSON.parse(stdout).stored], [3, 0])
      assert.match(stderr, says)
      assert.deepStrictEqual(await stored(store), {})
    })
  }

  const refused: ReadonlyArray<readonly [args: string, stderr: RegExp]> = [
    ["", /Give at least one file or folder of report texts, or --since and a year\./],
    ["--since 2001 reports/", /Give at least one file or folder of report texts, or --since and a year\./],
    ["--since 2000", new RegExp(`--since: expected a year from 2001 to ${thisYear}; got 2000\\.`)],
    [
      `--since ${thisYear + 1}`,
      new RegExp(`--since: expected a year from 2001 to ${thisYear}; got ${thisYear + 1}\\.`),
    ],
    ["--since 2001 --station KXXX", /KNYC/],
    ["--since soon", /^--since: expected a whole number; got "soon"\.$/m],
  ]
  it("refuses invalid options", async () => {
    const asked = archive.requests.length
    for (const [args, message] of refused) {
      const { code, stderr } = await within("five.db", args)
      assert.strictEqual(code, 2, args)
      assert.match(stderr, message, args)
    }
    assert.strictEqual(archive.requests.length, asked)
  })
})
