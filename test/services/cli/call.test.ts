import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { commandLine } from "../../support/commandLine.ts"
import { type Running, start } from "../../support/running.ts"

let running: Running
beforeAll(async () => {
  running = await start()
})
afterAll(() => running.stop())

// A store that is not opened: the call goes to the server.
const { cli } = commandLine("/nowhere/store.db")

const call = (line: string) =>
  cli(`call ${line} --url ${running.url}`, { MARKET_SIGNALS_KEY: running.account.live.token })

describe("call --url", () => {
  it("calls a server over HTTP, which charges the key", async () => {
    const { code, stdout } = await call("weather_settlement --station KNYC --day 2026-07-08 --fields settlement.high_f")
    const there = await running.get("/v1/weather/settlement?station=KNYC&day=2026-07-08&fields=settlement.high_f")
    assert.strictEqual(code, 0)
    assert.deepStrictEqual(JSON.parse(stdout).results, there.json.results)
    assert.strictEqual(JSON.parse(stdout)._meta.price.charged_micros, 1_000)
    assert.strictEqual(await running.charges(), 2)
  })

  it("prints the answer in one line with --json, and an error too", async () => {
    const free = await call("crypto_spot --asset BTC --json")
    assert.strictEqual(free.code, 0)
    assert.notInclude(free.stdout, "\n")
    assert.property(JSON.parse(free.stdout), "results")
    const refused = await call("crypto_spot --asset DOGE --json")
    assert.strictEqual(refused.code, 1)
    assert.notInclude(refused.stdout, "\n")
    assert.strictEqual(JSON.parse(refused.stdout).error.code, "invalid_parameter")
  })

  it("prints the server's error unchanged, and fails", async () => {
    const { code, stdout, stderr } = await call("weather_settlement --station KXXX")
    assert.strictEqual(code, 1)
    const { error } = JSON.parse(stdout)
    assert.deepStrictEqual([error.code, error.hints[0].field], ["invalid_parameter", "station"])
    assert.match(error.request_id, /^req_/)
    assert.notInclude(stdout + stderr, running.account.live.token)
  })
})
