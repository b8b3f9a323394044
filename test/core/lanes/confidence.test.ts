import { assert, it } from "@effect/vitest"
import { factorLines, flagFactor, product } from "../../../core/lanes/confidence.ts"

it("a confidence is its base times its multipliers, each with its input", () => {
  const factors = [
    ["lead 1.5 days", 0.914],
    ["kicked off"],
    ...flagFactor(["a", "b"], 0.9),
    ...flagFactor([], 0.1),
  ] as const
  assert.strictEqual(product(0.9, factors), 0.9 * 0.914 * 0.9)
  assert.deepStrictEqual(factorLines(0.9, factors), [
    "base 0.90",
    "lead 1.5 days: ×0.91",
    "kicked off",
    "quality flags a, b: ×0.90",
  ])
})
