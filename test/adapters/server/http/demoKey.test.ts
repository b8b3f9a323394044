import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { demoKey, parseEnvironment } from "../../../../core/account/ApiKey.ts"
import * as Catalogue from "../../../../core/endpoint/Catalogue.ts"
import * as Endpoint from "../../../../core/endpoint/Endpoint.ts"
import { catalogue } from "../../../../core/lanes/all.ts"
import { clockAt } from "../../../support/clock.ts"
import { type Running, start } from "../../../support/running.ts"
import { bad, free, noon, paid } from "./agentKeys.ts"

let service: Running
beforeAll(async () => {
  service = await start({}, { clock: clockAt(noon) })
})
afterAll(() => service.stop())

/** A visitor of its own, so that the limit of an address is not shared between the tests. */
const fresh = () => start({}, { clock: clockAt(noon) })

describe("the key of visitors", () => {
  it("is a well-formed test key", () => {
    assert.strictEqual(parseEnvironment(demoKey), "test")
  })

  it("answers generated data for nothing, and no account has the call", async () => {
    for (const path of [free, paid]) {
      const { status, json } = await service.get(path, demoKey)
      assert.strictEqual(status, 200, path)
      assert.deepStrictEqual([json._meta.price.charged_micros, json._meta.data_freshness], [0, "mock"])
    }
  })

  it("gets the errors of other keys", async () => {
    const { status, json } = await service.get(bad, demoKey)
    assert.deepStrictEqual([status, json.error.code], [400, "invalid_parameter"])
  })

  it("has no wallet, sets nothing and asks for no quote", async () => {
    const refused = Catalogue.live(catalogue).filter(
      ({ endpoint }) => endpoint.writes !== undefined && endpoint.auth === "key",
    )
    assert.isAbove(refused.length, 0)
    const paths = ["/v1/key", "/v1/wallet", `${paid}&dry_run=true`].map((path) => [path, undefined] as const)
    const posts = refused.map(
      ({ endpoint }) => [endpoint.path, { method: "POST", body: JSON.stringify(endpoint.example) }] as const,
    )
    for (const [path, init] of [...paths, ...posts]) {
      const { status, json } = await service.get(path, demoKey, {
        ...init,
        headers: { "content-type": "application/json" },
      })
      assert.deepStrictEqual([status, json.error.code], [403, "insufficient_scope"], path)
      assert.match(json.error.hints[0].suggestion, /key of your own/)
    }
  })

  it("is limited by the client's address", async () => {
    const own = await fresh()
    const statuses: Array<number> = []
    for (let call = 0; call < 61; call++) statuses.push((await own.get(free, demoKey)).status)
    assert.deepStrictEqual([statuses.slice(0, 60).every((status) => status === 200), statuses[60]], [true, 429])
    // A key of an account is not.
    assert.strictEqual((await own.get(free, own.account.test.token)).status, 200)
    await own.stop()
  })

  it("is that key and no other text that ends like it", async () => {
    for (const authorization of [`Basic ${demoKey}`, `Bearer x${demoKey}`, `Bearer a ${demoKey}`]) {
      const { status } = await service.get(free, "", { headers: { authorization } })
      assert.strictEqual(status, 401, authorization)
    }
  })

  it("serves every endpoint's example, but those about an account", async () => {
    const own = await start()
    const asked = Catalogue.live(catalogue).filter(
      ({ endpoint, lane }) =>
        endpoint.auth === "key" &&
        lane.about === "market" &&
        endpoint.writes === undefined &&
        Endpoint.methodOf(endpoint) === "GET",
    )
    for (const { endpoint } of asked) {
      const query = new URLSearchParams(
        Object.entries(endpoint.example as Readonly<Record<string, unknown>>).map(([name, value]) => [
          name,
          String(value),
        ]),
      )
      const { status } = await own.get(`${endpoint.path}?${query}`, demoKey)
      assert.strictEqual(status, 200, endpoint.path)
    }
    await own.stop()
  })
})
