import { existsSync, readFileSync } from "node:fs"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { accounts } from "./interface/accounts.ts"
import { type App, type Row, serve } from "./interface/app.ts"
import { moreResources } from "./interface/moreResources.ts"
import { resources } from "./interface/resources.ts"
import { rules } from "./interface/rules.ts"
import { service } from "./interface/service.ts"
import { generatedStates } from "./interface/states.ts"
import { generated } from "./interface/tables.ts"

const rows: ReadonlyArray<Row> = [service, resources, moreResources, rules, accounts, generated, generatedStates].flat()

/** The sentences and the tables' rows of the interface's document. */
const unitsOf = (document: string): ReadonlyArray<string> => {
  const lines = document.split("\n")
  const isRule = (line: string | undefined): boolean => /^\|[-| ]+\|$/.test(line ?? "")
  return lines.flatMap((line, at) => {
    if (line.trim() === "" || line.startsWith("#") || isRule(line) || (line.startsWith("|") && isRule(lines[at + 1])))
      return []
    return line.startsWith("|") ? [line] : line.replace(/^\d+\. /, "").split(/(?<=\.|\.\)) (?=[A-Z`(])/)
  })
}

const document = process.env["INTERFACE_SPEC"]

describe("the interface", { timeout: 120_000 }, () => {
  let app: App
  beforeAll(async () => {
    app = await serve()
  }, 120_000)
  afterAll(() => app.stop())

  for (const { says, check } of rows) if (check !== undefined) it(says, () => check(app))

  it("has a check for every sentence, or says why it has none or is not met to the letter", () => {
    for (const { says, check, why, since } of rows) {
      assert.isTrue(check !== undefined || (why ?? "").length > 20, says)
      if (since !== undefined) assert.isTrue(!Number.isNaN(Date.parse(since)) && (why ?? "").length > 20, says)
    }
    assert.lengthOf(new Set(rows.map(({ says }) => says)), rows.length)
  })

  it.runIf(document !== undefined && existsSync(document))(
    "has a row for every sentence of the document, and no other",
    () => {
      const units = new Set(unitsOf(readFileSync(document!, "utf8")))
      assert.sameMembers(
        rows.map(({ says }) => says),
        [...units],
      )
    },
  )
})
