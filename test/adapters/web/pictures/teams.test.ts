import { assert, describe, it } from "@effect/vitest"
import {
  featureName,
  gameTitle,
  lineWords,
  nickname,
  teamColour,
  teamName,
} from "../../../../adapters/web/pictures/teams.ts"
import { teamNames as baseball } from "../../../../core/lanes/baseball/teams.ts"
import { teamNames as football } from "../../../../core/lanes/football/data/teams.ts"

describe("a team", () => {
  it("has a colour of its own by its league, an invented one a hue, and none on a page without a game", () => {
    for (const [names, path] of [
      [football, "/nfl/2026_12_KC_BUF"],
      [baseball, "/contracts/KXMLBGAME-26SEP17DETBOS"],
    ] as const)
      for (const name of Object.values(names)) assert.match(teamColour(nickname(name), path)!, /^#[0-9a-f]{6}$/, name)
    assert.deepStrictEqual(
      [teamColour("Giants", "/nfl/x"), teamColour("Giants", "/mlb/x"), teamColour("Ab", "/mlb/x")],
      ["#0b2265", "#fd5a1e", `hsl(${(29 * (65 + 98)) % 360} 55% 42%)`],
    )
    assert.isUndefined(teamColour("Giants", "/weather/KNYC"))
  })

  it("is named by its code, also by one of a franchise that moved; in narrow places by its last word or two", () => {
    assert.deepStrictEqual(
      [teamName("nfl", "KC"), teamName("nfl", "OAK"), teamName("mlb", "BOS"), teamName("mlb", "No team")],
      ["Kansas City Chiefs", "Las Vegas Raiders", "Boston Red Sox", "No team"],
    )
    assert.deepStrictEqual(["Boston Red Sox", "Toronto Blue Jays", "Chicago Cubs"].map(nickname), [
      ...["Red Sox", "Blue Jays", "Cubs"],
    ])
  })
})

it("titles and features have teams in the words of their league", () => {
  assert.strictEqual(gameTitle("DET at BUF: BUF wins", "KXNFLGAME-26SEP17DETBUF-BUF"), "Lions at Bills: Bills win")
  assert.strictEqual(gameTitle("DET at BOS: DET wins", "KXMLBGAME-26SEP17DETBOS-DET"), "Tigers at Red Sox: Tigers win")
  assert.strictEqual(gameTitle("High above 52", "KXHIGHNY-26NOV24-T52"), "High above 52")
  assert.strictEqual(featureName("home_field_team", "Bills", "Lions"), "Bills' own home field")
  assert.strictEqual(featureName("away_qb_diff", "Bills", "Lions"), "Lions quarterback difference")
  assert.deepStrictEqual(
    [2.5, -3, 0.04].map((margin) => lineWords(margin, "Chiefs", "Bills")),
    ["Chiefs by 2.5", "Bills by 3.0", "even"],
  )
})
