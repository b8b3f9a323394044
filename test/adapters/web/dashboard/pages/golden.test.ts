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
  "/dashboard": "4d6697d7",
  "/dashboard/keys": "dbaf75fb",
  "/dashboard/keys/new": "21f58838",
  "/dashboard/keys/:key": "9a04c340",
  "/dashboard/agents": "d269d042",
  "/dashboard/agents/new": "d790d1ba",
  "/dashboard/agents/:agent": "1c3d8d91",
  "/dashboard/wallet": "9ee0c837",
  "/dashboard/wallet/statement": "ceb4ed16",
  "/dashboard/top-up": "c7da7486",
  "/dashboard/usage": "5cf003dd",
  "/dashboard/calls": "d4a83d81",
  "/dashboard/calls/:call": "1aca7dbb",
  "/dashboard/alerts": "47b3f940",
  "/dashboard/alerts/new": "f8ccdba4",
  "/dashboard/webhooks": "0fd2f338",
  "/dashboard/webhooks/new": "9b169913",
  "/dashboard/webhooks/:webhook": "04ea4d99",
  "/dashboard/webhooks/dead-letters": "4ef7a9bf",
  "/dashboard/playground": "e7b06c62",
  "/dashboard/playground/:endpoint": "59dd0de9",
  "/dashboard/connect": "5dce51b5",
  "/dashboard/account": "5bdf24ab",
  "/dashboard/people": "9f1da762",
  "/dashboard/sessions": "3b9e9452",
  "/dashboard/changes": "3816c434",
  "/dashboard/operator": "373b8275",
  "/dashboard/operator/accounts/:account": "65d652e4",
  "/dashboard/operator/service": "8e1a4e2d",
  "/dashboard/operator/deliveries": "1e491f48",
  "/dashboard/operator/store": "9a656e9d",
  "/dashboard/operator/changes": "c06a5337",
  "/dashboard/search": "5025852e",
}
