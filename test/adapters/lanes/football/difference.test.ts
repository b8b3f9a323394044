import { assert, describe, it } from "@effect/vitest"
import { shadowed } from "../../../../adapters/lanes/football/difference.ts"

const [games, quarterbacks] = [shadowed[0]!, shadowed[1]!]

/** A season with so many finals, and one game that is still to come. */
const season = (year: number, finals: number) => ({
  season: year,
  records: Array.from({ length: finals + 1 }, (_, at) => ({
    game: at < finals ? { score: { home: 7, away: 3 } } : {},
  })),
})

const league = (...seasons: ReadonlyArray<ReturnType<typeof season>>) => ({ seasons, checkedAt: new Map() })

describe("a season", () => {
  const differs = (mock: unknown, live: unknown) => games.differs(mock, live, "season")

  it("may be 32 finals behind or ahead", () => {
    assert.isUndefined(differs(season(2025, 100), season(2025, 68)))
    assert.isUndefined(differs(season(2025, 68), season(2025, 100)))
    assert.strictEqual(differs(season(2025, 100), season(2025, 67)), "live is 33 finals behind in 2025")
    assert.strictEqual(differs(season(2025, 67), season(2025, 100)), "live is 33 finals ahead in 2025")
  })

  it("is loaded on both sides or on none", () => {
    assert.isUndefined(differs(undefined, undefined))
    assert.strictEqual(differs(season(2025, 1), undefined), "only mock has the season")
    assert.strictEqual(differs(undefined, season(2025, 1)), "only live has the season")
  })
})

describe("a league", () => {
  const differs = (mock: unknown, live: unknown) => games.differs(mock, live, "league")
  const [a, b, c] = [season(2023, 200), season(2024, 200), season(2025, 100)]

  it("lacks no season but the newest", () => {
    assert.isUndefined(differs(league(a, b, c), league(a, b, c)))
    assert.isUndefined(differs(league(a, b, c), league(a, b)))
    assert.strictEqual(differs(league(a, b, c), league(b, c)), "live lacks 1 season, 2023 first")
    assert.strictEqual(differs(league(a, b, c), league(c)), "live lacks 2 seasons, 2023 first")
    assert.isUndefined(differs(league(b), league(a, b, c)))
  })

  it("is compared by its last two seasons", () => {
    assert.isUndefined(differs(league(a, b, c), league(season(2023, 0), b, c)))
    assert.strictEqual(differs(league(a, b, c), league(a, season(2024, 0), c)), "live is 200 finals behind in 2024")
    assert.strictEqual(differs(league(a, b, c), league(a, b, season(2025, 0))), "live is 100 finals behind in 2025")
  })
})

it("of players it is compared only whether both sides answer", () => {
  assert.isUndefined(quarterbacks.differs([1], [2, 3], "weeks"))
  assert.strictEqual(quarterbacks.differs([1], undefined, "weeks"), "only mock has an answer")
})
