import { assert, describe, it } from "@effect/vitest"
import type * as Effect from "effect/Effect"
import * as mcp from "../../../adapters/mcp/mod.ts"
import * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import type { Gateway } from "../../../core/gateway/Gateway.ts"
import { catalogue } from "../../../core/lanes/catalogue.ts"
import { start } from "../../support/running.ts"

const listed = mcp.tools(catalogue)

describe("MCP tools", () => {
  it("are the endpoints of the live catalogue, with their prices", () => {
    assert.deepStrictEqual(
      listed.map(({ name, _meta }) => [name, _meta.price_micros]),
      Catalogue.live(catalogue).map(({ endpoint }) => [endpoint.id, endpoint.priceMicros]),
    )
    for (const { description } of listed) assert.match(description, /\. Price per call: (free|0\.\d+ USD)\.$/)
  })

  it("describe every parameter and option in a self-contained schema", () => {
    const { inputSchema } = listed.find(({ name }) => name === "weather_settlement")!
    const { properties, required } = inputSchema as {
      properties: Record<string, object>
      required: ReadonlyArray<string>
    }
    assert.sameMembers(Object.keys(properties), ["station", "day", "fields", "verbose", "include", "dry_run"])
    assert.deepStrictEqual(required, ["station"])
    for (const { inputSchema: schema } of listed) assert.notInclude(JSON.stringify(schema), "$ref")
  })

  it("answer with the envelope of HTTP, at the same price; failures are tool errors with the same body", async () => {
    const service = await start()
    const call = (
      name: string,
      args: Record<string, unknown>,
      token: string | undefined = service.account.live.token,
    ) =>
      service.run(
        mcp.call(catalogue, name, args, token === "" ? undefined : `Bearer ${token}`) as Effect.Effect<
          mcp.Result,
          never,
          Gateway
        >,
      )
    const read = ({ content }: mcp.Result) => JSON.parse(content[0]!.text)
    const day = { station: "KNYC", day: "2026-07-08" }
    const overHttp = await service.get("/v1/weather/settlement?station=KNYC&day=2026-07-08")
    const answer = await call("weather_settlement", day)
    assert.isUndefined(answer.isError)
    assert.deepStrictEqual(read(answer).results, overHttp.json.results)
    assert.strictEqual(await service.balance(), 1_000_000 - 2_000)
    const rows = [
      [await call("weather_settlement", { ...day, station: "KXXX" }), "invalid_parameter"],
      [await call("weather_settlement", { ...day, verbose: "yes" }), "invalid_parameter"],
      [await call("weather_settlement", day, ""), "missing_authorization"],
      [await call("weather_tomorrow", {}), "not_found"],
    ] as const
    for (const [result, code] of rows) {
      assert.isTrue(result.isError)
      assert.strictEqual(read(result).error.code, code)
    }
    assert.strictEqual(await service.balance(), 1_000_000 - 2_000)
    await service.stop()
  })
})
