import { assert, describe, it } from "@effect/vitest"
import { type Ended, summary } from "../../bench/tools/testSummary.ts"

const ended = (
  name: string,
  passed: number,
  failed: number,
  skipped: Readonly<Record<string, number>> = {},
): Ended => ({
  name,
  seconds: 1,
  counts: { passed, failed, skipped },
})

describe("the summary of a test run", () => {
  it("ends with the sum of all steps, and names what is skipped", () => {
    const { text, isRed } = summary([ended("unit", 5, 0, { "a.test.ts": 2 }), ended("check", 1, 0)], 2)
    assert.isFalse(isRed)
    assert.include(text, "skipped: 2 of a.test.ts")
    assert.match(text, /\n6 passed, 0 failed, 2 skipped\n$/)
  })

  it("is red where a step fails, whichever one", () => {
    assert.isTrue(summary([ended("unit", 5, 1), ended("check", 1, 0)], Infinity).isRed)
    assert.isTrue(summary([ended("unit", 5, 0), ended("check", 0, 1)], Infinity).isRed)
  })

  it("is red where more is skipped than may be, or a step has nothing to run", () => {
    assert.isTrue(summary([ended("unit", 5, 0, { "a.test.ts": 3 })], 2).isRed)
    const { text, isRed } = summary([ended("unit", 5, 0), ended("browser", 0, 0)], 2)
    assert.isTrue(isRed)
    assert.include(text, "nothing was run: browser")
    assert.isFalse(summary([ended("unit", 5, 0), ended("browser", 0, 0)], Infinity).isRed)
  })
})
