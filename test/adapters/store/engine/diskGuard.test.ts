import { spawnSync } from "node:child_process"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/TestClock"
import * as diskGuard from "../../../../adapters/store/engine/diskGuard.ts"
import { Ledger } from "../../../../core/account/Ledger.ts"
import { charge, settlementOf } from "../../../support/settlement.ts"
import { count, spender } from "../../../support/spender.ts"
import { accountsOver, makeFolder, removeFolder, storeFile } from "../../../support/store.ts"

const { DiskSpace } = diskGuard
const reserveBytes = 1_000

/** A disk whose free space a test sets; counts the reads. */
const disk = (free: number) => {
  const it = { free, looks: 0 }
  const statfs = async () => {
    it.looks++
    return { bavail: it.free, bsize: 1, blocks: 10_000 }
  }
  return { it, options: { reserveBytes, statfs } }
}

const logged = (messages: Array<string>) =>
  Logger.replace(
    Logger.defaultLogger,
    Logger.make(({ message, logLevel }) => void messages.push(`${logLevel.label} ${message}`)),
  )

describe("the guard of the disk", () => {
  it.effect("looks at most once a second, and says once that room is short and once that it is there again", () => {
    const { it: device, options } = disk(5_000)
    const messages: Array<string> = []
    return Effect.gen(function* () {
      const space = yield* DiskSpace
      assert.deepStrictEqual(yield* space.state, { low: false, freeBytes: 5_000, totalBytes: 10_000 })
      device.free = 999
      for (let n = 0; n < 100; n++) assert.isFalse(space.isLow())
      assert.strictEqual(device.looks, 1)
      yield* TestClock.adjust("1 second")
      assert.isTrue((yield* space.state).low)
      assert.isTrue(space.isLow())
      // Slightly more space is not enough (hysteresis).
      for (const [free, low] of [
        [1_100, true],
        [1_249, true],
        [1_250, false],
        [1_000, false],
        [999, true],
      ] as const) {
        device.free = free
        yield* TestClock.adjust("1 second")
        assert.strictEqual((yield* space.state).low, low, `${free}`)
      }
      assert.strictEqual(device.looks, 7)
      assert.deepStrictEqual(
        messages.map((line) => line.split(" ")[0]),
        ["WARN", "INFO", "WARN"],
      )
    }).pipe(Effect.provide(diskGuard.layer("/store.db", options)), Effect.provide(logged(messages)))
  })

  it.effect("is off without a reserve, and knows the free space all the same", () => {
    const statfs = async () => ({ bavail: 0, bsize: 1, blocks: 10_000 })
    return Effect.gen(function* () {
      const space = yield* DiskSpace
      assert.deepStrictEqual(yield* space.state, { low: false, freeBytes: 0, totalBytes: 10_000 })
      assert.isFalse(space.isLow())
    }).pipe(Effect.provide(diskGuard.layer("/x.db", { reserveBytes: 0, statfs })))
  })

  it.effect("knows nothing of a store in memory or on a server", () =>
    Effect.forEach([diskGuard.layer(":memory:", { reserveBytes }), DiskSpace.layerNone], (layer) =>
      Effect.flatMap(DiskSpace, ({ state }) =>
        Effect.map(state, (seen) => assert.deepStrictEqual(seen, { low: false })),
      ).pipe(Effect.provide(layer)),
    ),
  )

  it.effect("stops no call where free space cannot be read", () => {
    const messages: Array<string> = []
    const layer = diskGuard.layer("/x.db", { reserveBytes, statfs: () => Promise.reject(new Error("not here")) })
    return Effect.gen(function* () {
      const space = yield* DiskSpace
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(yield* space.state, { low: false })
      assert.lengthOf(messages, 1)
    }).pipe(Effect.provide(layer), Effect.provide(logged(messages)))
  })
})

describe("a ledger whose disk is nearly full", () => {
  it.effect("stores only a count of free calls, and everything of paid ones", () => {
    const { it: device, options } = disk(0)
    return Effect.gen(function* () {
      const ledger = yield* Ledger
      const { agentId: _, ...key } = yield* spender("bot", {})
      const remember = (n: number) => ({ key: `k${n}`, requestHash: "h", stored: "{}" })
      for (let n = 0; n < 20; n++) {
        const asked = { ...key, requestId: `req_${n}`, micros: 1, at: n, remember: remember(n) }
        assert.isTrue(yield* charge({ ...asked, livemode: n % 2 === 0 }))
        yield* ledger.appendAudit(settlementOf({ ...key, requestId: `req_free_${n}`, micros: 0, at: n }).audit)
      }
      assert.strictEqual(yield* count("postings"), 1 + 10)
      assert.strictEqual(yield* count("idempotency"), 10)
      for (let n = 0; n < 20; n++) {
        const known = yield* ledger.recall(key.keyId, `k${n}`, 20)
        assert.deepStrictEqual(known, n % 2 === 0 ? remember(n) : undefined)
      }
      const sql = yield* SqlClient.SqlClient
      const rows = sql<{ id: string; calls: number }>`
        SELECT request_id AS id, calls FROM audit WHERE request_id GLOB 'req_free*'`
      assert.deepStrictEqual(yield* rows, [])
      device.free = 10_000
      yield* TestClock.adjust("61 seconds")
      yield* charge({ ...key, requestId: "req_end", micros: 1, at: 60_000 })
      assert.deepStrictEqual(yield* rows, [{ id: "req_free_19", calls: 20 }])
    }).pipe(Effect.provide(Layer.unwrapScoped(Effect.map(storeFile, (file) => accountsOver(file, { disk: options })))))
  })
})

const mountable = (): string | undefined => {
  const folder = makeFolder()
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=8m", "tmpfs", folder]).status === 0) return folder
  removeFolder(folder)
  return undefined
}

const small = mountable()

describe.skipIf(small === undefined)(
  `a small disk${small === undefined ? " (skipped: this user may not mount one)" : ""}`,
  () => {
    it("is seen as it fills and as it empties", async () => {
      const folder = small!
      try {
        await Effect.gen(function* () {
          const space = yield* DiskSpace
          const { low, totalBytes } = yield* space.state
          assert.deepStrictEqual([low, totalBytes], [false, 8 * 1_048_576])
          writeFileSync(join(folder, "ballast"), Buffer.alloc(6 * 1_048_576))
          yield* Effect.sleep("1100 millis")
          assert.isTrue((yield* space.state).low)
          rmSync(join(folder, "ballast"))
          yield* Effect.sleep("1100 millis")
          assert.isFalse((yield* space.state).low)
        }).pipe(
          Effect.provide(diskGuard.layer(join(folder, "store.db"), { reserveBytes: 4 * 1_048_576 })),
          Effect.runPromise,
        )
      } finally {
        spawnSync("umount", [folder])
        removeFolder(folder)
      }
    })
  },
)
