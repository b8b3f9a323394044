import { assert, describe, it } from "@effect/vitest"
import { h } from "preact"
import { renderToStaticMarkup } from "preact-render-to-string"
import { questionIn, Search } from "../../../../../adapters/web/docs/reference/Search.tsx"

describe("the question of an address", () => {
  it("is trimmed, and 100 characters at most", () => {
    assert.strictEqual(questionIn(new URLSearchParams("q=+two+words+")), "two words")
    assert.strictEqual(questionIn(new URLSearchParams({ q: "a".repeat(100) }))?.length, 100)
    assert.strictEqual(questionIn(new URLSearchParams({ q: "a".repeat(101) }))?.length, 100)
  })

  it("is empty where there is none", () => {
    for (const query of ["", "other=1", "q=", "q=+"]) assert.isUndefined(questionIn(new URLSearchParams(query)))
  })
})

const entry = (name: string) => ({ kind: "field" as const, name, words: "Some words.", path: `/docs#${name}` })

const shown = (count: number, question: string) =>
  renderToStaticMarkup(
    h(Search, { entries: Array.from({ length: count }, (_, at) => entry(`name_${at}`)), index: "/docs", question }),
  )

describe("the search", () => {
  it("says nothing before it is asked", () => {
    const html = shown(3, "")
    assert.include(html, '<form class="ask" method="get" action="/docs">')
    assert.include(html, '<div id="results" aria-live="polite"></div>')
  })

  it("shows what it found, and where it is", () => {
    const html = shown(3, "name_1")
    assert.include(html, "<h2>1 found</h2>")
    assert.include(
      html,
      '<li><a href="/docs#name_1"><code>name_1</code></a> <span class="badge">field</span> <span>Some words.</span></li>',
    )
  })

  it("shows fifty at most, and says when it found nothing", () => {
    const html = shown(51, "name")
    assert.include(html, "<h2>51 found, the first 50</h2>")
    assert.lengthOf(html.match(/<li>/g)!, 50)
    assert.include(shown(3, "other"), "<h2>Nothing found</h2></div>")
  })
})
