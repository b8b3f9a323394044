import { assert, describe, it } from "@effect/vitest"
import { h } from "preact"
import { renderToStaticMarkup } from "preact-render-to-string"
import { emptySite } from "../../../adapters/server/http/Site.ts"
import { Elsewhere, failurePages } from "../../../adapters/web/NotFound.tsx"
import { fail } from "../../../core/Failure.ts"

const serving = (...paths: ReadonlyArray<string>) => ({ served: (path: string) => paths.includes(path) })

const elsewhere = (site = emptySite, path = "/x") => renderToStaticMarkup(h(Elsewhere, { site, path }))

describe("what is offered where nothing is", () => {
  it("is the first pages, of those that are served", () => {
    assert.strictEqual(elsewhere(), "<ul></ul>")
    assert.strictEqual(
      elsewhere(serving("/", "/status")),
      '<ul><li><a href="/">Home</a></li><li><a href="/status">Status</a></li></ul>',
    )
  })

  it.each([
    ["/v1/weather/station-signal.json", "station signal"],
    ["/v1/some_name/", "some name"],
    ["/", undefined],
    ["/a b", undefined],
    [`/${"a".repeat(40)}`, "a".repeat(40)],
    [`/${"a".repeat(41)}`, undefined],
  ])("is a search for the last words of the address %s", (path, words) => {
    const [, value] = /href="\/docs\/search\?q=([^"]*)"/.exec(elsewhere(serving("/docs/search"), path)) ?? []
    assert.strictEqual(value, words?.replace(" ", "+"))
  })
})

describe("the page of a failure", () => {
  it("names the address where there is nothing, cut when it is long", () => {
    const html = failurePages.render(emptySite, `/${"a".repeat(300)}`, fail("not_found"))
    assert.include(html, "<h1>Page not found</h1>")
    assert.include(html, `<code>/${"a".repeat(199)}</code>`)
  })

  it("does not take the address for markup", () => {
    assert.include(failurePages.render(emptySite, "/<b>", fail("not_found")), "<code>/&lt;b></code>")
  })

  it("says of another failure what it is, and that it may pass", () => {
    const html = failurePages.render(emptySite, "/x", fail("storage_unavailable"))
    assert.include(html, "<h1>Not available now</h1>")
    assert.include(html, "<p>The store cannot be used at the moment. Reload the page in some seconds.</p>")
  })
})
