import { assert, describe, it } from "@effect/vitest"
import { h } from "preact"
import { renderToString } from "preact-render-to-string"
import { Challengers, type Models } from "../../../../adapters/web/scoreboard/Challengers.tsx"

describe("the section of challengers", () => {
  const model = (name: string, changes: object = {}) => ({
    ...{ model: name, status: "active" as const, since: "2026-07-09T18:01:00.000Z", shared_rows: 9, unscored_rows: 8 },
    ...{ lead_seconds: 5_400, capture_lead_seconds: 3_600, account_models_entered: 5, account_models_withdrawn: 4 },
    ...{ brier: 0.21, brier_model: 0.2, brier_market: 0.19 },
    difference_to_model: { estimate: 0.01, low: -0.01, high: 0.03, level: 0.95 },
    difference_to_market: { estimate: 0.02, low: 0.01, high: 0.04, level: 0.95 },
    ...changes,
  })
  const { difference_to_model: _, difference_to_market: __, ...alone } = model("one-event")
  const sectionOf = (models: Models) => {
    const html = renderToString(h(Challengers, { models }))
    assert.notMatch(html, /NaN|Infinity|undefined|null/)
    return html
  }

  it("says how to take part while there is none", () => {
    assert.include(sectionOf([]), "POST /v1/bench/opinions")
    assert.include(sectionOf([]), "No prizes.")
  })

  it("draws those with an interval, lists all, and marks withdrawn ones", () => {
    const long = "a".repeat(40)
    const html = sectionOf([model(long, { status: "withdrawn" }), alone])
    assert.strictEqual(html.match(/<svg height=/g)?.length, 1)
    assert.include(html, `<a href="/scoreboard/challengers/${long}">${long}</a> (withdrawn)</th>`)
    assert.include(html, `<p><span>${long}</span>`)
    assert.include(html, "challenger ahead")
    assert.include(html, "one-event</a></th>")
    // Shared, not scored, hours from opinions and from captures; models of the account.
    const cells = html.split("one-event</a></th>").at(-1)!.split("</tr>")[0]!
    const values = [...cells.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, value]) => value!.replace(/<[^>]+>/g, ""))
    assert.deepStrictEqual(values, ["9", "8", "1.5", "1.0", "5", "4"])
    assert.include(html, "0.0100 (−0.0100 to 0.0300)")
    assert.notInclude(html.slice(0, html.indexOf("<details>")), "one-event")
  })

  it("has its tables open while nobody has an interval", () => {
    const html = sectionOf([alone])
    assert.notInclude(html, "<svg")
    assert.notInclude(html, "<details")
    assert.include(html, "0.2100</td>")
  })

  it("lists a hundred, and says where all are", () => {
    const html = sectionOf(Array.from({ length: 101 }, (_, at) => model(`model-${at}`)))
    assert.include(html, "The first 100 of 101")
    assert.include(html, "model-99</a></th>")
    assert.notInclude(html, "model-100")
    assert.notInclude(sectionOf(Array.from({ length: 100 }, (_, at) => model(`model-${at}`))), "The first 100")
  })
})
