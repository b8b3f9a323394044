// Proof: runs a server through a day of each lane over recorded data.
import { readFileSync } from "node:fs"
import { assert, it } from "@effect/vitest"
import { withBlock } from "../support/block.ts"
import { describeRealData } from "../support/realData.ts"
import { tradersDay } from "../support/tradersDay/page.ts"

const page = readFileSync(new URL("../../bench/open/day.md", import.meta.url), "utf8")

describeRealData("a trader's day", (root) => {
  it("ends in each lane as its page says (npm run backtest:day writes it)", async () => {
    assert.strictEqual(withBlock(page, "day", await tradersDay(root), "backtest:day"), page)
  }, 240_000)
})
