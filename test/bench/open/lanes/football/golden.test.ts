import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Played } from "../../../../../bench/open/lanes/football/data.ts"
import { footballTask } from "../../../../../bench/open/lanes/football/task.ts"
import { benchDigest } from "../../../../support/benchDigest.ts"
import { league } from "../../../../support/footballLeague.ts"

const { games, weeks } = league(11, [2005, 2006, 2007], 3)
const lines = new Map(
  games.map(({ id }, at) => [
    id,
    { spread: (at % 9) - 3, total: 44, homeMoneyline: at % 4 === 0 ? 130 : -120, awayMoneyline: 100 },
  ]),
)

// The published scores are of these forecasts: a change belongs into CHANGELOG.md, with new scores.
it.effect("football's bench finds the same in each release", () =>
  Effect.gen(function* () {
    const played = games.map((game, at) => ({ ...game, neutral: at % 9 === 4 })) as ReadonlyArray<Played>
    assert.deepStrictEqual(yield* benchDigest(footballTask({ games: played, lines, weeks, inputs: [] })), {
      cases: "185f33a0",
      comparison: "018a65d4",
      facts: "9f92bc74",
      forecasts: "968e2852",
      scores: "f5fdf2b6",
      text: "0bb02e92",
    })
  }),
)
