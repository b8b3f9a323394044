import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { umask } from "node:process"
import { afterAll, assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { removeStale, withOwnerUmask } from "../../../../adapters/server/http/unixSocket.ts"

const folder = mkdtempSync(join(tmpdir(), "socket-"))
afterAll(() => rmSync(folder, { recursive: true }))

const room = (path: string) => Effect.runPromise(removeStale(path))

it("a path without a file is free", async () => {
  assert.isUndefined(await room(join(folder, "none")))
})

it("a file that is no socket stays", async () => {
  const path = join(folder, "file")
  writeFileSync(path, "")
  assert.strictEqual(await room(path), `${path} exists and is not a socket.`)
  assert.isTrue(existsSync(path))
})

it("a socket in use stays", async () => {
  const path = join(folder, "used")
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(path, resolve))
  assert.strictEqual(await room(path), `${path} is in use.`)
  assert.isTrue(existsSync(path))
  await new Promise((resolve) => void server.close(resolve))
})

it("a new file is its owner's alone, and the process creates files as before", () => {
  const path = join(folder, "own")
  const before = umask()
  assert.strictEqual(
    withOwnerUmask(() => {
      writeFileSync(path, "")
      return "made"
    }),
    "made",
  )
  assert.strictEqual(statSync(path).mode & 0o777, 0o600)
  assert.throws(() =>
    withOwnerUmask(() => {
      throw new Error("not made")
    }),
  )
  assert.strictEqual(umask(), before)
})
