import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type Running, start } from "../../../support/running.ts"
import { otherAccount } from "../../web/dashboard/visitor.ts"

let service: Running
beforeAll(async () => {
  service = await start()
})
afterAll(() => service.stop())

const follow = (token: string, init: RequestInit = {}) =>
  fetch(`${service.url}/v1/alerts/events`, { ...init, headers: { authorization: `Bearer ${token}` } })

describe("a stream of alerts", () => {
  it("is one of eight of its account, beside those of others; one that is left makes room", async () => {
    const { token } = await otherAccount(service, "other")
    const aborts = [token, ...Array.from({ length: 8 }, () => service.account.live.token)].map((key) => ({
      key,
      abort: new AbortController(),
    }))
    const statuses = []
    for (const { key, abort } of aborts) statuses.push((await follow(key, { signal: abort.signal })).status)
    assert.deepStrictEqual(statuses, Array(9).fill(200))
    const more = await follow(service.account.live.token)
    assert.strictEqual(more.status, 429)
    assert.include(await more.text(), "The account has 8 open streams.")
    const another = new AbortController()
    assert.strictEqual((await follow(token, { signal: another.signal })).status, 200)
    aborts.at(-1)!.abort.abort()
    let status = 429
    for (let tries = 0; status === 429 && tries < 200; tries++) {
      await new Promise((resume) => setTimeout(resume, 25))
      const again = await follow(service.account.live.token, { signal: another.signal })
      status = again.status
    }
    assert.strictEqual(status, 200)
    for (const { abort } of [...aborts, { abort: another }]) abort.abort()
  })

  it("is opened by GET alone", async () => {
    const answer = await follow(service.account.live.token, { method: "POST" })
    assert.deepStrictEqual([answer.status, answer.headers.get("allow")], [405, "GET"])
  })
})
