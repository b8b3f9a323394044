// Proof: takes about ten seconds or more.
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import { afterAll, assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as sqlite from "../../../adapters/store/engine/sqlite/open.ts"
import { toCell } from "../../../core/csv/write.ts"
import { rowFormats } from "../../../services/cli/audit.ts"
import { table } from "../../../services/cli/shared.ts"
import { parseDuration, parseInstant } from "../../../services/cli/timeArguments.ts"
import { commandLine } from "../../support/commandLine.ts"
import { makeFolder, removeFolder } from "../../support/store.ts"

const folder = makeFolder()
const file = join(folder, "store.db")
afterAll(() => removeFolder(folder))

const { cli, parsed } = commandLine(file)

const id = (prefix: string) => new RegExp(`^${prefix}_[0-9A-Z]{26}$`)
const columns = "at,request_id,agent_id,key_id,endpoint,params_hash,status,code,charged_micros,latency_ms,calls".split(
  ",",
)

/** Each `it` continues the one before it, as an operator does. */
describe.sequential("agents and keys on the command line", () => {
  let agent = ""
  let key: { readonly id: string; readonly key: string }

  it("an agent is made, listed and shown, and a key is made for it", { timeout: 30_000 }, async () => {
    const { id: account } = await parsed("account create --name acme-inc")
    await parsed("wallet credit --account acme-inc --usd 5")
    const [made] = await Promise.all([
      parsed("agents create --account acme-inc --name bot --monthly-cap-usd 0.002"),
      parsed("agents create --account acme-inc --name a+longer+name --budget-cap-usd 25"),
    ])
    assert.match(made.id, id("agt"))
    assert.deepStrictEqual(made, {
      id: made.id,
      account,
      name: "bot",
      status: "active",
      monthly_cap_micros: 2_000,
      created_at: made.created_at,
    })
    agent = made.id
    const [listed, lines, created] = await Promise.all([
      parsed("agents list --account acme-inc"),
      cli("agents list --account acme-inc"),
      parsed("keys create --account acme-inc --env live --tier pro --agent bot --scopes weather,crypto --expires 30d"),
    ])
    assert.deepInclude(listed.agents, made)
    const [first, second] = lines.stdout.split("\n").map((line) => line.indexOf("active"))
    assert.isTrue(first === second && first! > 0, "the columns stand below each other")
    assert.deepStrictEqual([created.agent, created.scopes], [agent, ["weather", "crypto"]])
    assert.closeTo(Date.parse(created.expires_at), Date.now() + 30 * 86_400_000, 60_000)
    key = created
  })

  it("its calls are capped, audited and exported", { timeout: 30_000 }, async () => {
    const call = (station: string) =>
      cli(`call weather_settlement --station ${station}`, { MARKET_SIGNALS_KEY: key.key })
    const [good, bad] = await Promise.all([call("KNYC"), call("XXXX")])
    assert.deepStrictEqual([good.code, bad.code], [0, 1])
    const [{ rows }, ndjson, csv, lines, newest, shown, people] = await Promise.all([
      parsed("agents audit bot"),
      cli("agents audit bot --format ndjson"),
      cli("agents audit bot --format csv"),
      cli("agents audit bot"),
      parsed("agents audit bot --limit 1"),
      parsed(`agents show ${agent}`),
      cli("agents show bot"),
    ])
    assert.lengthOf(rows, 2)
    for (const row of rows) {
      assert.deepStrictEqual(Object.keys(row), columns)
      assert.deepStrictEqual([row.agent_id, row.key_id], [agent, key.id])
      assert.match(row.params_hash, row.status === 200 ? /^[0-9a-f]{64}$/ : /^$/)
    }
    const ends = rows.map(({ status, code, charged_micros }: Record<string, unknown>) => [status, code, charged_micros])
    assert.sameDeepMembers(ends, [
      [200, null, 1_000],
      [400, "invalid_parameter", 0],
    ])
    assert.deepStrictEqual(
      ndjson.stdout.split("\n").map((line) => JSON.parse(line)),
      rows,
    )
    const [head, ...cells] = csv.stdout.split("\n").map((line) => line.split(","))
    assert.deepStrictEqual(head, columns)
    assert.deepStrictEqual(
      cells,
      rows.map((row: Record<string, unknown>) => columns.map((column) => String(row[column] ?? ""))),
    )
    assert.lengthOf(lines.stdout.split("\n"), 2)
    assert.deepStrictEqual(newest.rows, rows.slice(0, 1))
    const rest = await parsed(`agents audit bot --since ${rows[0].request_id}`)
    assert.deepStrictEqual(rest.rows, rows.slice(1))
    const month = new Date().toISOString().slice(0, 7)
    assert.deepStrictEqual(shown.spend, {
      live: { month, month_micros: 1_000, total_micros: 1_000 },
      test: { month, month_micros: 0, total_micros: 0 },
    })
    assert.match(people.stdout, /^live keys {2}0\.001 USD in \d{4}-\d{2} {2}0\.001 USD in total$/m)
    assert.match(people.stdout, /^test keys {2}0 USD in \d{4}-\d{2} {6}0 USD in total$/m)
  })

  it("its caps change one by one, and it is paused, resumed and revoked", { timeout: 40_000 }, async () => {
    const caps = async (line: string) => {
      const { monthly_cap_micros, budget_cap_micros } = await parsed(`agents cap bot ${line}`)
      return [monthly_cap_micros, budget_cap_micros]
    }
    assert.deepStrictEqual(await caps("--budget-cap-usd 1.5"), [2_000, 1_500_000])
    assert.deepStrictEqual(await caps("--monthly-cap-usd none"), [undefined, 1_500_000])
    assert.strictEqual((await parsed("agents pause bot")).status, "paused")
    const { stdout, code } = await cli("call weather_stations", { MARKET_SIGNALS_KEY: key.key })
    assert.deepStrictEqual([code, JSON.parse(stdout).error.code], [1, "agent_paused"])
    assert.strictEqual((await parsed("agents resume bot")).status, "active")
  })

  const refused: ReadonlyArray<readonly [string, RegExp]> = [
    [
      "keys create --account acme-inc --env live --tier pro --agent nobody",
      /agent: The account has no agent "nobody"\./,
    ],
    ["keys create --account acme-inc --env live --tier pro --scopes tea", /Item 1 of scopes must be one of weather, /],
    ["keys create --account acme-inc --env live --tier pro --expires 2020-01-01", /--expires: must be in the future\./],
    ["keys rotate key_0 --overlap 1w", /overlap must be a duration such as 30m, 24h or 7d\./],
    ["agents create --account acme-inc --name bot", /name: The account already has an agent named bot\./],
    ["agents show nobody", /There is no agent "nobody"\./],
    ["keys rotate key_0", /No active key has this id\./],
    ["wallet threshold --account acme-inc --usd 0", /^\s*--usd: must be 0\.000001 USD or more, or none\.$/m],
    ["wallet threshold --account acme-inc", /^--usd is required: Dollars, /],
    ["agents cap bot --budget-cap-usd -1", /budget-cap-usd must be dollars .* or none\./],
    ["agents audit bot --limit 0", /--limit: expected a positive whole number\./],
    ["agents audit bot --since req_0", /since: This agent has no audit row with that request id/],
  ]

  it("prints a link to the dashboard as it is opened", async () => {
    for (const [settings, origin] of [
      [{ BASE_URL: "https://signals.example/" }, "https://signals.example"],
      [{ HOST: "0.0.0.0", PORT: "23199" }, "http://127.0.0.1:23199"],
      [{ HOST: "::" }, "http://[::1]:8080"],
    ] as const) {
      const { url, path } = await parsed("dashboard link --operator", settings)
      assert.strictEqual(url, `${origin}${path}`)
    }
    const { stdout } = await cli("dashboard link --account acme-inc")
    assert.match(stdout, /^http:\/\/127\.0\.0\.1:8080\/dashboard\/enter#\S+\nOpen it before \S+Z\. It works once\.$/)
  })

  /** A name or an id that the store does not have is no wrong use. */
  const missing = /^(There is no|No active key)/
  it("an invalid command is refused with its reason and changes nothing", { timeout: 60_000 }, async () => {
    const rows = () =>
      Effect.runPromise(
        Effect.flatMap(
          SqlClient.SqlClient,
          (sql) => sql`SELECT id, '' AS cap FROM api_keys UNION ALL SELECT id, budget_cap_micros FROM agents`,
        ).pipe(Effect.provide(sqlite.layer(file))),
      )
    const before = await rows()
    for (const [line, message] of refused) {
      const { code, stderr } = await cli(line)
      assert.strictEqual(code, missing.test(stderr) ? 1 : 2, line)
      assert.match(stderr, message, line)
      assert.notMatch(stderr, /\n {4}at |\[object /, line)
    }
    assert.deepStrictEqual(await rows(), before)
  })

  it("a revoked agent gets no key and stays revoked", { timeout: 30_000 }, async () => {
    assert.strictEqual((await parsed("agents revoke bot")).status, "revoked")
    const [create, resume] = await Promise.all([
      cli("keys create --account acme-inc --env live --tier pro --agent bot"),
      cli("agents resume bot"),
    ])
    assert.match(create.stderr, /agent: The agent bot is revoked\./)
    assert.match(resume.stderr, /Revoking is permanent/)
    assert.deepStrictEqual([create.code, resume.code], [2, 2])
  })
})

describe("input and output of the command line", () => {
  it.each([
    ["90s", 90_000],
    ["30m", 1_800_000],
    ["24h", 86_400_000],
    ["30d", 2_592_000_000],
    ["0s", 0],
    ["", undefined],
    ["d", undefined],
    ["1", undefined],
    ["-1d", undefined],
    ["1.5h", undefined],
    ["1 d", undefined],
    ["1w", undefined],
    ["9999999d", undefined],
  ])("the span %j is %j ms", (text, ms) => assert.strictEqual(parseDuration(text), ms))

  it.each([
    ["1d", "1970-01-02T00:00:00.000Z"],
    ["2027-01-31", "2027-01-31T00:00:00Z"],
    ["2027-01-31T12:00:00+02:00", "2027-01-31T12:00:00+02:00"],
    ["2027-02-30", "2027-02-30"],
    ["soon", "soon"],
  ])("the instant %j is %j", (text, expected) => assert.strictEqual(parseInstant(text, 0), expected))

  it.each([
    ["plain", "plain"],
    [null, ""],
    [0, "0"],
    ["", ""],
    ["a,b", '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ["two\nlines", '"two\nlines"'],
    ["a\rb", '"a\rb"'],
  ])("the value %j is the cell %j", (value, expected) => assert.strictEqual(toCell(value), expected))

  it("an empty trail is a head in CSV and nothing elsewhere", () => {
    assert.deepStrictEqual(
      [rowFormats.ndjson([]), rowFormats.csv([]), rowFormats.table([])],
      ["", columns.join(","), ""],
    )
  })

  it("columns stand below each other, and no line ends in blanks", () => {
    assert.strictEqual(
      table([
        ["a", "long", ""],
        ["longer", "b", "c"],
      ]),
      "a       long\nlonger  b     c",
    )
    assert.strictEqual(table([]), "")
  })
})
