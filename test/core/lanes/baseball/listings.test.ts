import { assert, describe, it } from "@effect/vitest"
import { hasBegun, listGamesOnDay, pickListing, toListingKey } from "../../../../core/lanes/baseball/listings.ts"
import type { ListedGame } from "../../../../core/lanes/baseball/ports.ts"

const at = (text: string) => Date.parse(`${text}:00Z`)
const side = { teamId: 1, name: "A", wins: 1, losses: 0 }
const game = (gamePk: number, firstPitch: string, phase: ListedGame["phase"] = "scheduled"): ListedGame => ({
  gamePk,
  season: 2026,
  type: "R",
  firstPitch: at(firstPitch),
  officialDate: firstPitch.slice(0, 10),
  state: phase,
  phase,
  venue: "Park",
  neutral: false,
  doubleHeader: "N",
  gameNumber: 1,
  home: side,
  away: side,
})

describe("the slate of a day", () => {
  it("is that of the UTC day, in order of first pitch and then of id", () => {
    const games = [
      game(3, "2026-07-04T23:59"),
      game(2, "2026-07-04T17:00"),
      game(1, "2026-07-04T17:00"),
      game(4, "2026-07-05T00:00"),
      game(5, "2026-07-03T23:59"),
      game(6, "2026-07-04T00:00"),
    ]
    assert.deepStrictEqual(
      listGamesOnDay(games, "2026-07-04").map(({ gamePk }) => gamePk),
      [6, 1, 2, 3],
    )
    assert.deepStrictEqual(listGamesOnDay([], "2026-07-04"), [])
  })

  it("sorts keys as it sorts rows, for ids of any length", () => {
    const keys = [game(9, "2026-07-04T17:00"), game(10, "2026-07-04T17:00"), game(1, "2026-07-04T18:00")].map(
      toListingKey,
    )
    assert.deepStrictEqual([...keys].sort(), keys)
  })

  it("has one row for a game and a day: the listing under which it is played", () => {
    const off = game(1, "2026-07-04T00:10", "off")
    const on = game(1, "2026-07-04T17:00")
    for (const games of [
      [off, on],
      [on, off],
    ]) {
      assert.deepStrictEqual(listGamesOnDay(games, "2026-07-04"), [on])
    }
    // Put off to the next day: a row on each.
    const next = game(1, "2026-07-05T17:00")
    assert.deepStrictEqual(listGamesOnDay([off, next], "2026-07-04"), [off])
    assert.deepStrictEqual(listGamesOnDay([off, next], "2026-07-05"), [next])
  })
})

describe("the listing of a game", () => {
  it("is the one under which it is played first, else the newest", () => {
    const off = game(1, "2026-07-04T17:00", "off")
    const suspended = game(1, "2026-07-05T17:00", "over")
    const resumed = game(1, "2026-07-06T17:00", "over")
    assert.strictEqual(pickListing([resumed, off, suspended]), suspended)
    assert.strictEqual(pickListing([game(1, "2026-07-03T17:00", "off"), off]), off)
    assert.isUndefined(pickListing([]))
  })

  it("has begun by the clock or by what the league says, whichever is first", () => {
    const early = at("2026-07-04T16:59")
    for (const [phase, now, begun] of [
      ["scheduled", early, false],
      ["scheduled", at("2026-07-04T17:00"), true],
      ["live", early, true],
      ["over", early, true],
      ["off", early, false],
    ] as const) {
      assert.strictEqual(hasBegun(game(1, "2026-07-04T17:00", phase), now), begun, phase)
    }
  })
})
