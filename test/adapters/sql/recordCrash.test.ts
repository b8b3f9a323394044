import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { verify } from "../../../adapters/record/verifier.mjs"
import { lines, whole } from "../../../core/record/log/exported.ts"
import * as merkle from "../../../core/record/log/merkle.ts"
import * as proofs from "../../../core/record/log/proofs.ts"
import { RecordLog } from "../../../core/record/log/RecordLog.ts"
import { SyncSha256 } from "../../../core/record/log/SyncSha256.ts"
import * as processes from "../../support/processes.ts"
import { inStore } from "../../support/record.ts"
import { makeFolder, removeFolder } from "../../support/store.ts"

const kills = Number(process.env["CRASH_KILLS"] ?? 10)

/** The log as a restarted service finds it, after everything that must always be true of it has been checked. */
const audited = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const log = yield* RecordLog
  const { sha256 } = yield* SyncSha256
  assert.deepStrictEqual(yield* sql`PRAGMA integrity_check`, [{ integrity_check: "ok" }])
  const size = yield* log.size
  const peaks: Array<Uint8Array> = []
  const stored = yield* log.range(0, size)
  for (const [at, { position, text }] of stored.entries()) {
    assert.strictEqual(position, at)
    merkle.grow(sha256, peaks, at, merkle.leafHash(sha256, Buffer.from(text)))
  }
  assert.deepStrictEqual(Buffer.from(yield* proofs.root(size)), Buffer.from(merkle.join(sha256, peaks)))
  // Shares no code with the log, and looks at every checkpoint too.
  const written = yield* lines(0, size, whole)
  const { intact, checkpoints } = yield* Effect.promise(() => verify(written.map((line) => Buffer.from(line))))
  assert.isTrue(intact)
  return { ids: stored.map(({ id }) => id), checkpoints }
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
        const { ids, checkpoints } = await Effect.runPromise(Effect.provide(audited, inStore(file)))
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
