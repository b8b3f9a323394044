import { assert, describe, it } from "@effect/vitest"
import { h } from "preact"
import { emptySite } from "../../../../adapters/server/http/Site.ts"
import { pageScript } from "../../../../adapters/web/view/assets.ts"
import { type Head, page } from "../../../../adapters/web/view/Page.tsx"

const serving = (...paths: ReadonlyArray<string>) => ({ served: (path: string) => paths.includes(path) })

const shown = (more: Partial<Head> = {}, site = emptySite) =>
  page({ title: "A title", description: "What it is.", path: "/a", ...more }, site, h("p", null, "The body."))

describe("a page", () => {
  it("is a whole document with the product in its title", () => {
    const html = shown()
    assert.match(html, /^<!doctype html>\n<html lang="en">[\s\S]*<\/html>\n$/)
    assert.include(html, "<title>A title · market-signals</title>")
    assert.include(html, '<meta name="description" content="What it is."/>')
    assert.include(html, '<main id="main"><p>The body.</p></main>')
  })

  it("has its bare title where it is the first one", () => {
    assert.include(shown({ path: "/" }), "<title>A title</title>")
  })

  it("loads a script and waits for its end only where that is asked for", () => {
    assert.notMatch(shown(), /<script|rel="expect"/)
    assert.match(shown({ script: pageScript }), /<script src="[^"]+" type="module"><\/script>/)
    assert.include(shown({ isWhole: true }), '<link rel="expect" href="#foot" blocking="render"/>')
  })

  it("links to the pages that are served, in their order, and to no others", () => {
    const links = (site = emptySite) => [...shown({}, site).matchAll(/<li><a href="([^"]*)"/g)].map(([, to]) => to)
    assert.deepStrictEqual(links(), [])
    const head = ["/docs", "/status"]
    const foot = ["/status", "/docs", "/openapi.json"]
    assert.deepStrictEqual(links(serving("/openapi.json", "/status", "/docs")), [...head, ...foot])
    assert.notInclude(shown(), "Get a key")
    assert.include(shown({}, serving("/get-a-key")), '<a class="button" href="/get-a-key">Get a key</a></header>')
  })

  it("leads home from its name where there is a home", () => {
    assert.include(shown({}, serving("/")), '<a class="brand" href="/">')
    assert.include(shown(), '<a class="brand" href="#main">')
  })

  it("marks itself in the navigation, and the page that it is under", () => {
    const site = serving("/docs", "/docs-old")
    assert.include(shown({ path: "/docs" }, site), '<a href="/docs" aria-current="page">')
    assert.include(shown({ path: "/docs/weather" }, site), '<a href="/docs" aria-current="true">')
    assert.include(shown({ path: "/docs-old" }, site), '<a href="/docs">')
  })
})
