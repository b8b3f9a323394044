import { execFileSync } from "node:child_process"
import { chownSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Cutting from "../../../support/cuttingProxy.ts"
import { countCharged, counts, history, refusedIn } from "../../../support/history.ts"
import { ownServer } from "../../../support/postgres.ts"
import { connected, programs } from "../../../support/postgresServer.ts"

/** A file system of so many bytes in memory, which only root can make; undefined where that is not allowed. */
const mounted = (megabytes: number): string | undefined => {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return undefined
  const folder = mkdtempSync(join(tmpdir(), "market-signals-disk-"))
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder], { stdio: "ignore" })
  } catch {
    rmdirSync(folder)
    return undefined
  }
  chownSync(folder, 65_534, 65_534)
  return folder
}

const unmounted = (folder: string): void => {
  execFileSync("umount", ["-l", folder])
  rmdirSync(folder)
}

const canMount = (() => {
  const folder = mounted(1)
  if (folder !== undefined) unmounted(folder)
  return folder !== undefined
})()

const disk = (megabytes: number) =>
  Effect.acquireRelease(
    Effect.sync(() => mounted(megabytes)!),
    (path) => Effect.sync(() => unmounted(path)),
  )

/** Fills a disk until it takes no more; returns how to give the room back. */
const filling = (folder: string): (() => void) => {
  const ballast = join(folder, "ballast")
  let size = 64 * 1024 * 1024
  for (let part = 0; size >= 4_096; ) {
    try {
      writeFileSync(`${ballast}.${part}`, Buffer.alloc(size))
      part++
    } catch {
      rmSync(`${ballast}.${part}`, { force: true })
      size /= 2
    }
  }
  return () => void execFileSync("sh", ["-c", `rm -f ${ballast}.*`])
}

const skipped = canMount ? "" : " (needs root, to mount a small disk)"

describe("a server whose disk is full", () => {
  it.scopedLive.skipIf(!canMount)(
    `is a store that is away: charges fail, those without an answer are given back when there is room${skipped}`,
    () =>
      Effect.gen(function* () {
        const folder = yield* disk(48)
        const { url } = yield* ownServer()
        yield* Effect.promise(() =>
          connected(url, async (client) => {
            await client.query(`CREATE TABLESPACE small LOCATION '${folder}'`)
            await client.query(
              "CREATE DATABASE small TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C' TABLESPACE small",
            )
          }),
        )
        const direct = Redacted.make(url.replace(/\/postgres$/, "/small"))
        const { proxy, url: through } = yield* Cutting.through(direct)
        const outcomes = yield* history(
          { url: through, direct, payers: 4, callers: 4 },
          ({ outcomes, other, isBack }) =>
            Effect.gen(function* () {
              // Answers are on their way when the connections end: the nodes will have batches to cancel.
              proxy.slow(300)
              yield* Effect.sleep("1 seconds")
              proxy.partition()
              const empty = filling(folder)
              yield* Effect.sleep("6500 millis")
              proxy.slow(0)
              proxy.heal()
              // Pages that the tables have are filled first.
              yield* Effect.sleep("7 seconds")
              const failed = refusedIn(outcomes)
              assert.isAbove(failed.length, 0)
              const charged = yield* countCharged(other, failed)
              empty()
              const backMs = yield* isBack
              const from = Date.now()
              yield* Effect.sleep("2 seconds")
              assert.strictEqual(counts(outcomes.filter(({ begun }) => begun >= from)).failed, 0)
              yield* Effect.logInfo(JSON.stringify({ failed: failed.length, charged, backMs }))
            }),
        )
        assert.isBelow(counts(outcomes).slowest, 12_000)
      }),
    90_000,
  )

  it.scopedLive.skipIf(!canMount)(
    `with its log of writes loses no charge when it ends, and is started again with room${skipped}`,
    () =>
      Effect.gen(function* () {
        const folder = yield* disk(192)
        const { url, kill, revive } = yield* ownServer([], programs(), folder)
        const outcomes = yield* history({ url: Redacted.make(url), payers: 4, callers: 4 }, ({ outcomes, isBack }) =>
          Effect.gen(function* () {
            const empty = filling(folder)
            yield* Effect.sleep("8 seconds")
            empty()
            yield* Effect.promise(kill)
            yield* Effect.promise(revive)
            const backMs = yield* isBack
            yield* Effect.sleep("1 seconds")
            yield* Effect.logInfo(JSON.stringify({ backMs, ...counts(outcomes) }))
          }),
        )
        assert.isBelow(counts(outcomes).slowest, 12_000)
      }),
    90_000,
  )
})
