import { assert, it } from "@effect/vitest"
import { bare } from "../../../../adapters/server/http/Site.ts"
import { page } from "../../../../adapters/web/scoreboard/page.tsx"
import { scored } from "../../../../core/lanes/markets/performance.ts"
import * as Board from "../../../../core/record/scoreboard/board.ts"
import { digest } from "../../../support/digest.ts"
import { settledRows } from "../../../support/settledRows.ts"

/** The charts of the page over rows, and its tables. */
const picturesOf = (count: number, seed: number) => {
  const board = Board.empty()
  for (const row of settledRows(count, seed)) Board.add(board, row)
  const results = {
    as_of: "2026-07-09T18:01:00.000Z",
    ...scored(board),
    live: { open_tracked: 7, awaiting_settlement: 3 },
  }
  const html = page(results, [], [], "live", bare)
  return {
    charts: [...html.matchAll(/<svg class=.*?<\/svg><details>/gs)].map(([svg]) => digest(svg)),
    tables: digest([...html.matchAll(/<table>.*?<\/table>/gs)].map(([table]) => table)),
  }
}

// Where things stand in a picture is looked at by eye, once: the pictures of `npm run shots`.
it("the scoreboard draws the same of the same rows", () => {
  assert.deepStrictEqual(
    [picturesOf(1_500, 8), picturesOf(12, 3)],
    [
      {
        charts: ["72685f98", "d13fcc3b", "88638203", "5cf6c243"],
        tables: "2cb6d3e8",
      },
      {
        charts: ["fcf08a29", "7f3146d8", "17339d7e"],
        tables: "340ded71",
      },
    ],
  )
})
