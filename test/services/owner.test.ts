import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, assert, describe, it } from "@effect/vitest"
import * as Release from "../../core/release.ts"
import { connectStdio } from "../adapters/server/mcp/clients.ts"
import { freePort } from "../support/freePort.ts"
import * as processes from "../support/processes.ts"
import { makeFolder, removeFolder } from "../support/store.ts"

const folder = makeFolder()
const children: Array<processes.Child> = []
afterAll(async () => {
  for (const { process } of children) process.kill("SIGKILL")
  await Promise.all(children.map(({ ended }) => ended))
  removeFolder(folder)
})

const started = (...[file, args, environment, under]: Parameters<typeof processes.start>): processes.Child => {
  const child = processes.start(file, args, environment, under)
  children.push(child)
  return child
}

/** The programs that one person starts over a store. */
const over = (file: string) => {
  const environment = { DATABASE_URL: `sqlite:${file}`, LOG_LEVEL: "warn", WARM_UP: "no" }
  const cli = async (line: string, more: Readonly<Record<string, string>> = {}) => {
    const child = started("services/cli.ts", line.split(" "), { ...environment, ...more })
    const code = await child.ended
    return { code, stdout: child.lines.join("\n"), stderr: child.stderr() }
  }
  const json = async (line: string, more?: Readonly<Record<string, string>>) => {
    const { code, stdout, stderr } = await cli(`${line} --json`, more)
    assert.deepStrictEqual([code, stderr], [0, ""], line)
    return JSON.parse(stdout)
  }
  const serve = async (more: Readonly<Record<string, string>> = {}) => {
    const port = await freePort()
    const child = started("services/server.ts", [], { ...environment, PORT: String(port), ...more })
    await child.linesUntil(1)
    const url = `http://127.0.0.1:${port}`
    const status = async (path: string, key: string) =>
      (await fetch(url + path, { headers: { authorization: `Bearer ${key}` } })).status
    return { child, url, status }
  }
  const program = (...args: ReadonlyArray<string>) => started("test/support/ownerProcess.ts", args, environment)
  return { environment, cli, json, serve, program }
}

const killed = async ({ process, ended }: processes.Child) => {
  process.kill("SIGKILL")
  await ended
}

const stopped = async ({ process, ended }: processes.Child) => {
  process.kill("SIGTERM")
  await ended
}

/** The credits of a wallet. */
const credits = async ({ json }: ReturnType<typeof over>) => {
  const { balance_micros, postings } = await json("wallet show --account me --limit 100")
  return { balance: balance_micros as number, postings: postings.length as number }
}

