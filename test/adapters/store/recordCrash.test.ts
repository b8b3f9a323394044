import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as processes from "../../support/processes.ts"
import { inStore } from "../../support/record.ts"
import { audited } from "../../support/recordAudit.ts"
import { makeFolder, removeFolder } from "../../support/store.ts"

const kills = Number(process.env["CRASH_KILLS"] ?? 10)

/** The log as a restarted service finds it. */
const restarted = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  assert.deepStrictEqual(yield* sql`PRAGMA integrity_check`, [{ integrity_check: "ok" }])
  return yield* audited
})

describe("a service that is killed while it appends to the record", () => {
  it(`leaves a tree that is that of its leaves, with all it has acknowledged, ${kills} times`, {
    timeout: 20_000 + kills * 5_000,
  }, async () => {
    const path = makeFolder()
    const file = join(path, "store.db")
    const acknowledged: Array<string> = []
    try {
      let next = processes.start("test/support/storeProcess.ts", ["record", file, "round1"])
      let signed = 0
      for (let round = 1; round <= kills; round++) {
        const killed = next
        try {
          await killed.linesUntil(1)
          killed.process.stdin.write("go\n")
          if (round < kills) {
            next = processes.start("test/support/storeProcess.ts", ["record", file, `round${round + 1}`])
          }
          await killed.linesUntil(100)
          // A random moment, not one at which something has just been appended.
          await setTimeout(Math.random() * 30)
        } finally {
          killed.process.kill("SIGKILL")
        }
        assert.isNull(await killed.ended, killed.stderr())
        acknowledged.push(...killed.lines.slice(1))
        const { ids, checkpoints } = await Effect.runPromise(Effect.provide(restarted, inStore(file)))
        for (const line of acknowledged) {
          const [position, id] = line.split(" ")
          assert.strictEqual(ids[Number(position)], id, `lost or moved in round ${round}`)
        }
        assert.strictEqual(new Set(ids).size, ids.length)
        assert.isAbove(checkpoints, signed, "a checkpoint was signed meanwhile")
        signed = checkpoints
      }
      assert.isAtLeast(acknowledged.length, kills * 99)
    } finally {
      removeFolder(path)
    }
  })
})
