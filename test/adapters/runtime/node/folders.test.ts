import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, it } from "@effect/vitest"
import { makeFolders } from "../../../../adapters/runtime/node/folders.ts"

const root = mkdtempSync(join(tmpdir(), "folders-"))
afterAll(() => rmSync(root, { recursive: true }))

it("the folders that are missing are made with the mode, and one that is there stays", () => {
  const deep = join(root, "a", "b", "c")
  makeFolders(deep, 0o700)
  for (const folder of [join(root, "a"), join(root, "a", "b"), deep]) {
    assert.strictEqual(statSync(folder).mode & 0o777, 0o700)
  }
  writeFileSync(join(deep, "file"), "kept")
  makeFolders(deep)
  assert.isTrue(existsSync(join(deep, "file")))
})

it("a file in the way is an error", () => {
  const file = join(root, "file")
  writeFileSync(file, "")
  assert.throws(() => makeFolders(join(file, "below")), /ENOTDIR/)
})

it.skipIf(process.platform !== "linux")("a file system that takes no folders says so at once", () => {
  assert.throws(() => makeFolders("/proc/none/below"), /ENOENT.*'\/proc\/none'/)
})
