import { afterAll, beforeAll, describe, it } from "@effect/vitest"
import { pause } from "./journeys/agents.ts"
import { key, mistakes } from "./journeys/key.ts"
import { playground } from "./journeys/playground.ts"
import { type Delivering, failing, startDelivering } from "./journeys/webhook.ts"
import { entering } from "./support/entering.ts"
import { withoutScript } from "./support/hands.ts"

let server: Delivering
const { as } = entering(() => server.running, withoutScript)
const owner = { account: "tester" }

beforeAll(async () => {
  server = await startDelivering({ balance: 10_000_000 })
}, 120_000)
afterAll(() => server.stop())

describe("without script", () => {
  it("a key is made, used, never shown again, rotated and revoked", () =>
    as("key without script", owner, key, mistakes))

  it("a paused agent's calls are refused within a second, and a second tab says so when it is opened again", () =>
    as("pause without script", owner, (visit) => pause(visit, "stopped")))

  it("the playground charges what its button says, and once for a double click and a reload", () =>
    as("playground without script", owner, playground))

  it("a webhook that fails is tried again, becomes a dead letter, and is delivered by a replay", () =>
    as("failing webhook without script", owner, (visit) => failing(visit, server.to, "without-script")))
})
