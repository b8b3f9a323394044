import { assert, describe, it } from "@effect/vitest"
import { emptySite } from "../../../../adapters/server/http/Site.ts"
import { errorIndex, errorPage } from "../../../../adapters/web/docs/ErrorPages.tsx"
import { type Code, codes } from "../../../../core/Failure.ts"

/** The row of a code in the index, and the heading above it. */
const rowOf = (code: Code) => {
  const html = errorIndex(emptySite)
  const at = html.indexOf(`href="/errors/${code}"`)
  const before = html.slice(0, at)
  const [, heading] = /.*<h2>([^<]*)<\/h2>/s.exec(before) ?? []
  const cells = [...html.slice(at, html.indexOf("</tr>", at)).matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(
    ([, cell]) => cell,
  )
  return [heading, cells[0], cells[1]]
}

describe("the index of errors", () => {
  it("has every code once", () => {
    const html = errorIndex(emptySite)
    for (const code of Object.keys(codes)) assert.lengthOf(html.split(`href="/errors/${code}"`), 2, code)
  })

  it.each<readonly [Code, string, string, string]>([
    ["missing_authorization", "Key and rights", "401", "Fix and retry"],
    ["account_suspended", "Key and rights", "403", "Fix and retry"],
    ["invalid_parameter", "Request", "400", "Fix and retry"],
    ["request_timeout", "Request", "408", "Retry after a pause"],
    ["not_offered", "Request", "410", "Do not retry"],
    ["insufficient_funds", "Money and limits", "402", "Fix and retry"],
    ["payment_in_progress", "Money and limits", "402", "Retry after a pause"],
    ["rate_limit_exceeded", "Money and limits", "429", "Retry after a pause"],
    ["account_rate_limited", "Money and limits", "429", "Retry after a pause"],
    ["agent_budget_exceeded", "Money and limits", "429", "Do not retry"],
    ["internal_error", "Service", "500", "Do not retry"],
    ["storage_unavailable", "Service", "503", "Retry after a pause"],
  ])("has %s under %s with %s: %s", (code, heading, status, advice) => {
    assert.deepStrictEqual(rowOf(code), [heading, status, advice])
  })
})

describe("the page of an error", () => {
  it("says what it means, and what to do about it", () => {
    const html = errorPage("storage_unavailable", emptySite)
    assert.include(html, "<title>storage_unavailable · market-signals</title>")
    assert.include(html, "<dt>HTTP status</dt><dd>503</dd>")
    assert.include(html, "<dt>Recoverable</dt><dd>Yes. Retry after a pause.</dd>")
    assert.include(errorPage("not_offered", emptySite), "<dd>No: a person must act.</dd>")
  })

  it("has code where its text has backticks", () => {
    assert.include(errorPage("internal_error", emptySite), "Report the <code>request_id</code>.")
  })
})
