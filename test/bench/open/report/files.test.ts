import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { writeLines } from "../../../../bench/open/report/files.ts"
import { makeFolder, removeFolder } from "../../../support/store.ts"

const folder = makeFolder()
afterAll(() => removeFolder(folder))

it.each([0, 1, 999, 1_000, 1_001, 2_000])("%i lines are all in the file, in their order", async (count) => {
  const lines = Array.from({ length: count }, (_, at) => `${at}\n`)
  const file = join(folder, `${count}.csv`)
  await Effect.runPromise(writeLines(file, lines))
  assert.strictEqual(readFileSync(file, "utf8"), lines.join(""))
})

it("a file that cannot be written, and lines that fail, are errors", async () => {
  const failing = function* (): Generator<string> {
    yield "one\n"
    throw new Error("no more")
  }
  const failure = (file: string, lines: Iterable<string>) => Effect.runPromise(Effect.flip(writeLines(file, lines)))
  assert.include((await failure(join(folder, "none", "a.csv"), [])).message, "ENOENT")
  assert.strictEqual((await failure(join(folder, "a.csv"), failing())).message, "no more")
})
