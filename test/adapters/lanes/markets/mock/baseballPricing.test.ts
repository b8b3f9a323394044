import { assert, it } from "@effect/vitest"
import { teams } from "../../../../../adapters/lanes/baseball/mock/teams.ts"
import { inventedNames, teamNames } from "../../../../../core/lanes/baseball/teams.ts"

it("each invented team has a code of its own, which no real team has", () => {
  assert.sameMembers(
    teams.map(({ code }) => code),
    Object.keys(inventedNames),
  )
  for (const { code } of teams) assert.notProperty(teamNames, code)
})
