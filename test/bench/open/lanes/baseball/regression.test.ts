import { assert, describe, it } from "@effect/vitest"
import {
  edgeOf,
  fitFor,
  homeWon,
  seasonalFits,
  seasonalForecasts,
} from "../../../../../bench/open/lanes/baseball/regression.ts"
import type { Played } from "../../../../../bench/open/lanes/baseball/walk.ts"

const game = (season: number, home: number, away: number, neutral = false): Played => ({
  id: `${season}/${home}-${away}/${neutral}`,
  season,
  day: `${season}-06-01`,
  home: { team: "H", runs: home },
  away: { team: "A", runs: away },
  neutral,
})

const one = () => [1]
const fitted = { from: 2020, to: 2021 }
/** Three home wins of four, and a tie; then two of three. */
const games = [
  game(2019, 0, 9),
  game(2020, 3, 1),
  game(2020, 4, 1),
  game(2020, 5, 1),
  game(2020, 1, 2),
  game(2020, 2, 2),
  game(2021, 1, 0),
  game(2021, 2, 0),
  game(2021, 0, 1),
  game(2022, 0, 5),
  game(2023, 0, 6),
]

describe("regressions by season", () => {
  it("know a home win from a loss and a tie", () => {
    assert.isTrue(homeWon(game(2020, 2, 1)))
    assert.isFalse(homeWon(game(2020, 1, 2)))
    assert.isUndefined(homeWon(game(2020, 2, 2)))
    assert.strictEqual(edgeOf(game(2020, 1, 2)), 1)
    assert.strictEqual(edgeOf(game(2020, 1, 2, true)), 0)
  })

  it("are fitted on earlier seasons of the given ones, to six decimals, without ties", () => {
    assert.deepStrictEqual(seasonalFits(games, one, fitted), [
      // Log-odds of 3 of 4, and of 5 of 7.
      { season: 2021, games: 4, coefficients: [1.098612] },
      { season: 2022, games: 7, coefficients: [0.916291] },
    ])
    assert.deepStrictEqual(
      seasonalFits(games, one, { from: 2020, to: 2020 }).map(({ season }) => season),
      [2021],
    )
    assert.deepStrictEqual(seasonalFits([], one, fitted), [])
    assert.deepStrictEqual(seasonalFits(games, one, { from: 2022, to: 2020 }), [])
  })

  it("serve their season, the last one all later seasons, none the first", () => {
    const fits = [{ season: 2021 }, { season: 2022 }]
    assert.deepStrictEqual(
      [2020, 2021, 2022, 2030].map((season) => fitFor(fits, season)?.season),
      [undefined, 2021, 2022, 2022],
    )
  })

  it("make probabilities of every game of those seasons", () => {
    const found = seasonalForecasts(games, (each) => [edgeOf(each)], fitted)
    assert.deepStrictEqual(
      Array.from(found, ([id, p]) => [id, Number(p.toFixed(5))]),
      [
        ["2021/1-0/false", 0.75],
        ["2021/2-0/false", 0.75],
        ["2021/0-1/false", 0.75],
        ["2022/0-5/false", 0.71429],
        ["2023/0-6/false", 0.71429],
      ],
    )
    const neutral = game(2022, 1, 0, true)
    assert.strictEqual(seasonalForecasts([...games, neutral], (each) => [edgeOf(each)], fitted).get(neutral.id), 0.5)
  })
})
