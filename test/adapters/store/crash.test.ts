import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { assert, describe, it } from "@effect/vitest"
import { audited, reopened, underWay, wallet } from "../../support/chargeBooks.ts"
import * as processes from "../../support/processes.ts"
import { makeFolder, removeFolder } from "../../support/store.ts"

const kills = Number(process.env["CRASH_KILLS"] ?? 20)

const service = (file: string, { id, keyId }: { readonly id: string; readonly keyId: string }, prefix: string) => {
  const child = processes.start("test/support/storeProcess.ts", ["charge", file, id, keyId, prefix])
  return {
    ...child,
    /** Lets it open the store and charge, once it is loaded. */
    go: async () => {
      await child.linesUntil(1)
      child.process.stdin.write("go\n")
    },
    acknowledged: () => child.lines.slice(1),
    /** Resolves when that many charges are acknowledged. */
    acknowledgedUntil: (count: number) => child.linesUntil(1 + count),
  }
}

describe("a service that is killed while it charges", () => {
  it(`loses no charge it has acknowledged and makes none twice, ${kills} times`, {
    timeout: 20_000 + kills * 3_000,
  }, async () => {
    const path = makeFolder()
    const file = join(path, "store.db")
    const acknowledged = new Set<string>()
    try {
      const owner = await reopened(file, wallet)
      let before = 0
      let next = service(file, owner, "req_1")
      for (let round = 1; round <= kills; round++) {
        const killed = next
        try {
          await killed.go()
          // The next process loads meanwhile, but opens the store only on `go`.
          if (round < kills) next = service(file, owner, `req_${round + 1}`)
          await killed.acknowledgedUntil(20)
          // A random moment, not one at which a charge has just returned.
          await setTimeout(Math.random() * 30)
        } finally {
          killed.process.kill("SIGKILL")
        }
        assert.isNull(await killed.ended, killed.stderr())
        for (const requestId of killed.acknowledged()) acknowledged.add(requestId)
        const { charges } = await reopened(file, audited(owner.id))
        assert.deepStrictEqual(
          [...acknowledged].filter((requestId) => !charges.has(requestId)),
          [],
          `lost in round ${round}`,
        )
        const unacknowledged = charges.size - before - killed.acknowledged().length
        assert.isAtMost(unacknowledged, underWay, `committed but never acknowledged in round ${round}`)
        before = charges.size
      }
      assert.isAtLeast(acknowledged.size, kills * 20)
    } finally {
      removeFolder(path)
    }
  })
})
