import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import * as processes from "../support/processes.ts"

const folder = mkdtempSync(join(tmpdir(), "stations-"))
afterAll(() => rmSync(folder, { recursive: true }))

const atlanta = {
  ...{ id: "KATL", name: "Hartsfield-Jackson", city: "Atlanta", state: "GA", tz: "America/New_York" },
  ...{ cli_product: "CLIATL", lat: 33.6301, lon: -84.4418, venue_high_series: "KXHIGHTATL" },
}

const store = `sqlite:${join(folder, "store.db")}`

const run = async (
  stations: unknown,
  args: ReadonlyArray<string>,
  environment: Readonly<Record<string, string>> = {},
) => {
  const file = join(folder, `${Math.random()}.json`)
  writeFileSync(file, typeof stations === "string" ? stations : JSON.stringify(stations))
  const child = processes.start("services/cli.ts", args, { DATABASE_URL: store, STATIONS_FILE: file, ...environment })
  const code = await child.ended
  return { code, stdout: child.lines.join("\n"), stderr: child.stderr().trim() }
}

describe("STATIONS_FILE", { timeout: 120_000 }, () => {
  it("adds a station to reports and signals, with the venue's series where there is one", async () => {
    await run([], ["account", "create", "--name", "acme"])
    const made = await run([], ["keys", "create", "--account", "acme", "--env", "test"])
    const [key] = /svk_test_\w+/.exec(made.stdout) ?? assert.fail(made.stderr)
    const call = async (stations: unknown, endpoint: string) => {
      const { stdout, stderr } = await run(stations, ["call", endpoint, "--station", "KATL", "--json"], {
        MARKET_SIGNALS_KEY: key,
      })
      return stdout === "" ? assert.fail(stderr) : JSON.parse(stdout)
    }
    const { results } = await call([atlanta], "weather_settlement")
    assert.deepInclude(results.station, { id: "KATL", city: "Atlanta", cli_product: "CLIATL" })
    assert.isNumber(results.settlement.high_f)
    const noteOf = async (stations: unknown) => (await call(stations, "weather_signal")).results.market_note
    assert.match(await noteOf([atlanta]), /CLIATL .* series KXHIGHTATL settles on/)
    assert.match(
      await noteOf([{ ...atlanta, venue_high_series: undefined }]),
      /No venue's series on this station is known/,
    )
    assert.match((await call([], "weather_signal")).error.hints[0].suggestion, /station must be one of KNYC/)
  })

  it.each([
    ["no JSON", "{", /STATIONS_FILE: .*JSON/],
    ["no list", {}, /Expected ReadonlyArray/],
    ["a state in words", [{ ...atlanta, state: "Georgia" }], /0\.state: a state such as GA/],
    ["no product", [{ ...atlanta, cli_product: "ATL" }], /0\.cli_product: the AWIPS id/],
    ["no zone", [{ ...atlanta, tz: "America/Nowhere" }], /KATL: America\/Nowhere is no IANA time zone/],
    ["a place abroad", [{ ...atlanta, lat: -33.6 }], /0\.lat: a latitude in the United States/],
    ["a field too many", [{ ...atlanta, offset: -5 }], /0\.offset: is unexpected/],
    ["the same twice", [atlanta, atlanta], /KATL is there twice/],
  ] as const)("stops the program over %s, and says where", async (_, stations, message) => {
    const { code, stderr } = await run(stations, ["config"])
    assert.strictEqual(code, 2)
    assert.match(stderr, message)
  })
})
