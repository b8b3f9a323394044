import { writeFileSync } from "node:fs"
import type { TestModule, TestRunEndReason, Vitest } from "vitest/node"
import { DefaultReporter } from "vitest/reporters"
import type { Counts } from "../../bench/tools/testSummary.ts"

/**
 * Shows the files that fail alone, and writes the counts to the file that `TEST_COUNTS` names. With `TEST_SECONDS` it begins
 * no test after so many seconds.
 */
export class FailuresReporter extends DefaultReporter {
  override onInit(vitest: Vitest): void {
    super.onInit(vitest)
    const seconds = process.env["TEST_SECONDS"]
    if (seconds === undefined) return
    setTimeout(() => void vitest.cancelCurrentRun("keyboard-input"), 1_000 * Number(seconds)).unref()
  }

  override printTestModule(testModule: TestModule): void {
    if (testModule.state() === "failed") super.printTestModule(testModule)
  }

  override onTestRunEnd(
    modules: ReadonlyArray<TestModule> = [],
    errors: ReadonlyArray<unknown> = [],
    reason?: TestRunEndReason,
  ): void {
    super.onTestRunEnd()
    if (reason === "interrupted") {
      const isEnded = (each: TestModule): boolean =>
        [...each.children.allTests("skipped")].length === 0 && each.state() !== "skipped"
      const left = modules.filter((each) => !isEnded(each)).map((each) => this.relative(each.moduleId))
      this.log(`No time was left for all of:\n  ${left.join("\n  ")}`)
    }
    const file = process.env["TEST_COUNTS"]
    if (file === undefined) return
    const states = modules.flatMap((each) => [...each.children.allTests()].map((test) => test.result().state))
    const skipped = modules.map(
      (each) => [this.relative(each.moduleId), [...each.children.allTests("skipped")].length] as const,
    )
    const counts: Counts = {
      passed: states.filter((state) => state === "passed").length,
      // A file that cannot be loaded, a hook that fails, and an error that no test awaits are failures too.
      failed:
        [...modules.flatMap((each) => [each, ...each.children.allSuites()]).flatMap((each) => each.errors()), ...errors]
          .length + states.filter((state) => state === "failed").length,
      skipped: Object.fromEntries(skipped.filter(([, count]) => count > 0)),
    }
    writeFileSync(file, JSON.stringify(counts))
  }
}
