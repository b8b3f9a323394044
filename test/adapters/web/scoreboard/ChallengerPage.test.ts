import { assert, describe, it } from "@effect/vitest"
import { emptySite } from "../../../../adapters/server/http/Site.ts"
import { challengerPage, challengerVerdict } from "../../../../adapters/web/scoreboard/ChallengerPage.tsx"
import type { Models } from "../../../../adapters/web/scoreboard/Challengers.tsx"
import type { Receipt } from "../../../../core/lanes/markets/challenge/Challenge.ts"
import { hour } from "../../../../core/time.ts"
import { settledRow } from "../../../support/settledRows.ts"

const model: Models[number] = {
  ...{ model: "rain", status: "active", since: "2026-07-09T18:01:00.000Z", shared_rows: 9, unscored_rows: 8 },
  ...{ lead_seconds: 5_400, capture_lead_seconds: 3_600, account_models_entered: 5, account_models_withdrawn: 4 },
  ...{ brier: 0.21, brier_model: 0.2, brier_market: 0.19 },
  difference_to_model: { estimate: 0.01, low: -0.01, high: 0.03, level: 0.95 },
  difference_to_market: { estimate: 0.02, low: 0.01, high: 0.04, level: 0.95 },
}
const row = settledRow()
const { venue, ticker, closeTime } = row
const receipt: Receipt = { id: "op/1", venue, ticker, closeTime, p: 570_000, at: closeTime - 2 * hour, seq: 7, row }
const newer: Receipt = { ...receipt, id: "op/2", at: closeTime - hour, seq: 9 }

const shown = (changes: Partial<Parameters<typeof challengerPage>[0]> = {}) =>
  challengerPage(
    { model, receipts: [newer, receipt], isMore: true, isFirst: true, isDemo: false, hasEntries: true, ...changes },
    emptySite,
  )

describe("the page of a challenger", () => {
  it("has its verdict, its scores with intervals, its lead times, and each opinion with its entry", () => {
    const html = shown()
    assert.include(html, "No clear winner yet: over 9 shared markets its Brier score is 0.0100 higher than our model's")
    assert.include(html, "<dd>1.5 h; our captures 1.0 h</dd>")
    assert.include(html, "said <strong>57 %</strong>")
    assert.include(html, "; 2.0 h before the close")
    assert.include(html, 'href="/record?leaf=op%2F1"')
    assert.include(html, `href="/scoreboard/challengers/rain?before=${receipt.at}.7"`)
    assert.strictEqual(html.match(/<svg height=/g)?.length, 1)
    assert.notMatch(html, /NaN|Infinity|undefined|null/)
    assert.notInclude(html, "Sample data")
  })

  it("marks generated ones, and leads to no entry that the record does not have", () => {
    const html = shown({ isDemo: true, hasEntries: false, isMore: false, receipts: [] })
    assert.include(html, "Sample data")
    assert.notInclude(html, "/record?leaf=")
    assert.notInclude(html, "?before=")
    assert.include(html, "None yet.")
  })

  it("has a winner where the interval is on one side of zero", () => {
    const ahead = { ...model, brier: 0.1, difference_to_model: { estimate: -0.1, low: -0.2, high: -0.01, level: 0.95 } }
    assert.match(
      challengerVerdict(ahead),
      /^The challenger leads: over 9 shared markets its Brier score is 0\.1000 lower/,
    )
    const { difference_to_model: _, ...alone } = model
    assert.match(challengerVerdict(alone), /^No interval yet/)
    const { brier: __, ...none } = model
    assert.strictEqual(challengerVerdict(none), "No settled market is shared yet.")
  })
})
