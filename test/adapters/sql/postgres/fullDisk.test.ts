import { execFileSync } from "node:child_process"
import { chownSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import pg from "pg"
import * as Postgres from "../../../../adapters/sql/postgres/open.ts"
import { books, paying, price } from "../../../support/paying.ts"
import { node } from "../../../support/postgresNode.ts"
import { start } from "../../../support/postgresServer.ts"
import { spender } from "../../../support/spender.ts"

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

describe("a server whose disk is full", () => {
  it.scopedLive.skipIf(!canMount)(
    `is a store that is away: charges fail, none is made, and they go on when there is room${canMount ? "" : " (needs root, to mount a small disk)"}`,
    () =>
      Effect.gen(function* () {
        const folder = yield* Effect.acquireRelease(
          Effect.sync(() => mounted(48)!),
          (path) => Effect.sync(() => unmounted(path)),
        )
        const server = yield* Effect.acquireRelease(
          Effect.promise(() => start()),
          (started) => Effect.promise(async () => started?.stop()),
        )
        assert.isDefined(server)
        yield* Effect.promise(async () => {
          const client = new pg.Client({ connectionString: server.url })
          await client.connect()
          await client.query(`CREATE TABLESPACE small LOCATION '${folder}'`)
          await client.query(
            "CREATE DATABASE small TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C' TABLESPACE small",
          )
          await client.end()
        })
        const url = Redacted.make(server.url.replace(/\/postgres$/, "/small"))
        const context = yield* node(url)
        const payers = yield* Effect.provide(
          Effect.forEach(Arr.range(1, 4), (n) => spender(`bot${n}`, {})),
          context,
        )
        const balance = yield* Effect.provide(books, context)
        assert.deepStrictEqual(balance, { kept: 0, wrong: 0, spent: 0 })
        const pay = (until: () => boolean) => Effect.fork(Effect.provide(paying(payers, until), context))
        const ballast = join(folder, "ballast")
        let [isOver, at] = [false, performance.now()]
        const fiber = yield* pay(() => isOver)
        yield* Effect.sleep("500 millis")
        // Until the disk takes no more.
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
        // Pages that the tables have are filled first.
        yield* Effect.sleep("7 seconds")
        isOver = true
        const full = yield* Fiber.join(fiber)
        assert.isAbove(full.settled, 0)
        assert.isAbove(full.failed, 0)
        assert.isBelow(full.slowest, 12_000)
        execFileSync("sh", ["-c", `rm -f ${ballast}.*`])
        at = performance.now()
        const again = yield* pay(() => performance.now() - at > 2_000)
        const roomy = yield* Fiber.join(again)
        assert.strictEqual(roomy.failed, 0)
        const settled = full.settled + roomy.settled
        assert.isAbove(roomy.settled, 0)
        let row = yield* Effect.provide(books, Layer.fresh(Postgres.layer(url)))
        for (let tries = 0; tries < 100 && row.kept !== settled; tries++) {
          yield* Effect.sleep("50 millis")
          row = yield* Effect.provide(books, context)
        }
        assert.deepStrictEqual(row, { kept: settled, wrong: 0, spent: settled * price })
      }),
    60_000,
  )
})
