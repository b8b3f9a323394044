import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Accounts } from "../../../core/account/Accounts.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import { killing } from "../../support/killing.ts"
import * as processes from "../../support/processes.ts"
import { accountsOver, makeFolder, removeFolder } from "../../support/store.ts"
import { usageEqualsJournal } from "../../support/usageBooks.ts"

const kills = Number(process.env["CRASH_KILLS"] ?? 4)

describe("a program that is killed while it folds the audit trail", () => {
  it(`counts every call once, ${kills} times`, { timeout: 30_000 + kills * 5_000 }, async () => {
    const path = makeFolder()
    const file = join(path, "store.db")
    const reopened = Effect.provide(usageEqualsJournal, accountsOver(file))
    try {
      const { id, keyId } = await Effect.gen(function* () {
        const accounts = yield* Accounts
        const { id } = yield* accounts.create("one")
        yield* accounts.credit(id, MicroUsd(1_000_000_000_000))
        const { key } = yield* accounts.issueKey({ account: id, environment: "live", tier: "pro" })
        return { id, keyId: key.id }
      }).pipe(Effect.provide(accountsOver(file)), Effect.runPromise)
      const { all } = await killing({ nodes: 1, kills, lines: 5 }, (number) =>
        processes.start("test/support/storeProcess.ts", ["fold", file, id, keyId, `req_${number}`]),
      )
      const said = all.flatMap(({ lines }) => lines.slice(1)).map((line) => Number(line.split(" ")[1]))
      const folded = await Effect.runPromise(reopened)
      assert.isAtLeast(said.length, kills * 5)
      assert.isAtLeast(
        folded,
        said.reduce((one, other) => one + other, 0),
      )
    } finally {
      removeFolder(path)
    }
  })
})
