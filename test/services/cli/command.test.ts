import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { commandLine } from "../../support/commandLine.ts"
import { makeFolder, removeFolder } from "../../support/store.ts"

const folder = makeFolder()
afterAll(() => removeFolder(folder))

const { cli, parsed } = commandLine(join(folder, "store.db"))

describe.sequential("a command that runs a verb", { timeout: 60_000 }, () => {
  it("names its options and their rules, in dollars where the verb has micro-dollars", async () => {
    await cli("account create --name one")
    const wrong = await cli("wallet credit --account one --usd 0")
    assert.deepStrictEqual([wrong.code, wrong.stdout], [2, ""])
    assert.match(wrong.stderr, /--usd: must be .*USD/)
    assert.notInclude(wrong.stderr, "micros")
    assert.match((await cli("wallet credit --account one --usd much")).stderr, /--usd/)
  })

  it("has the subject of its path as an argument, and everything else as options", async () => {
    const { agents } = await parsed("agents list --account one")
    assert.deepStrictEqual(agents, [])
    const { id } = await parsed("agents create --account one --name bot --monthly-cap-usd 0.002")
    assert.strictEqual((await parsed(`agents show ${id}`)).monthly_cap_micros, 2_000)
    assert.strictEqual((await cli("agents show")).code, 2)
  })

  it("says how a longer list goes on, and in JSON leaves that to the field", async () => {
    for (const name of ["two", "three"]) await cli(`account create --name ${name}`)
    const { stdout, stderr } = await cli("account list --limit 2")
    assert.strictEqual(stdout.split("\n").length, 2)
    const [, cursor] = /^There are more rows: --cursor (\S+)$/.exec(stderr) ?? []
    const { accounts, next } = await parsed(`account list --limit 2 --cursor ${cursor}`)
    assert.deepStrictEqual([accounts.length, next], [1, undefined])
    assert.strictEqual((await parsed("account list --limit 2")).next, cursor)
  })
})
