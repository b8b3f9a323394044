import { assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { allPages } from "../../../../../adapters/web/dashboard/pages/all.ts"
import { Calls } from "../../../../../core/account/Calls.ts"
import { Alerts } from "../../../../../core/alerts/Alerts.ts"
import { Webhooks } from "../../../../../core/events/Webhooks.ts"
import { catalogue } from "../../../../../core/lanes/all.ts"
import { skeletonDigest } from "../../../../support/skeleton.ts"
import { agent, operator, owner, running, startTraffic } from "./traffic.ts"

/*
 * Each page over the same calls, by a digest of what is not words: elements, classes, addresses, fields and figures. A change
 * of layout or of a figure is looked at (`npm run shots`), and its digest is then written here.
 */
startTraffic()

const named: Record<string, string> = {}
beforeAll(async () => {
  const made = await running.run(
    Effect.gen(function* () {
      const { id } = running.account
      const [calls, alerts, webhooks] = [yield* Calls, yield* Alerts, yield* Webhooks]
      yield* alerts.create({ account: id, call: "/v1/markets/edge?domain=weather", threshold: 0.05 })
      const { webhook } = yield* webhooks.create(id, "https://1.1.1.1/in", ["alert.fired", "wallet.low"])
      return { webhook: webhook.id, call: (yield* calls.page(id, {}, 1)).rows[0]!.requestId }
    }),
  )
  const { id: account, live } = running.account
  Object.assign(named, { ...made, account, agent, key: live.id, endpoint: "weather_signal" })
}, 60_000)

describe("the pages of the dashboard", () => {
  it.each(allPages(catalogue).map(({ path, audience }) => [path, audience] as const))("%s", async (path, audience) => {
    const visitor = audience === "operator" ? operator : owner
    const { status, html } = await visitor.get(path.replace(/:(\w+)/g, (_, name: string) => named[name]!))
    assert.strictEqual(status, 200, html)
    assert.strictEqual(skeletonDigest(html, running.url), golden[path])
  })
})

const golden: Readonly<Record<string, string>> = {
  "/dashboard": "9c92dd27",
  "/dashboard/keys": "118ac313",
  "/dashboard/keys/new": "c74d57de",
  "/dashboard/keys/:key": "ebddbb4a",
  "/dashboard/agents": "d36be2e0",
  "/dashboard/agents/new": "61b1f514",
  "/dashboard/agents/:agent": "b383153f",
  "/dashboard/wallet": "b063731d",
  "/dashboard/wallet/statement": "83ff4b56",
  "/dashboard/top-up": "d340122c",
  "/dashboard/usage": "67121b8f",
  "/dashboard/calls": "69310e53",
  "/dashboard/calls/:call": "a62b6701",
  "/dashboard/alerts": "3a671f22",
  "/dashboard/alerts/new": "26f2215a",
  "/dashboard/webhooks": "856a5f02",
  "/dashboard/webhooks/new": "35d4979b",
  "/dashboard/webhooks/:webhook": "aa2dfd45",
  "/dashboard/webhooks/dead-letters": "563e484d",
  "/dashboard/playground": "c387e3ca",
  "/dashboard/playground/:endpoint": "6202fa3f",
  "/dashboard/connect": "40cb000f",
  "/dashboard/account": "bf7d1f71",
  "/dashboard/people": "d9f71fd2",
  "/dashboard/sessions": "914e04d4",
  "/dashboard/changes": "6d759536",
  "/dashboard/operator": "59333579",
  "/dashboard/operator/accounts/:account": "a6cadee4",
  "/dashboard/operator/service": "c0715315",
  "/dashboard/operator/deliveries": "349ca7bc",
  "/dashboard/operator/store": "0e3166c7",
  "/dashboard/operator/changes": "8e1ac61b",
  "/dashboard/search": "0f4e4f2e",
}
