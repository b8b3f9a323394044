import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { commandLine } from "../../support/commandLine.ts"
import { makeFolder, removeFolder } from "../../support/store.ts"

const folder = makeFolder()
afterAll(() => removeFolder(folder))

const { cli, parsed } = commandLine(join(folder, "store.db"))

describe.sequential("jobs on the command line", { timeout: 60_000 }, () => {
  it("are listed with their next slot, and have never run in a new store", async () => {
    const { jobs } = await parsed("jobs list")
    for (const { name, next_at, state } of jobs) {
      assert.isAbove(Date.parse(next_at), Date.now(), name)
      assert.strictEqual(state, "never_run", name)
    }
    assert.include((await cli("jobs list")).stdout, "  never run")
  })

  it("are run at once, and the list has how that ended", async () => {
    const { stdout } = await cli("jobs run prune-runs")
    assert.strictEqual(stdout, "ok: deleted 0 runs")
    const { jobs } = await parsed("jobs list")
    const { state, last } = jobs.find(({ name }: { readonly name: string }) => name === "prune-runs")
    assert.deepStrictEqual([state, last.outcome, last.detail], ["ok", "ok", "deleted 0 runs"])
  })

  it("that are none are refused with the names of all", async () => {
    const { code, stderr } = await cli("jobs run nothing")
    assert.strictEqual(code, 2)
    assert.match(stderr, /Unknown job nothing\. Jobs: .*prune-runs/)
  })
})
