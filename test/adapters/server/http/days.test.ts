import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Client } from "@modelcontextprotocol/client"
import { catalogue } from "../../../../core/lanes/all.ts"
import { clockAt } from "../../../support/clock.ts"
import { accepted, now, refused } from "../../../support/days.ts"
import { type Running, start } from "../../../support/running.ts"
import { connect } from "../mcp/clients.ts"

let service: Running
let client: Client
beforeAll(async () => {
  service = await start({}, { clock: clockAt(now) })
  client = await connect(service.url, "2026-07-28", service.account.live.token)
})
afterAll(async () => {
  await client.close()
  await service.stop()
})

type Params = Readonly<Record<string, string | number>>

/** The result of a call in each way of asking: an error code, or success. */
const ways: Readonly<Record<string, (id: string, params: Params) => Promise<string>>> = {
  call: async (id, params) => codeOf(await service.get(target(id, params))),
  dry_run: async (id, params) => codeOf(await service.get(target(id, { ...params, dry_run: "true" }))),
  HEAD: async (id, params) =>
    (await service.get(target(id, params), undefined, { method: "HEAD" })).status === 400
      ? "invalid_parameter"
      : "good",
  plan: async (id, params) => {
    const body = JSON.stringify({ calls: [{ endpoint: id, params }] })
    const { json } = await service.get("/v1/plan/estimate", undefined, { method: "POST", body })
    return json.results.calls[0].code ?? "good"
  },
  tool: async (id, params) => {
    const { content, isError } = await client.callTool({ name: id, arguments: params })
    const [{ text }] = content as unknown as readonly [{ text: string }]
    return isError === true ? JSON.parse(text).error.code : "good"
  },
}

const target = (id: string, params: Params) =>
  `${catalogue.byId.get(id)!.endpoint.path}?${new URLSearchParams(Object.entries(params).map(([k, v]) => [k, String(v)]))}`

const codeOf = ({ status, json }: Awaited<ReturnType<Running["get"]>>): string =>
  status === 200 ? "good" : json.error.code

const saidOf = async (id: string, params: Params) =>
  Object.fromEntries(await Promise.all(Object.entries(ways).map(async ([way, ask]) => [way, await ask(id, params)])))

const everyWay = (code: string) => Object.fromEntries(Object.keys(ways).map((way) => [way, code]))

describe("a day or season that there is not", () => {
  it.each(refused.map(([id, params]) => [id, params] as const))(
    "%s %j: said alike by call, HEAD, quote, plan and tool, and not charged",
    async (id, params) => {
      const before = await service.balance()
      assert.deepStrictEqual(await saidOf(id, params), everyWay("invalid_parameter"))
      assert.strictEqual(await service.balance(), before)
    },
  )

  it.each(accepted)("%s %j: and one that there is, whether or not anything is recorded of it", async (id, params) => {
    assert.notInclude(Object.values(await saidOf(id, params)), "invalid_parameter")
  })
})