describe("a store has one owner", { timeout: 240_000 }, () => {
  it("that does what other programs ask, while it serves and when nobody does", async () => {
    const here = over(join(folder, "asked.db"))
    // Nobody owns it: each program does it by itself.
    await here.json("account create --name me")
    await here.json("wallet credit --account me --usd 5")
    const { child, status } = await here.serve()
    const again = await here.cli("serve --port 0")
    assert.strictEqual(again.code, 1)
    assert.include(again.stderr, "Another server is running on")
    const { key } = await here.json("keys create --account me --env live")
    const call = "call weather_settlement --station KNYC --day 2026-07-08"
    assert.strictEqual((await here.json(call, { MARKET_SIGNALS_KEY: key }))._meta.price.charged_micros, 1_000)
    assert.strictEqual(await status("/v1/weather/settlement?station=KNYC&day=2026-07-08", key), 200)
    assert.strictEqual((await here.json("wallet show --account me")).balance_micros, 4_998_000)
    assert.strictEqual((await here.json("jobs run prune-runs")).detail, "deleted 0 runs")
    assert.include((await here.cli("jobs run nothing")).stderr, "Unknown job nothing. Jobs: ")
    assert.isNotEmpty((await here.json("jobs list")).jobs)
    assert.isNumber((await here.json("store migrate")).schema)
    // Reads of all are this program's own, beside the server.
    assert.strictEqual((await here.json("store check")).wallets, 1)
    await here.json(`backup --out ${join(folder, "backup")}`)
    assert.strictEqual((await here.cli("record export")).code, 0)
    assert.strictEqual((await here.cli("verify")).code, 0)
    for (const line of ["store compact", `store export --out ${join(folder, "to.gz")}`]) {
      const refused = await here.cli(line)
      assert.strictEqual(refused.code, 1, line)
      assert.match(refused.stderr, /server .*is running on .*Stop it first\./, line)
    }
    await stopped(child)
    assert.strictEqual((await here.json("store compact")).retention.startsWith("deleted"), true)
    assert.strictEqual((await here.json("wallet show --account me")).balance_micros, 4_998_000)
  })

  it("says where it serves, so that a link that another program asks for is opened there", async () => {
    const here = over(join(folder, "links.db"))
    const { child, url } = await here.serve()
    const { url: link, path } = await here.json("dashboard link --operator", { PORT: "1" })
    assert.strictEqual(link, url + path)
    assert.strictEqual((await fetch(link)).status, 200)
    // No other variable is read beside a server.
    const misspelled = await here.cli("account list", { DATABSE_URL: "sqlite:elsewhere.db" })
    assert.strictEqual(misspelled.code, 1)
    assert.include(misspelled.stderr, "DATABSE_URL: This program has no such variable. Did you mean DATABASE_URL?")
    await stopped(child)
    const named = await here.serve({ BASE_URL: "https://signals.example" })
    assert.match((await here.json("dashboard link --operator")).url, /^https:\/\/signals\.example\/dashboard\//)
    await stopped(named.child)
    assert.match((await here.json("dashboard link --operator", { PORT: "1" })).url, /^http:\/\/127\.0\.0\.1:1\//)
  })

  it("gets the bytes of files, and no path", async () => {
    const own = join(folder, "files")
    const reports = join(own, "reports")
    mkdirSync(reports, { recursive: true })
    writeFileSync(join(reports, "one.txt"), "no report")
    writeFileSync(join(own, "two.txt"), "no report either")
    const here = over(join(folder, "ingest.db"))
    const alone = await here.json(`ingest weather ${reports} ${join(own, "two.txt")}`)
    const { child } = await here.serve()
    assert.deepStrictEqual(await here.json(`ingest weather ${reports} ${join(own, "two.txt")}`), alone)
    assert.strictEqual(alone.files, 2)
    const missing = await here.cli(`ingest weather ${join(own, "three.txt")}`)
    assert.strictEqual(missing.code, 1)
    assert.include(missing.stderr, "ENOENT: no such file or directory")
    await stopped(child)
  })

  it("pauses an agent at once: the first call behind the verb is refused", async () => {
    const here = over(join(folder, "pause.db"))
    await here.json("account create --name me")
    await here.json("agents create --account me --name bot")
    const { key } = await here.json("keys create --account me --env test --agent bot")
    const { child, status } = await here.serve()
    const path = "/v1/weather/settlement?station=KNYC&day=2026-07-08"
    for (let round = 0; round < 3; round++) {
      assert.strictEqual(await status(path, key), 200)
      await here.json("agents pause bot")
      const since = performance.now()
      assert.strictEqual(await status(path, key), 403)
      process.stdout.write(`refused ${(performance.now() - since).toFixed(1)} ms after the program had ended\n`)
      await here.json("agents resume bot")
    }
    await stopped(child)
  })

  it("loses no verb that it answered and does none twice, though owners and askers are killed", async () => {
    const here = over(join(folder, "kills.db"))
    await here.json("account create --name me")
    let [done, unsure] = [0, 0]
    for (let round = 0; round < 2; round++) {
      const { child } = await here.serve()
      const askers = [1, 2, 3].map(() => here.program("credit", "me", "12"))
      const last = askers[2]!
      await last.linesUntil(2)
      await killed(last)
      await askers[0]!.linesUntil(4)
      await killed(child)
      const codes = await Promise.all(askers.map(({ ended }) => ended))
      assert.deepStrictEqual(codes.slice(0, 2), [0, 0], askers[0]!.stderr())
      const said = askers.flatMap(({ lines }) => lines)
      assert.deepStrictEqual(
        said.filter((line) => line !== "done" && line !== "unsure"),
        [],
      )
      done += said.filter((line) => line === "done").length
      // The verb that the killed asker was waiting for may have been done.
      unsure += said.filter((line) => line === "unsure").length + 1
    }
    const { balance, postings } = await credits(here)
    assert.isAtLeast(balance, done * 1_000)
    assert.isAtMost(balance, (done + unsure) * 1_000)
    assert.strictEqual(postings, Math.min(100, balance / 1_000))
    assert.strictEqual((await here.cli("store check")).code, 0)
  })

  it("is one of several programs that want to be it at once", async () => {
    const here = over(join(folder, "race.db"))
    await here.json("account create --name me")
    const all = [1, 2, 3, 4].map(() => here.program("credit", "me", "8"))
    await Promise.all(all.map(({ ended }) => ended))
    for (const { lines, stderr } of all) assert.deepStrictEqual(lines, Array(8).fill("done"), stderr())
    assert.deepStrictEqual(await credits(here), { balance: 32_000, postings: 32 })
  })

  it("hands over to a server that starts, when its work is done", async () => {
    const here = over(join(folder, "starts.db"))
    await here.json("account create --name me")
    const verb = here.program("take", "ingest", Release.version, "1500")
    await verb.linesUntil(1)
    const { child } = await here.serve()
    assert.deepStrictEqual(verb.lines, ["Owned", "ended"])
    await stopped(child)
  })

  it("of another version is told from this one; a silent one is named", async () => {
    const here = over(join(folder, "other.db"))
    await here.json("account create --name me")
    const other = here.program("take", "server", "9.9.9", "60000")
    await other.linesUntil(1)
    const { code, stderr } = await here.cli("account list")
    assert.deepStrictEqual([code, stderr], [1, `The server is 9.9.9, this program ${Release.version}: use the same.\n`])
    other.process.kill("SIGSTOP")
    const silent = await here.cli("account list")
    assert.deepStrictEqual(
      [
        silent.code,
        silent.stderr.includes(`is held by a server (process ${other.process.pid}), which does not answer.`),
      ],
      [1, true],
      silent.stderr,
    )
    await killed(other)
    assert.strictEqual((await here.cli("account list")).code, 0)
  })

  it("has a socket for its user alone, in whatever folder; one that a crash left is no obstacle", async () => {
    const deep = join(folder, "d".repeat(70), "e".repeat(70))
    mkdirSync(deep, { recursive: true })
    const here = over(join(deep, "store.db"))
    await here.json("account create --name me")
    assert.deepStrictEqual(
      readdirSync(deep).filter((name) => /\.(sock|owner)$/.test(name)),
      [],
    )
    const { child } = await here.serve()
    assert.strictEqual((statSync(join(deep, "store.db.sock")).mode & 0o777).toString(8), "600")
    await here.json("wallet credit --account me --usd 1")
    await killed(child)
    assert.isTrue(existsSync(join(deep, "store.db.sock")))
    assert.strictEqual((await here.json("wallet show --account me")).balance_micros, 1_000_000)
    const next = await here.serve()
    assert.strictEqual((await here.json("wallet show --account me")).balance_micros, 1_000_000)
    await stopped(next.child)
    assert.deepStrictEqual(
      readdirSync(deep).filter((name) => /\.(sock|owner)$/.test(name)),
      [],
    )
  })

  it("that serves a client of MCP hands over to whoever comes, and goes on with the next call", async () => {
    const here = over(join(folder, "mcp.db"))
    await here.json("account create --name me")
    await here.json("wallet credit --account me --usd 1")
    const { key } = await here.json("keys create --account me --env live")
    const { client, errors } = await connectStdio({ ...here.environment, MARKET_SIGNALS_KEY: key })
    const balance = async () => {
      await client.callTool({ name: "weather_settlement", arguments: { station: "KNYC", day: "2026-07-08" } })
      return (await here.json("wallet show --account me")).balance_micros
    }
    assert.strictEqual(await balance(), 999_000)
    assert.strictEqual(await balance(), 998_000)
    const { child } = await here.serve()
    assert.strictEqual(await balance(), 997_000)
    await killed(child)
    assert.strictEqual(await balance(), 996_000)
    await client.close()
    assert.strictEqual(errors(), "")
  })

  it("that a client of MCP never lets rest hands over all the same", async () => {
    const here = over(join(folder, "restless.db"))
    await here.json("account create --name me")
    await here.json("wallet credit --account me --usd 100")
    const { key } = await here.json("keys create --account me --env live")
    const clients = await Promise.all([1, 2].map(() => connectStdio({ ...here.environment, MARKET_SIGNALS_KEY: key })))
    let [calls, isRunning] = [0, true]
    const agents = clients.flatMap(({ client }) =>
      Array.from({ length: 8 }, async () => {
        while (isRunning) {
          await client.callTool({ name: "weather_settlement", arguments: { station: "KNYC", day: "2026-07-08" } })
          calls++
        }
      }),
    )
    for (let round = 0; round < 2; round++) {
      for (const before = calls; calls < before + 50; ) await sleep(10)
      const since = performance.now()
      const { code, stderr } = await here.cli("wallet credit --account me --usd 1")
      assert.strictEqual(code, 0, stderr)
      const { child } = await here.serve()
      process.stdout.write(`a verb and a server in ${Math.round(performance.now() - since)} ms\n`)
      await killed(child)
    }
    isRunning = false
    await Promise.allSettled(agents)
    await Promise.all(clients.map(({ client }) => client.close()))
    assert.strictEqual((await here.cli("store check")).code, 0)
  })
})
