import { assert, describe, it } from "@effect/vitest"
import { change, notFound, suggest } from "../../../core/lanes/answers.ts"

describe("parts of answers", () => {
  it("suggest a call by the endpoint's id", () => {
    assert.deepStrictEqual(suggest("mlb_games", { date: "2026-07-11" }, "Other games."), {
      endpoint: "mlb_games",
      params: { date: "2026-07-11" },
      why: "Other games.",
    })
  })

  it("say what was not found and which field needs another value", () => {
    const hint = change("date", "Use a day of the season.")
    assert.deepStrictEqual(hint, { field: "date", action: "change", suggestion: "Use a day of the season." })
    const { code, status, detail, hints } = notFound("No game on this day.", hint)
    assert.deepStrictEqual([code, status, detail, hints], ["not_found", 404, "No game on this day.", [hint]])
    assert.deepStrictEqual(notFound("Nothing.").hints, [])
  })
})
