import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { afterAll, assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { listFiles } from "../../../adapters/lanes/LaneCommand.ts"

const folder = mkdtempSync(join(tmpdir(), "files-"))
afterAll(() => rmSync(folder, { recursive: true }))

const [a, b] = [join(folder, "a.csv"), join(folder, "b.csv")]
for (const file of [b, a]) writeFileSync(file, "")
mkdirSync(join(folder, "ab"))
writeFileSync(join(folder, "ab", "c.csv"), "")

const list = (target: string) => Effect.provide(listFiles(target), NodeContext.layer)

it.effect("the files of a folder are listed in order, without those of folders in it", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* list(folder), [a, b])
  }),
)

it.effect("a file is listed as itself, and one that is not there is an error", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* list(b), [b])
    assert.strictEqual((yield* Effect.flip(list(join(folder, "none"))))._tag, "SystemError")
  }),
)
