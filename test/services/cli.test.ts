import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll } from "vitest"
import { printReport } from "../../adapters/lanes/weather/mock/climateText.ts"
import * as sqlite from "../../adapters/store/engine/sqlite/open.ts"
import { byId } from "../../core/lanes/weather/stations.ts"
import * as processes from "../support/processes.ts"
import { makeFolder, removeFolder } from "../support/store.ts"

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const folder = makeFolder()
const file = join(folder, "below", "store.db")
const texts = join(folder, "texts")

/** The command line as an operator runs it, over its own store. */
const cli = async (args: ReadonlyArray<string>, environment: Readonly<Record<string, string>> = {}): Promise<Ended> => {
  const child = processes.start("services/cli.ts", args, { DATABASE_URL: `sqlite:${file}`, ...environment })
  const code = await child.ended
  return { code, stdout: child.lines.join("\n"), stderr: child.stderr() }
}

/** A command that must succeed and print one JSON object only. */
const parsed = async (args: ReadonlyArray<string>, environment: Readonly<Record<string, string>> = {}) => {
  const { code, stdout, stderr } = await cli(args, environment)
  assert.strictEqual(stderr, "")
  assert.strictEqual(code, 0)
  return JSON.parse(stdout)
}

/** Every row of every table of the store. */
const stored = (): Promise<unknown> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tables = yield* sql<{ name: string }>`SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`
      return yield* Effect.forEach(tables, ({ name }) => sql`SELECT * FROM ${sql(name)} ORDER BY 1, 2`)
    }).pipe(Effect.provide(sqlite.layer(file))),
  )

const day = "2026-07-08"

beforeAll(() => {
  mkdirSync(join(texts, "folders are left out"), { recursive: true })
  const offered = {
    "1-nyc.txt": printReport(byId.get("KNYC")!, day, "preliminary"),
    "2-nyc.txt": printReport(byId.get("KNYC")!, day, "final"),
    "3-nyc-again.txt": printReport(byId.get("KNYC")!, day, "final"),
    "4-hou.txt": printReport(byId.get("KHOU")!, day, "final"),
    "5-foreign.txt": printReport(byId.get("KNYC")!, day, "final").replace("CLINYC", "CLIZZZ"),
    "6-broken.txt": printReport(byId.get("KMIA")!, day, "final").replace("MAXIMUM", "M\u00c4XIMUM"),
  }
  for (const [name, text] of Object.entries(offered)) writeFileSync(join(texts, name), text, "latin1")
})

afterAll(() => removeFolder(folder))

