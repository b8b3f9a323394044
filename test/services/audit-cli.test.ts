import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { commandLine } from "../support/commandLine.ts"
import { spend, spender } from "../support/spender.ts"
import { accountsOver, makeFolder, removeFolder } from "../support/store.ts"

const folder = makeFolder()
const file = join(folder, "store.db")
afterAll(() => removeFolder(folder))

const { cli, parsed } = commandLine(file)
const out = (name: string) => join(folder, name)

describe.sequential("the months of the audit trail on the command line", () => {
  it("are listed, exported whole, and dropped once they were", { timeout: 60_000 }, async () => {
    await Effect.gen(function* () {
      const who = yield* spender("bot", {})
      // More than a page, and one in this month.
      for (let n = 0; n < 1_005; n++) yield* spend(who, 1, { at: Date.UTC(2020, 0, 1) + n })
      yield* spend(who, 1, { at: Date.now() })
    }).pipe(Effect.provide(accountsOver(file)), Effect.runPromise)
    const now = new Date().toISOString().slice(0, 7)
    const { months } = await parsed("audit months")
    assert.deepStrictEqual(months, [
      { month: "2020-01", rows: 1_005 },
      { month: now, rows: 1 },
    ])

    const early = await cli("audit drop --month 2020-01")
    assert.match(early.stderr, /month: The month is not fully exported/)
    const whole = await parsed(`audit export --month 2020-01 --out ${out("a.ndjson")}`)
    assert.deepStrictEqual([whole.rows, whole.whole], [1_005, true])
    const lines = readFileSync(out("a.ndjson"), "utf8").trimEnd().split("\n")
    assert.lengthOf(lines, 1_005)
    assert.strictEqual(new Set(lines.map((line) => JSON.parse(line).request_id)).size, 1_005)
    assert.strictEqual(statSync(out("a.ndjson")).mode & 0o777, 0o600)
    // An existing file is not overwritten.
    assert.notStrictEqual((await cli(`audit export --month 2020-01 --out ${out("a.ndjson")}`)).code, 0)
    assert.lengthOf(readFileSync(out("a.ndjson"), "utf8").trimEnd().split("\n"), 1_005)

    const open = await parsed(`audit export --month ${now} --format csv --out ${out("b.csv")}`)
    assert.deepStrictEqual([open.rows, open.whole], [1, false])
    assert.match(readFileSync(out("b.csv"), "utf8"), /^at,request_id,.*,calls,account_id\n.*,1,acct_[0-9A-Z]{26}\n$/)
    assert.match(
      (await cli(`audit drop --month ${now} --force`)).stderr,
      /month: The current and the previous month cannot be dropped/,
    )
    assert.match((await cli("audit drop --month 2020-1")).stderr, /month: .*a UTC month such as/)

    assert.strictEqual((await parsed("audit drop --month 2020-01")).rows, 1_005)
    assert.deepStrictEqual((await parsed("audit months")).months, [{ month: now, rows: 1 }])
    assert.lengthOf((await parsed("agents audit bot")).rows, 1)
  })
})
