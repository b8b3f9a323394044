import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import { clockAt } from "../../../support/clock.ts"
import { type Running, start } from "../../../support/running.ts"
import { accounts, free, issue, limits, noon, paid } from "./agentKeys.ts"

const perMinute = 6
const request = { tier: "enterprise", rpm: perMinute } as const

/** The clock is fixed, so no bucket refills. */
let service: Running
beforeAll(async () => {
  service = await start({}, { clock: clockAt(noon) })
})
afterAll(() => service.stop())

/** Keys of a new account with money, all of the same limit. */
const keysOf = async (name: string, count: number, environment: "live" | "test") => {
  const { id } = await accounts(service, (all) => all.create(name))
  await accounts(service, (all) => all.credit(id, 1_000_000 as never))
  const tokens: Array<string> = []
  for (let n = 0; n < count; n++) tokens.push(await issue(service, { account: id, environment, ...request }))
  return { id, tokens }
}

const shown = (answer: { readonly headers: Headers }) => limits(answer).slice(0, 3)

describe("the limit of an account for calls that are not charged", () => {
  it.each<[string, "live" | "test", string, RequestInit]>([
    ["of test keys", "test", paid, {}],
    ["of free endpoints", "live", free, {}],
    ["about the caller", "live", "/v1/key", {}],
    ["of dry runs", "live", `${paid}&dry_run=true`, {}],
    ["by HEAD", "live", paid, { method: "HEAD" }],
    ["whose answer the client has", "live", paid, { headers: { "if-none-match": "*" } }],
    ["whose answer is free by what was found", "live", "/v1/nfl/qb?player=a", {}],
  ])("is shared by its keys: calls %s", async (name, environment, path, init) => {
    const { id, tokens } = await keysOf(name, 4, environment)
    const answers = []
    for (let n = 0; n < 3 * perMinute; n++) answers.push(await service.get(path, tokens[n % 4]!, init))
    const refused = answers.slice(perMinute)
    assert.isTrue(answers.slice(0, perMinute).every(({ status }) => status === 200 || status === 304))
    for (const answer of refused) {
      assert.strictEqual(answer.status, 429)
      assert.deepStrictEqual(shown(answer), [String(perMinute), "0", "60"])
      assert.strictEqual(answer.headers.get("retry-after"), "10")
    }
    if (init.method !== "HEAD") {
      const { code, recoverable, hints, retry_after_ms } = refused[0]!.json.error
      assert.deepStrictEqual([code, recoverable, retry_after_ms], ["account_rate_limited", true, 10_000])
      assert.deepInclude(hints[0], { field: "Authorization", action: "wait" })
    }
    // The last key has calls of its own left: charged ones go on, and count for their key alone.
    const live = await issue(service, { account: id, environment: "live", ...request })
    for (let left = perMinute - 1; left >= 0; left--) {
      const answer = await service.get(paid, live)
      assert.deepStrictEqual([answer.status, ...shown(answer)], [200, "6", String(left), String(60 - 10 * left)])
    }
    assert.strictEqual((await service.get(paid, live)).json.error.code, "rate_limit_exceeded")
  })

  it("is that of its largest key, as soon as there is one, and until it is revoked", async () => {
    const { id, tokens } = await keysOf("growing", 3, "test")
    const get = async (token: string) => {
      const { status, json } = await service.get(paid, token)
      return status === 200 ? 200 : json.error.code
    }
    assert.strictEqual(await get(tokens[0]!), 200)
    const large = { account: id, environment: "test", tier: "enterprise", rpm: 20 } as const
    const biggest = await issue(service, large)
    // A sixth of a minute was taken; a small key's next call takes a twentieth.
    for (let n = 0; n < 16; n++) assert.strictEqual(await get(biggest), 200)
    assert.strictEqual(await get(tokens[1]!), "account_rate_limited")
    assert.strictEqual(await get(biggest), "account_rate_limited")
  })

  it("leaves the limit of one key as it was: the account's is never nearer", async () => {
    const { tokens } = await keysOf("alone", 1, "test")
    const left = []
    for (const path of [paid, free, "/v1/key", paid, free, paid, free]) {
      const answer = await service.get(path, tokens[0]!)
      left.push([answer.status, ...shown(answer).slice(0, 2)])
    }
    assert.deepStrictEqual(left, [...Arr.range(0, 5).map((n) => [200, "6", String(5 - n)]), [429, "6", "0"]])
  })
})
