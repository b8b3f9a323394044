import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { kindsOf } from "../../bench/tools/kinds.ts"

describe("the kind of a test file", () => {
  it("is proof, of the part that CI alone runs, where its first line says so", () => {
    const folder = mkdtempSync(join(tmpdir(), "kinds-"))
    try {
      writeFileSync(join(folder, "quick.test.ts"), "// no Proof: mentioned\n")
      writeFileSync(join(folder, "slow.test.ts"), "// Proof: waits for a clock.\n")
      const files = (part: string | undefined) => {
        const { unit, service, proof } = kindsOf(folder, part)
        return [unit, service, proof]
      }
      const [quick, slow] = [join(folder, "quick.test.ts"), join(folder, "slow.test.ts")]
      assert.deepStrictEqual(files("short"), [[quick], [], []])
      assert.deepStrictEqual(files("long"), [[quick], [], [slow]])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
