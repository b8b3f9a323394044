import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { commandLine } from "../../support/commandLine.ts"
import { makeFolder, removeFolder } from "../../support/store.ts"

const folder = makeFolder()
afterAll(() => removeFolder(folder))

const { cli, parsed } = commandLine(join(folder, "store.db"))

describe.sequential("keys on the command line", { timeout: 60_000 }, () => {
  let id = ""

  it("are made with their secret, which no list has", async () => {
    await cli("account create --name one")
    const { stdout } = await cli(
      "keys create --account one --env live --tier pro --name ci --scopes weather,football --expires 30d",
    )
    const [line, warning] = stdout.split("\n") as [string, string]
    const [made, secret] = line.split("  ") as [string, string]
    id = made
    assert.match(secret, /^svk_live_\w{30,}$/)
    assert.strictEqual(warning, "Save this key now. Only its hash is stored.")
    const listed = (await cli("keys list --account one")).stdout
    assert.notInclude(listed, secret)
    assert.match(
      listed,
      new RegExp(
        `^${id}  ci  svk_live_\\S*${secret.slice(-4)}  pro \\d+/min  no agent  weather,football  never used  expires `,
      ),
    )
  })

  it("are rotated: the old one ends after the overlap, the new one lives on", async () => {
    const { stdout } = await cli(`keys rotate ${id} --overlap 12h`)
    const [, , ends] = stdout.split("\n") as [string, string, string]
    const hours = (Date.parse(ends.slice(`${id} expires `.length, -1)) - Date.now()) / 3_600_000
    assert.isTrue(hours > 11.9 && hours < 12, ends)
    const { keys } = await parsed("keys list --account one")
    assert.strictEqual(keys.length, 2)
  })

  it("are revoked for good", async () => {
    assert.strictEqual((await cli(`keys revoke ${id}`)).stdout, `revoked ${id}`)
    assert.match((await cli("keys list --account one")).stdout, new RegExp(`^${id} .* {2}revoked \\d{4}-\\S+$`, "m"))
  })

  it.each(["5", "0d", "yesterday"])("end at no time that is none: %s", async (expires) => {
    const { code, stdout, stderr } = await cli(`keys create --account one --env live --tier pro --expires ${expires}`)
    assert.deepStrictEqual([code === 0, stdout], [false, ""])
    assert.include(stderr, "--expires")
  })
})
