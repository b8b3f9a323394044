import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { commandLine } from "../../support/commandLine.ts"
import { makeFolder, removeFolder } from "../../support/store.ts"

const folder = makeFolder()
afterAll(() => removeFolder(folder))

const { cli, parsed } = commandLine(join(folder, "store.db"))

describe.sequential("the dashboard on the command line", { timeout: 60_000 }, () => {
  it("a link is for an account or for operators, and is opened on this machine", async () => {
    const neither = await cli("dashboard link")
    assert.deepStrictEqual([neither.code, neither.stdout], [2, ""])
    assert.include(neither.stderr, "Give --account A, or --operator")
    await cli("account create --name one")
    const everywhere = await cli("dashboard link --account one", { HOST: "0.0.0.0", PORT: "8123" })
    assert.match(
      everywhere.stdout,
      /^http:\/\/127\.0\.0\.1:8123\/dashboard\/\S+\nOpen it before \S+\. It works once\.$/,
    )
    const public_ = await parsed("dashboard link --operator", { BASE_URL: "https://api.test" })
    assert.isTrue(public_.url.startsWith("https://api.test/dashboard/"))
  })

  it("the log of changes says that it came from here, and people are none before they sign in", async () => {
    await cli("account suspend --account one")
    const { stdout } = await cli("dashboard changes --account one")
    assert.match(stdout, /^\d{4}-\S+ {2}command line +accounts_suspend +one$/m)
    assert.strictEqual((await cli("dashboard people --account one")).stdout, "")
  })
})
