import { assert, it } from "@effect/vitest"
import { teams } from "../../../../../adapters/lanes/baseball/mock/teams.ts"
import { codeOf } from "../../../../../adapters/lanes/markets/mock/baseballPricing.ts"

it("a team's code is the first three letters of its name, unless two begin alike", () => {
  assert.strictEqual(codeOf({ name: "Duluth Herons" }), "DUL")
  assert.strictEqual(codeOf({ name: "Billings Bison" }), "BLG")
  assert.strictEqual(codeOf({ name: "Biloxi Bison" }), "BLX")
})

it("no two teams share a code", () => {
  assert.strictEqual(new Set(teams.map(codeOf)).size, teams.length)
})
