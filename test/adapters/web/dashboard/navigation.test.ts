import { assert, describe, it } from "@effect/vitest"
import { grouped, nearest } from "../../../../adapters/web/dashboard/Frame.tsx"
import { allPages } from "../../../../adapters/web/dashboard/pages/all.ts"
import { catalogue } from "../../../../core/lanes/all.ts"

const pages = allPages(catalogue)

describe("the side bar", () => {
  it("has each page with a label once, in five groups", () => {
    const groups = grouped(pages)
    assert.deepStrictEqual(
      groups.map(({ name }) => name),
      ["Activity", "Build", "Billing", "Settings", "Operator"],
    )
    const shown = groups.flatMap(({ pages }) => pages.map(({ label }) => label!))
    assert.deepStrictEqual(
      shown.toSorted(),
      pages.flatMap(({ label }) => (label === undefined ? [] : [label])).toSorted(),
    )
    assert.strictEqual(new Set(shown).size, shown.length)
  })

  it("leaves out a group without pages", () => {
    const names = grouped(pages.filter(({ audience }) => audience === "person")).map(({ name }) => name)
    assert.deepStrictEqual(names, ["Settings"])
  })

  it("marks one page: the nearest that a path is under, and the first page for itself alone", () => {
    const cases = [
      ["/dashboard", "Overview"],
      ["/dashboard/keys/:key", "Keys"],
      ["/dashboard/webhooks/:webhook", "Webhooks"],
      ["/dashboard/webhooks/dead-letters", "Webhooks"],
      ["/dashboard/operator/accounts/:account", "Accounts"],
      ["/dashboard/operator/store", "Record and store"],
      ["/dashboard/search", undefined],
      ["/dashboard/keysets", undefined],
    ] as const
    for (const [path, label] of cases) assert.strictEqual(nearest(pages, path)?.label, label, path)
  })
})
