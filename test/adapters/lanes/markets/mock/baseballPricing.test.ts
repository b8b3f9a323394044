import { assert, it } from "@effect/vitest"
import { teams } from "../../../../../adapters/lanes/baseball/mock/teams.ts"
import { teamCode } from "../../../../../adapters/lanes/markets/mock/baseballPricing.ts"

it("a team's code is the first three letters of its name, unless two begin alike", () => {
  assert.strictEqual(teamCode({ name: "Duluth Herons" }), "DUL")
  assert.strictEqual(teamCode({ name: "Billings Bison" }), "BLG")
  assert.strictEqual(teamCode({ name: "Biloxi Bison" }), "BLX")
})

it("no two teams share a code", () => {
  assert.strictEqual(new Set(teams.map(teamCode)).size, teams.length)
})