/** Each `it` continues the one before it, as an operator does. */
describe.sequential("the command line", () => {
  const keys: Record<string, { readonly key: string }> = {}
  let account = ""

  it("credits its wallet, makes keys and ingests report texts, all at once", { timeout: 400_000 }, async () => {
    account = (await parsed(["account", "create", "--name", "one", "--json"])).id
    const create = (...options: ReadonlyArray<string>) =>
      parsed(["keys", "create", "--account", "one", ...options, "--json"])
    const [credited, test, live, ingested] = await Promise.all([
      parsed(["wallet", "credit", "--account", "one", "--usd", "0.250001", "--json"]),
      create("--env", "test", "--tier", "indie"),
      create("--env", "live", "--tier", "enterprise", "--rpm", "1234"),
      parsed(["ingest", "weather", texts, "--json"]),
    ])
    assert.deepStrictEqual(credited, { account, credited_micros: 250_001, balance_micros: 250_001 })
    assert.deepStrictEqual([test.environment, test.tier, test.per_minute], ["test", "indie", 60])
    assert.deepStrictEqual([live.environment, live.tier, live.per_minute], ["live", "enterprise", 1_234])
    for (const { key, environment } of [test, live]) {
      assert.match(key, new RegExp(`^svk_${environment}_[0-9A-Za-z]{49}$`))
    }
    Object.assign(keys, { test, live })
    assert.deepStrictEqual(ingested, {
      files: 6,
      stored: 3,
      known: 1,
      foreign: 1,
      refused: 1,
      not_stored: [
        { file: "5-foreign.txt", reason: "not one of the covered stations." },
        { file: "6-broken.txt", reason: "The TEMPERATURE block has an unknown line." },
      ],
    })
  })

  it("shows the wallet, and knows the texts the second time", { timeout: 400_000 }, async () => {
    const before = await stored()
    const [shown, { code, stdout }] = await Promise.all([
      parsed(["wallet", "show", "--account", account, "--json"]),
      cli(["ingest", "weather", join(texts, "2-nyc.txt"), join(texts, "6-broken.txt")]),
    ])
    const { postings, ...wallet } = shown
    assert.deepStrictEqual(wallet, { account, name: "one", balance_micros: 250_001 })
    assert.deepStrictEqual([postings.length, postings[0].kind, postings[0].micros], [1, "credit", 250_001])
    // Without --json: one line per report, then the sum.
    assert.strictEqual(code, 0)
    assert.match(stdout, /^known {4}2-nyc\.txt: KNYC 2026-07-08 final, high 81 F \(202607090637-KOKX-CDUS41-CLINYC\)$/m)
    assert.match(stdout, /^refused {2}6-broken\.txt: The TEMPERATURE block .* \(line \d+: "MÄXIMUM .*"\)$/m)
    assert.match(stdout, /^2 files: 0 stored, 1 already stored, 0 of other stations, 1 rejected$/m)
    assert.deepStrictEqual(await stored(), before)
  })

  it("calls an endpoint: a live key gets ingested data and pays, a test key does neither", {
    timeout: 400_000,
  }, async () => {
    const call = (key: string, mode: string) =>
      parsed(["call", "weather_settlement", "--station", "KNYC", "--day", day], {
        MARKET_SIGNALS_KEY: keys[key]!.key,
        DATA_FRESHNESS: mode,
      })
    const [live, test] = await Promise.all([call("live", "live"), call("test", "live")])
    assert.strictEqual(live.results.settlement.high_f, 81)
    assert.strictEqual(live._meta.price.charged_micros, 1_000)
    assert.strictEqual(live._meta.data_freshness, "live")
    assert.strictEqual(test._meta.price.charged_micros, 0)
    assert.strictEqual(test._meta.data_freshness, "mock")
    const shown = await cli(["wallet", "show", "--account", "one"])
    assert.strictEqual(shown.code, 0)
    const lines = shown.stdout.split("\n")
    assert.strictEqual(lines[0], `one (${account}): balance 0.249001 USD`)
    assert.match(lines[1]!, new RegExp(`^\\S+Z +-0\\.001000 {2}weather_settlement {2}${live._meta.request_id}$`))
    assert.match(lines[2]!, /^\S+Z +0\.250001 {2}credit {2}txn_\w{26}$/)
    assert.strictEqual(lines.length, 3)
  })

  const refused: ReadonlyArray<readonly [args: string, stderr: RegExp, code?: number]> = [
    ["wallet credit --account one --usd -5", /usd must be dollars such as 5 or 0\.25/],
    ["wallet credit --account one --usd 1.0000001", /usd must be dollars .* with at most six decimals\./],
    ["keys create --account one --env live --tier pro --rpm 7", /--rpm: must be .* only with tier enterprise\./],
    ["ingest weather <texts> <texts>/missing", /ENOENT: .*'\/.*\/missing'\n$/, 1],
    ["call weather_settlement --station KNYC", /weather\/settlement answered 401/, 1],
  ]

  it("refuses invalid commands with a reason, and changes nothing", { timeout: 400_000 }, async () => {
    const before = await stored()
    const waiting = [...refused]
    const one = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [args, message, expected = 2] = next
        const { code, stderr } = await cli(args.split(" ").map((argument) => argument.replace("<texts>", texts)))
        assert.strictEqual(code, expected, args)
        assert.match(stderr, message, args)
        // Neither a stack nor a raw object.
        assert.notMatch(stderr, /\n {4}at |\[object /, args)
      }
    }
    await Promise.all([one(), one(), one()])
    assert.deepStrictEqual(await stored(), before)
  })

  it("exits silently when its output is closed", { timeout: 400_000 }, async () => {
    const child = processes.start("services/cli.ts", ["--help"], { DATABASE_URL: `sqlite:${file}` })
    child.process.stdout.destroy()
    assert.deepStrictEqual([await child.ended, child.stderr()], [0, ""])
  })
})
