import { assert, describe, it } from "@effect/vitest"
import { PCGRandom } from "effect/Utils"
import { type Played, walk } from "../../../../../bench/open/lanes/baseball/walk.ts"
import { parameters } from "../../../../../core/lanes/baseball/parameters.ts"

const teams = ["AAA", "BBB", "CCC", "DDD"]

/** Two seasons of a league of four, three days each, two games a day. */
const league = (seed: number): ReadonlyArray<Played> => {
  const generator = new PCGRandom(seed)
  const side = (at: number) => ({
    team: teams[at % 4]!,
    runs: generator.integer(9),
    starter: `P${at % 4}`,
    pitched: { innings: 5, earnedRuns: generator.integer(5) },
  })
  return [2020, 2021].flatMap((season) =>
    [1, 2, 3].flatMap((day) =>
      [0, 2].map((at) => ({
        id: `${season}/${day}/${at}`,
        season,
        day: `${season}-04-0${day}`,
        home: side(at),
        away: side(at + day),
        neutral: false,
      })),
    ),
  )
}

const shown = (games: ReadonlyArray<Played>) =>
  new Map([...walk(games, parameters)].map(({ game, matchup }) => [game.id, matchup]))

describe("a walk through games", () => {
  const games = league(1)

  it("shows every game once, in order, whatever the order they are given in", () => {
    const ids = [...walk(games, parameters)].map(({ game }) => game.id)
    assert.deepStrictEqual(
      ids,
      games.map(({ id }) => id),
    )
    assert.deepStrictEqual(new Map([...shown(games.toReversed())].sort()), new Map([...shown(games)].sort()))
  })

  it("uses nothing of a day before it is over, nor of later days", () => {
    for (const cut of games.map(({ day }) => day)) {
      const rewritten = games.map((game, at) =>
        game.day < cut
          ? game
          : {
              ...game,
              home: { ...game.home, runs: 20 + at, pitched: { innings: 1, earnedRuns: 9 } },
              away: { ...game.away, runs: at, pitched: undefined },
            },
      )
      const [before, after] = [shown(games), shown(rewritten)]
      for (const { id, day } of games) {
        if (day <= cut) assert.deepStrictEqual(after.get(id), before.get(id), `${id}, cut ${cut}`)
      }
      const later = games.filter(({ day }) => day > cut)
      if (later.length > 0) assert.notDeepEqual(after.get(later[0]!.id), before.get(later[0]!.id))
    }
  })

  it("counts runs and innings of a season from its first day, and hands last season's on", () => {
    const found = shown(games)
    const opening = games.find(({ season }) => season === 2021)!
    const { home, homeStarter } = found.get(opening.id)!
    const played = games.filter(({ season }) => season === 2020)
    const own = played
      .flatMap(({ home: a, away: b }) => [[a, b] as const, [b, a] as const])
      .filter(([{ team }]) => team === opening.home.team)
    assert.deepStrictEqual(home, {
      season: { games: 0, scored: 0, allowed: 0 },
      last: {
        games: own.length,
        scored: own.reduce((sum, [{ runs }]) => sum + runs, 0),
        allowed: own.reduce((sum, [, { runs }]) => sum + runs, 0),
      },
    })
    const innings = own.reduce((sum, [{ pitched }]) => sum + pitched!.innings, 0)
    assert.deepStrictEqual(homeStarter?.season, { innings: 0, earnedRuns: 0 })
    assert.approximately(homeStarter!.carried.innings, parameters.starter.decay * innings, 1e-12)
  })

  it("leaves an unknown starter unknown and learns nothing from a missing line", () => {
    const bare = games.map((game) => ({
      ...game,
      home: { ...game.home, starter: undefined },
      away: { ...game.away, pitched: undefined },
    }))
    for (const { homeStarter, awayStarter } of shown(bare).values()) {
      assert.isUndefined(homeStarter)
      assert.deepStrictEqual(awayStarter?.season, { innings: 0, earnedRuns: 0 })
    }
  })
})
