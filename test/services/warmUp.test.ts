import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { assert, it } from "@effect/vitest"
import { afterAll } from "vitest"
import { cpuMs, serve } from "../support/hostileServer.ts"
import { makeFolder, removeFolder } from "../support/store.ts"

const folder = makeFolder()
afterAll(() => removeFolder(folder))

it.runIf(process.platform === "linux")("a server makes seasons ahead of its calls unless WARM_UP says no", async () => {
  const at = (name: string, warmUp: string) => serve(join(folder, `${name}.db`), { WARM_UP: warmUp })
  const servers = await Promise.all([at("warm", "yes"), at("cold", "no")])
  const more = () => {
    const [warm, cold] = servers.map((server) => cpuMs(server)!)
    return warm! - cold!
  }
  try {
    // Of some five seconds.
    for (let tries = 0; more() < 1_000; tries++) {
      assert.isBelow(tries, 600, `${more()} ms of processor time more`)
      await pause(100)
    }
  } finally {
    for (const server of servers) assert.strictEqual(await server.stop(), 0, server.log())
  }
})
