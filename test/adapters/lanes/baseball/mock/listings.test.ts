import { assert, describe, it } from "@effect/vitest"
import { type Finished, listGames } from "../../../../../adapters/lanes/baseball/mock/listings.ts"
import { type MockGame, seasonGames } from "../../../../../adapters/lanes/baseball/mock/season.ts"

const minute = 60_000
const hour = 60 * minute

const season = seasonGames(2026)
const withFate = (fate: MockGame["fate"]): MockGame => season.find((game) => game.fate === fate)!
const played = withFate("played")
const at = (game: MockGame, now: number, finished: ReadonlyArray<Finished> = []) => listGames([game], finished, now)
const states = (game: MockGame, now: number) => at(game, now).map(({ state, phase }) => [state, phase])

describe("a game as it is listed", () => {
  it("goes by the clock, with a score at its end alone", () => {
    const { firstPitch, endsAt, home, away } = played
    const times = [firstPitch - 2 * hour, firstPitch - hour, firstPitch - 1, firstPitch, endsAt, endsAt + 10 * minute]
    assert.deepStrictEqual(
      times.flatMap((now) => at(played, now).map(({ state }) => state)),
      ["Scheduled", "Pre-Game", "Warmup", "In Progress", "Game Over", "Final"],
    )
    assert.isUndefined(at(played, endsAt - 1)[0]!.score)
    assert.deepStrictEqual(at(played, endsAt)[0]!.score, { home: home.runs, away: away.runs })
  })

  it("that is put off is listed on its first day, and on both once that is known", () => {
    const game = withFate("postponed")
    assert.deepStrictEqual(states(game, game.announcedAt - 1), [["Scheduled", "scheduled"]])
    assert.deepStrictEqual(states(game, game.announcedAt)[0], ["Postponed", "off"])
    const [first, second] = at(game, game.announcedAt)
    assert.deepStrictEqual([first!.firstPitch, second!.firstPitch], [game.firstListed, game.firstPitch])
  })

  it("that is called off, late or broken off says so, and not before", () => {
    const [off, late, broken] = [withFate("cancelled"), withFate("delayed"), withFate("suspended")]
    assert.notStrictEqual(states(off, off.announcedAt - 1)[0]![0], "Cancelled")
    assert.deepStrictEqual(states(off, off.announcedAt), [["Cancelled", "off"]])
    assert.deepStrictEqual(states(late, late.firstPitch), [["Delayed Start: Rain", "scheduled"]])
    assert.deepStrictEqual(states(late, late.firstPitch + 50 * minute), [["In Progress", "live"]])
    assert.deepStrictEqual(states(broken, broken.firstPitch + 90 * minute), [["Suspended: Rain", "live"]])
  })

  it("names its starters in the last days, and all of them in the last hours", () => {
    const named = (before: number) =>
      season
        .slice(200, 400)
        .flatMap((game) => at(game, game.firstPitch - before))
        .filter(({ home }) => "starter" in home).length
    assert.strictEqual(named(5 * 24 * hour), 0)
    assert.isTrue(named(24 * hour) < 200 && named(24 * hour) > 150)
    const last = season.slice(200, 400).flatMap((game) => at(game, game.firstPitch - 4 * hour))
    assert.isTrue(last.every(({ home, away }) => home.starter !== undefined && away.starter !== undefined))
  })
})

describe("the records of the teams", () => {
  it("are those after the last game that is over, and of a game itself once it is", () => {
    const { home, away, endsAt } = played
    const after = { game: played, home: { wins: 1, losses: 0 }, away: { wins: 0, losses: 1 } }
    const next = season.find(({ gamePk, home: side }) => gamePk !== played.gamePk && side.team.id === home.team.id)!
    const recordAt = (now: number) => {
      const { wins, losses } = at(next, now, [after])[0]!.home
      return [wins, losses]
    }
    assert.deepStrictEqual(recordAt(endsAt - 1), [0, 0])
    assert.deepStrictEqual(recordAt(endsAt), [1, 0])
    // A time before is answered as of then.
    assert.deepStrictEqual(recordAt(endsAt - 1), [0, 0])
    assert.strictEqual(at(played, endsAt, [after])[0]!.away.losses, 1, away.team.name)
  })
})
