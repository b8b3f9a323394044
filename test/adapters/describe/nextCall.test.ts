import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { nextCall } from "../../../adapters/describe/nextCall.ts"
import { type Code, codes } from "../../../core/Failure.ts"
import { type Running, start } from "../../support/running.ts"

describe("the next call after an error", { timeout: 60_000 }, () => {
  let service: Running
  beforeAll(async () => {
    service = await start()
  })
  afterAll(() => service.stop())

  it.each(Object.keys(codes) as ReadonlyArray<Code>)("%s is one that answers, for free", async (code) => {
    const before = await service.balance()
    // Who got a 401 has no key that is accepted.
    const authorization: Record<string, string> =
      codes[code].status === 401 ? {} : { authorization: `Bearer ${service.account.live.token}` }
    const { status } = await fetch(service.url + nextCall(code).path, {
      headers: { ...authorization, accept: "application/json, text/html" },
    })
    assert.strictEqual(status, 200)
    assert.strictEqual(await service.balance(), before)
    const page = await (await fetch(`${service.url}/errors/${code}`, { headers: { accept: "text/html" } })).text()
    assert.include(page, `GET ${nextCall(code).path.replaceAll("&", "&amp;")}`)
  })
})
