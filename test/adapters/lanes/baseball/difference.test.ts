import { assert, describe, it } from "@effect/vitest"
import { seasonLines, slates } from "../../../../adapters/lanes/baseball/difference.ts"
import type { Listings, TeamLines } from "../../../../core/lanes/baseball/ports.ts"

const { differs: slatesDiffer } = slates
const { differs: linesDiffer } = seasonLines

const sourced = { source: "x", locator: "y", fetchedAt: 0, stale: false }
const listings = (changes: Partial<Listings> = {}): Listings => ({ ...sourced, games: [], unreadable: 0, ...changes })
const lines = (teams: number, stale = false): TeamLines => ({
  ...sourced,
  stale: stale,
  lines: new Map(Array.from({ length: teams }, (_, id) => [id, { games: 1, scored: 1, allowed: 1 }])),
})

describe("what a live league is compared by", () => {
  it("is whether its listings can be read and are new", () => {
    assert.isUndefined(slatesDiffer(listings(), listings(), "around"))
    assert.strictEqual(slatesDiffer(listings(), listings({ unreadable: 2 }), "around"), "2 live listings not parsed")
    assert.include(slatesDiffer(listings(), listings({ stale: true }), "around"), "is stale")
  })

  it("is whether every team has a line", () => {
    assert.isUndefined(linesDiffer(lines(30), lines(30), "teams"))
    assert.isUndefined(linesDiffer(lines(0), lines(30), "teams"))
    assert.strictEqual(linesDiffer(lines(30), lines(6), "teams"), "only 6 of 30 live teams have lines")
    assert.include(linesDiffer(lines(30), lines(30, true), "teams"), "are stale")
    assert.isUndefined(linesDiffer({}, {}, "pitcher"))
  })
})
