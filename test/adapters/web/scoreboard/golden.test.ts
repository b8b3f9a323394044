import { assert, it } from "@effect/vitest"
import { emptySite } from "../../../../adapters/server/http/Site.ts"
import { page } from "../../../../adapters/web/scoreboard/page.tsx"
import { toFigures } from "../../../../core/lanes/markets/performance.ts"
import * as Board from "../../../../core/record/scoreboard/board.ts"
import { digest } from "../../../support/digest.ts"
import { settledRows } from "../../../support/settledRows.ts"

/** The charts of the page over rows, and its tables. */
const picturesOf = (count: number, seed: number) => {
  const board = Board.empty()
  for (const row of settledRows(count, seed)) Board.add(board, row)
  const results = {
    as_of: "2026-07-09T18:01:00.000Z",
    ...toFigures(board),
    live: { open_tracked: 7, awaiting_settlement: 3 },
  }
  const html = page(results, [], [], "live", emptySite)
  return {
    charts: [...html.matchAll(/<svg height=.*?<\/svg><(?:details|div)/gs)].map(([svg]) => digest(svg)),
    tables: digest([...html.matchAll(/<table>.*?<\/table>/gs)].map(([table]) => table)),
  }
}

// Where things stand in a picture is looked at by eye, once: the pictures of `npm run shots`.
it("the scoreboard draws the same of the same rows", () => {
  assert.deepStrictEqual(
    [picturesOf(1_500, 8), picturesOf(12, 3)],
    [
      {
        charts: ["87dc6ee3", "06d79136", "2bedac14", "53bda776"],
        tables: "508602ae",
      },
      {
        charts: ["19062f8d", "3c320297", "2a1daf7b"],
        tables: "ec605482",
      },
    ],
  )
})
