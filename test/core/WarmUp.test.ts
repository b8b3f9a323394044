import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { assert, it } from "@effect/vitest"
import { afterAll } from "vitest"
import { serve } from "../support/hostileServer.ts"
import { makeFolder, removeFolder } from "../support/store.ts"

const folder = makeFolder()
afterAll(() => removeFolder(folder))

it("a server has its demonstration made ahead of its calls unless WARM_UP says no", async () => {
  const at = (name: string, warmUp: string) => serve(join(folder, `${name}.db`), { WARM_UP: warmUp })
  const servers = await Promise.all([at("warm", "yes"), at("cold", "no")])
  const kept = (name: string) => {
    const place = join(folder, `${name}.db-demonstration`)
    return existsSync(place) ? readdirSync(place).filter((file) => file.endsWith(".json")) : []
  }
  try {
    for (let tries = 0; kept("warm").length < 4; tries++) {
      assert.isBelow(tries, 600, kept("warm").join())
      await pause(100)
    }
    assert.sameMembers(kept("warm"), ["crypto.json", "mlb.json", "nfl.json", "weather.json"])
    assert.deepStrictEqual(kept("cold"), [])
  } finally {
    for (const server of servers) assert.strictEqual(await server.stop(), 0, server.log())
  }
})
