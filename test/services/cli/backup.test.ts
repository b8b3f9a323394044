import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { commandLine } from "../../support/commandLine.ts"
import { makeFolder, removeFolder } from "../../support/store.ts"

const folder = makeFolder()
afterAll(() => removeFolder(folder))

const { cli } = commandLine(join(folder, "store.db"))

describe.sequential("a backup on the command line", { timeout: 60_000 }, () => {
  const out = join(folder, "backup")

  it("has the store and its keys, says so, and is not written into a folder that is there", async () => {
    await cli("account create --name one")
    const { code, stdout } = await cli(`backup --out ${out}`)
    assert.strictEqual(code, 0)
    for (const name of ["store\\.db", "secrets-key"])
      assert.match(stdout, new RegExp(`^  ${name}  .* sha256 [0-9a-f]{12}$`, "m"))
    assert.include(stdout, "who can read it can sign the record")
    assert.notStrictEqual((await cli(`backup --out ${out}`)).code, 0)
  })

  it("is restored where no store is, and overwrites none", async () => {
    const { cli: elsewhere, parsed } = commandLine(join(folder, "other", "store.db"))
    const { code, stdout, stderr } = await elsewhere(`restore ${out}`)
    assert.deepStrictEqual([code, stderr], [0, ""])
    assert.match(stdout, /Calls, credits and predictions since \d{4}-\S+ are lost\./)
    assert.deepStrictEqual(
      (await parsed("account list")).accounts.map(({ name }: { readonly name: string }) => name),
      ["one"],
    )
    assert.notStrictEqual((await elsewhere(`restore ${out}`)).code, 0)
  })

  it.each([
    [{ DATABASE_URL: "sqlite::memory:" }, "The store is in memory: it has no backup."],
    [
      { DATABASE_URL: "postgres://u:secret@db.test/x", RECORD_KEY_FILE: "/k/r", SECRETS_KEY_FILE: "/k/s" },
      "back it up with pg_dump",
    ],
  ])("is none of another kind of store: %j", async (environment, reason) => {
    const { code, stderr } = await cli(`backup --out ${join(folder, "none")}`, environment)
    assert.notStrictEqual(code, 0)
    assert.include(stderr, reason)
    assert.notInclude(stderr, "secret@")
  })
})
