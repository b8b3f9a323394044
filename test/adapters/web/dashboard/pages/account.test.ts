import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { Agents } from "../../../../../core/account/Agents.ts"
import { Alerts } from "../../../../../core/alerts/Alerts.ts"
import { Webhooks } from "../../../../../core/events/Webhooks.ts"
import { type Running, start } from "../../../../support/running.ts"
import { otherAccount, signIn, type Visitor } from "../visitor.ts"

let running: Running
let owner: Visitor
let secret: string
beforeAll(async () => {
  running = await start({
    webhooks: { allowHosts: ["127.0.0.1:9"] },
    operator: { support: Option.some("mailto:help@example.com"), terms: Option.none(), privacy: Option.none() },
  })
  owner = await signIn(running, { account: "tester", name: "ann" })
  await otherAccount(running, "elsewhere")
  secret = await running.run(
    Effect.gen(function* () {
      const agents = yield* Agents
      // More than a part of a list has.
      yield* Effect.forEach(Array.from({ length: 230 }), (_, n) => agents.create(running.account.id, `bot ${n}`, {}))
      yield* (yield* Alerts).create({ account: running.account.id, call: "/v1/weather/settlement?station=KNYC" })
      const { secret } = yield* (yield* Webhooks).create(running.account.id, "http://127.0.0.1:9/", ["wallet.low"])
      return Redacted.value(secret)
    }),
  )
}, 60_000)
afterAll(() => running.stop())

const path = "/dashboard/account"

describe("the page of an account", () => {
  it("has its tier, and whom to ask to close it, with its balance", async () => {
    const { html } = await owner.get(path)
    assert.include(html, "<dd>indie: 60 calls a minute with each key</dd>")
    assert.include(html, '<a href="mailto:help@example.com">help@example.com</a>')
    assert.include(html, "<strong>1.00 USD</strong>")
  })

  it("gives everything of the account as lines of JSON, with no secret and nothing of another account", async () => {
    const { status, html: text } = await owner.get(`${path}.ndjson`)
    assert.strictEqual(status, 200)
    const rows: ReadonlyArray<{ readonly kind: string; readonly id?: string; readonly name?: string }> = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
    const numbers = Object.fromEntries(
      ["account", "person", "key", "agent", "alert", "webhook"].map((kind) => [
        kind,
        rows.filter((row) => row.kind === kind).length,
      ]),
    )
    // The alert has a key of its own; two people have come so far.
    assert.deepStrictEqual(numbers, { account: 1, person: 1, key: 3, agent: 230, alert: 1, webhook: 1 })
    assert.isTrue(rows.some(({ kind }) => kind === "change"))
    assert.strictEqual(new Set(rows.filter(({ kind }) => kind === "agent").map(({ id }) => id)).size, 230)
    for (const each of [secret, running.account.live.token, "elsewhere"]) assert.notInclude(text, each)
  })
})
